"""`step` traces the fragment of one texel, or an invocation of a compute shader, line by line."""

from __future__ import annotations

import argparse

from texelscope.arguments import add_frame, add_target, named_target
from texelscope.output import show, terminal_width, write_text

HELP = "step through one fragment or invocation: each line, what it assigned, what it read, how it branched"
DESCRIPTION = (
    "Runs the pass for one texel and prints every statement in the order in which the driver ran it, with the "
    "iterations of the loops around it. Of a compute shader it is the invocation that writes the texel. A long trace "
    "is cut after its beginning; --window prints another part. Exit code: 0 traced; 2 not possible."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    add_target(parser)
    parser.add_argument("--pass", dest="pass_name", metavar="NAME", required=True, help="the pass to trace")
    parser.add_argument("--texel", metavar="X,Y", help="column and row in the pass's texture, from 0")
    parser.add_argument(
        "--invocation", metavar="X,Y,Z", help="of a compute shader, instead of a texel: gl_GlobalInvocationID"
    )
    parser.add_argument(
        "--lane", metavar="N", default="0", help="the lane of the texel, if lanes are computed separately (default 0)"
    )
    parser.add_argument("--window", metavar="A:B", help="print steps A up to but not including B instead of the first")
    parser.add_argument(
        "--watch", metavar="EXPR", action="append", default=[], help="GLSL to print before lines that know its names"
    )
    add_frame(parser)
    parser.add_argument("--json", metavar="FILE", help="write the trace as JSON instead of a table")


def run(options: argparse.Namespace) -> int:
    """Prints or writes the trace; returns 0."""
    from texelscope.pipeline.commands.step import asked_for, render, stepped

    asked = asked_for(options.pass_name, options.texel, options.lane, options.window, options.watch, options.invocation)
    trace, plan = stepped(named_target(options), asked, options.frame)
    if options.json is None:
        show(render(trace, plan, terminal_width(), asked.pass_name))
    else:
        write_text(options.json, trace.to_json() + "\n")
    return 0
