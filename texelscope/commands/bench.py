"""`bench` measures how fast a target runs, pass by pass."""

from __future__ import annotations

import argparse

from texelscope.arguments import add_target, named_target, seconds
from texelscope.output import show, write_text

HELP = "measure the time to the first result, per run and per pass, beside this device's peaks"


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    add_target(parser)
    parser.add_argument(
        "--against-layout",
        metavar="LAYOUT",
        action="append",
        default=[],
        help="also run in this layout, alternating with the first (repeatable)",
    )
    parser.add_argument(
        "--no-first",
        action="store_true",
        help="do not start extra processes to measure the first result with empty and with filled shader caches",
    )
    parser.add_argument(
        "--seconds", type=seconds, default=3.0, metavar="S", help="time for whole runs per layout (default 3)"
    )
    parser.add_argument("--json", metavar="FILE", help="write the figures as JSON")


def run(options: argparse.Namespace) -> int:
    """Runs the benchmark; returns 0."""
    from texelscope.pipeline.bench.benching import BenchRequest, bench
    from texelscope.pipeline.bench.figures import render

    asked = BenchRequest(tuple(options.against_layout), first=not options.no_first, seconds=options.seconds)
    found = bench(named_target(options), asked)
    if options.json is not None:
        write_text(options.json, found.as_json() + "\n")
    if options.json != "-":
        show(render(found))
    return 0
