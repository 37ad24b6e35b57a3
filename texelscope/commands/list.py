"""`list` prints operators, layouts, panels, causes and importers by name."""

from __future__ import annotations

import argparse

from texelscope.output import show

HELP = "list operators, layouts, panels, causes, importers"


def add(parser: argparse.ArgumentParser) -> None:
    """Adds nothing: the command has no arguments."""


def run(_options: argparse.Namespace) -> int:
    """Prints the lists; returns 0."""
    from texelscope.pipeline.commands.listing import sections
    from texelscope.pipeline.discovery import first_line
    from texelscope.viewer.panel import all_panels

    panels = {panel.title: first_line(type(panel)) for panel in all_panels()}
    show(sections({"Panels": panels}))
    return 0
