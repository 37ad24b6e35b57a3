"""`export` writes snapshots of layers."""

from __future__ import annotations

import argparse
from pathlib import Path

from texelscope.arguments import add_frame, add_target, named_target
from texelscope.output import show
from texelscope.pipeline.errors import one_line

HELP = "write snapshots of layers as pictures or arrays"


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    add_target(parser)
    parser.add_argument("--to", metavar="DIR", required=True, help="folder to write to")
    parser.add_argument(
        "--pass",
        metavar="NAME",
        dest="passes",
        action="append",
        default=[],
        help="export only this pass (repeatable)",
    )
    parser.add_argument(
        "--format",
        metavar="LIST",
        default="png",
        help="formats from png, npy, npz, exr, separated by commas (default png)",
    )

    add_frame(parser)


def run(options: argparse.Namespace) -> int:
    """Writes the files; returns 0."""
    from texelscope.pipeline.export.snapshots import export
    from texelscope.pipeline.opening import open_and_run

    formats = [name.strip() for name in options.format.split(",") if name.strip()]
    with open_and_run(named_target(options), frame=options.frame) as session:
        files = export(session, Path(options.to), passes=options.passes, formats=formats)
    show(one_line(f"{len(files)} files in {options.to}"))
    return 0
