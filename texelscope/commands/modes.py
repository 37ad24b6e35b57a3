"""`modes` runs one shader in every mode and pack side by side."""

from __future__ import annotations

import argparse
import sys

from texelscope.arguments import add_what, named_target
from texelscope.output import say, show, write_text

HELP = "run a shader of ncnn in every mode and pack, to see which of them are wrong"
DESCRIPTION = (
    "Opens the .comp file, and the same layer's files for other packs beside it, in every mode of ncnn, runs and "
    "compares each, and prints the error divided by the rounding bound of the mode's storage. Exit code: 0 none is "
    "wrong; 1 one is wrong; 2 none ran."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    add_what(parser, ".comp file")
    parser.add_argument(
        "--param", metavar="NAME=VALUE", action="append", default=[], help="parameter of the layer, such as channels=32"
    )
    parser.add_argument("--json", metavar="FILE", help="write the table as JSON")


def run(options: argparse.Namespace) -> int:
    """Prints the table; returns the exit code."""
    from texelscope.pipeline.modes.table import as_json, render
    from texelscope.pipeline.modes.tabulating import tabulate

    options.shape, options.layout, options.precision = [], "auto", "float32"
    table = tabulate(named_target(options), _say)
    if options.json is not None:
        write_text(options.json, as_json(table) + "\n")
    if options.json != "-":
        show(render(table))
    if not any(cell.ratio is not None for cell in table.cells):
        return 2
    return int(any(cell.is_wrong for cell in table.cells))


def _say(line: str) -> None:
    if sys.stderr.isatty():
        say(line)
