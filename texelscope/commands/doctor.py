"""`doctor`: what works on this machine."""

from __future__ import annotations

import argparse

from texelscope.output import show

HELP = "GL driver, limits, what works here and what to do about what does not"


def add(parser: argparse.ArgumentParser) -> None:
    """It has no arguments."""


def run(_options: argparse.Namespace) -> int:
    """0 if everything but a display is there, 1 otherwise."""
    from texelscope.pipeline.commands.doctor import examine, render

    checks = examine()
    show(render(checks))
    return 0 if all(check.well for check in checks if check.name != "display for the window") else 1
