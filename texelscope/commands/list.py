"""`list`: what is there by name."""

from __future__ import annotations

import argparse

from texelscope.output import show

HELP = "operators, layouts, panels, rules, importers"


def add(parser: argparse.ArgumentParser) -> None:
    """It has no arguments."""


def run(_options: argparse.Namespace) -> int:
    """Prints them; 0."""
    from texelscope.pipeline.commands.listing import sections
    from texelscope.pipeline.discovery import first_line
    from texelscope.viewer.panels.registry import all_panels

    panels = {panel.title: first_line(type(panel)) for panel in all_panels()}
    show(sections({"Panels": panels}))
    return 0
