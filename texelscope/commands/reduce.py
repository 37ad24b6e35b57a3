"""`reduce`: a failing target as the smallest pipeline that still fails."""

from __future__ import annotations

import argparse
from pathlib import Path

from texelscope.arguments import add_target, named_target, seconds
from texelscope.output import say, show

HELP = "shrink a failing target to one pass on the smallest shapes that fail, with the text of an issue"
DESCRIPTION = (
    "Runs the target, cuts the first wrong pass out with what it read there, and makes it smaller as long as the same "
    "cause is named: shapes, weights, numbers. DIR holds pipeline.toml, shader, model or functions, inputs and "
    "issue.md, and opens by itself. Exit code: 0 reduced, 2 nothing is wrong or it could not run."
)


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_target(parser)
    parser.add_argument("--to", metavar="DIR", required=True, help="new or empty folder to write to")
    parser.add_argument("--pass", metavar="NAME", dest="name", help="a wrong pass (default: the first)")
    parser.add_argument(
        "--seconds", type=seconds, default=120.0, metavar="S", help="how long to look for smaller ones (default 120)"
    )
    parser.add_argument(
        "--any-finding", action="store_true", help="the cause may be any of the findings instead of the first of them"
    )


def run(options: argparse.Namespace) -> int:
    """Writes the folder and says what is in it; 0."""
    from texelscope.pipeline.commands.reduce import render
    from texelscope.pipeline.reduce.reduction import ReductionRequest, reduce

    asked = ReductionRequest(options.name, options.seconds, options.any_finding)
    reduced = reduce(named_target(options), Path(options.to), asked, say=say)
    show(render(reduced, options.to))
    return 0
