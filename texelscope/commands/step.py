"""`step`: what the fragment of one texel did, line by line."""

from __future__ import annotations

import argparse

from texelscope.arguments import add_target, named_target
from texelscope.output import show, terminal_width, write_text

HELP = "step through the fragment of one texel: each line, what it assigned, what it read, how it branched"
DESCRIPTION = (
    "Runs the pass for one texel and tells every statement in the order in which the driver ran it, with the turns of "
    "the loops around it. A long trace is told from its beginning; --window tells another part. Exit code: 0 told, "
    "2 it could not be."
)


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_target(parser)
    parser.add_argument("--pass", dest="pass_name", metavar="NAME", required=True, help="the pass")
    parser.add_argument("--texel", metavar="X,Y", required=True, help="column and row in the pass's texture, from 0")
    parser.add_argument(
        "--lane", metavar="N", default="0", help="which of a texel's lanes, where they are computed one by one (0)"
    )
    parser.add_argument("--window", metavar="A:B", help="the steps from A on and before B, in place of the first ones")
    parser.add_argument(
        "--watch", metavar="EXPR", action="append", default=[], help="GLSL, told before each line that knows its names"
    )
    parser.add_argument("--json", metavar="FILE", help="write the trace as JSON, in place of the table")


def run(options: argparse.Namespace) -> int:
    """Prints or writes the trace."""
    from texelscope.pipeline.commands.step import asked_for, render, stepped

    asked = asked_for(options.pass_name, options.texel, options.lane, options.window, options.watch)
    trace, plan = stepped(named_target(options), asked)
    if options.json is None:
        show(render(trace, plan, terminal_width()))
    else:
        write_text(options.json, trace.to_json() + "\n")
    return 0
