"""`doctor` checks what works on this machine."""

from __future__ import annotations

import argparse

from texelscope.output import show

HELP = "check the GL driver, its limits and what works here, with advice for what does not"


def add(parser: argparse.ArgumentParser) -> None:
    """Adds nothing: the command has no arguments."""


def run(_options: argparse.Namespace) -> int:
    """Prints the checks; returns 0 if all that is needed is there, 1 otherwise."""
    from texelscope.pipeline.commands.doctor import examine, render

    checks = examine()
    show(render(checks))
    return 0 if all(check.well for check in checks if check.needed) else 1
