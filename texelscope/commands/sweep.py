"""`sweep` finds the size, layouts and precisions at which a pass becomes wrong."""

from __future__ import annotations

import argparse
from pathlib import Path

from texelscope.arguments import add_what, named_target, seconds, whole
from texelscope.output import say, show, write_text

HELP = "find the smallest size, the layouts, precisions and devices at which a pass becomes wrong"
DESCRIPTION = (
    "Runs and compares the target at many sizes. Braces in a shape list them: {16..512} is every size between, "
    "{32..512..32} every 32nd of them, {64,96,100} just these. Braces with the same text move together, as in "
    "'image=1,3,{16..512},{16..512}'; different braces, as in {16..512},{8..256}, first grow together and then shrink "
    "one by one. The ends and powers of two run first; then the range between the last right size and the first wrong "
    "size is bisected. Quote braces for the shell. Exit code: 0 nothing is wrong; 1 something is wrong; 2 nothing ran."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    add_what(parser, ".onnx file or pipeline.toml")
    parser.add_argument(
        "--shape", metavar="NAME=SIZES", action="append", default=[], help="sizes of an input, with braces for ranges"
    )
    parser.add_argument("--layout", default="auto", metavar="LIST", help="layouts separated by commas, or all")
    parser.add_argument("--precision", default="float32", metavar="LIST", help="float32, float16, or all")
    parser.add_argument("--device", default="0", metavar="LIST", help="numbers of GL devices, with commas, or all")
    parser.add_argument("--seconds", type=seconds, default=300.0, metavar="S", help="time for the sweep (default 300)")
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=whole,
        default=1,
        help="go through N layouts, precisions or devices at once, each in its own process (default 1)",
    )
    parser.add_argument("--json", metavar="FILE", help="write all results as JSON")
    parser.add_argument("--plot", metavar="FILE", help="draw the results, .svg or .png")


def run(options: argparse.Namespace) -> int:
    """Prints the table; returns the exit code."""
    from texelscope.pipeline.sweep.braces import parse
    from texelscope.pipeline.sweep.picture import check_suffix, save_picture
    from texelscope.pipeline.sweep.sweeping import Space, devices_of, exit_code, layouts_of, precisions_of, sweep
    from texelscope.pipeline.sweep.text import as_json, render

    shapes, braces = parse(options.shape)
    space = Space(
        shapes, braces, layouts_of(options.layout), precisions_of(options.precision), devices_of(options.device)
    )
    if options.plot is not None:
        check_suffix(Path(options.plot))
    # The sweep chooses the options of the target anew for each run.
    options.shape, options.layout, options.precision = [], space.layouts[0], space.precisions[0]
    found = sweep(named_target(options), space, seconds=options.seconds, say=say, jobs=options.jobs)
    if options.json is not None:
        write_text(options.json, as_json(found) + "\n")
    if options.plot is not None:
        save_picture(found, Path(options.plot))
    if options.json != "-":
        show(render(found))
    return exit_code(found)
