"""`reduce` shrinks a failing target to the smallest pipeline that still fails."""

from __future__ import annotations

import argparse
from pathlib import Path

from texelscope.arguments import add_frame, add_target, named_target, seconds
from texelscope.output import say, show

HELP = "shrink a failing target to one pass on the smallest shapes that fail, with the text of an issue"
DESCRIPTION = (
    "Runs the target, cuts out the first wrong pass with the values that it read, and shrinks its shapes, weights and "
    "numbers as long as diagnosis names the same cause. DIR then holds pipeline.toml, shader, model or functions, "
    "inputs and issue.md, and can be opened alone. Exit code: 0 reduced; 2 nothing is wrong or it could not run."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    add_target(parser)
    parser.add_argument("--to", metavar="DIR", required=True, help="new or empty folder to write to")
    parser.add_argument("--pass", metavar="NAME", dest="name", help="the wrong pass to reduce (default: the first)")
    parser.add_argument(
        "--seconds", type=seconds, default=120.0, metavar="S", help="time to search for smaller ones (default 120)"
    )
    parser.add_argument(
        "--any-finding", action="store_true", help="accept the cause as any of the findings, not only the first"
    )
    add_frame(parser)


def run(options: argparse.Namespace) -> int:
    """Writes the folder and reports its contents; returns 0."""
    from texelscope.pipeline.commands.reduce import render
    from texelscope.pipeline.reduce.reduction import ReductionRequest, reduce

    asked = ReductionRequest(options.name, options.seconds, options.any_finding, options.frame)
    reduced = reduce(named_target(options), Path(options.to), asked, say=say)
    show(render(reduced, options.to))
    return 0
