"""`extract`: the network behind an mpv user shader, as a model."""

from __future__ import annotations

import argparse
from pathlib import Path

from texelscope.arguments import add_limits, open_options
from texelscope.output import say, show

HELP = "the network whose weights are literals in an mpv shader, as an ONNX model"
DESCRIPTION = (
    "Reads convolutions, activations, sums and pixel shuffles out of the text of an mpv user shader, weights included, "
    "and writes them as an ONNX model with a tensor for each block. With --model the weights are compared with those "
    "of a model, and the first that differs is named with its line. Exit code: 0 done, 1 the weights or the structure "
    "differ, 2 it could not be read."
)


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("shader", metavar="SHADER", help="mpv user shader, .glsl or .hook")
    parser.add_argument("--to", metavar="MODEL.onnx", help="file to write the model to")
    parser.add_argument(
        "--model", metavar="FILE", help="model that the weights are from, .onnx or Keras .h5, to compare them with"
    )
    parser.add_argument(
        "--shape",
        metavar="NAME=SIZES",
        action="append",
        default=[],
        help="sizes at which the blocks run, as MAIN=1,3,360,640 and OUTPUT=1,3,720,1280",
    )
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Reads the shader, writes the model and compares; 0, or 1 where weights or structure differ."""
    from texelscope.pipeline.commands.extract import described, extracted, write
    from texelscope.pipeline.dialects.mpv.weights.comparison import compared

    network = extracted(Path(options.shader), open_options(options))
    for each in network.left_out:
        say(str(each.error))
    if options.to is not None:
        write(network, Path(options.to))
    show(described(network))
    if options.model is None:
        return 0
    comparison = compared(network, Path(options.model))
    show(comparison.text())
    return 0 if comparison.is_same else 1
