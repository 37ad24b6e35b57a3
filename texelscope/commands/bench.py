"""`bench`: how fast a target runs, pass by pass."""

from __future__ import annotations

import argparse

from texelscope.arguments import add_target, named_target
from texelscope.output import write_text

HELP = "time to the first result, per run and per pass, beside this device's peaks"


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_target(parser)
    parser.add_argument("--json", metavar="FILE", help="write the figures as JSON")


def run(options: argparse.Namespace) -> int:
    """Runs it; 0."""
    from pipeline.commands.bench import bench, render

    found = bench(named_target(options))
    if options.json is not None:
        write_text(options.json, found.as_json() + "\n")
    if options.json != "-":
        print(render(found))
    return 0
