"""`eject`: a model's plan as a folder of shaders."""

from __future__ import annotations

import argparse
from pathlib import Path

from texelscope.arguments import DEMO_MODEL, add_limits, add_open_options, open_options, say_demo
from texelscope.output import show
from texelscope.pipeline.errors import one_line

HELP = "a model's plan as a folder: pipeline.toml, shaders, weights"


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("model", metavar="MODEL", nargs="?", help=".onnx file (default: the bundled demo's)")
    parser.add_argument("--to", metavar="DIR", required=True, help="new or empty folder to write to")
    add_limits(parser)
    add_open_options(parser)


def run(options: argparse.Namespace) -> int:
    """Writes the folder; 0."""
    from texelscope.pipeline.export.eject import eject

    if options.model is None:
        say_demo("MODEL")
    model = DEMO_MODEL if options.model is None else options.model
    files = eject(model, Path(options.to), open_options(options))
    show(one_line(f"{len(files)} files in {options.to}; open {files[0]}"))
    return 0
