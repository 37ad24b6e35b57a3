"""`train`: a model learns from arrays in a folder, every step a run of passes."""

from __future__ import annotations

import argparse
from pathlib import Path

from pipeline.target import DEFAULT_LAYOUT
from texelscope.arguments import add_limits, open_options
from texelscope.output import say, show

HELP = "train a model, or some of its weights, on arrays in a folder"
DESCRIPTION = (
    "Runs forward, loss, backward and update as passes, so many steps, and writes the model with its new weights. DIR "
    "holds an array NAME.npy for each input of the model, and target.npy, rows first; a step takes as many rows as the "
    "model does, in order, round and round. Findings tell of gradients that vanish or explode, of dead Relus, and of "
    "layers that do not learn. Exit code: 0 trained, 2 it could not be, or the loss became NaN or infinite: the line "
    "names the pass and the element that were the first."
)


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("model", metavar="MODEL.onnx", help="model to train")
    parser.add_argument(
        "--data", metavar="DIR", required=True, help="folder with NAME.npy of each input and target.npy"
    )
    parser.add_argument("--to", metavar="MODEL.onnx", required=True, help="file to write the trained model to")
    parser.add_argument(
        "--loss", choices=("mse", "mae", "cross_entropy"), default="mse", help="cross_entropy is of class numbers"
    )
    parser.add_argument("--optimiser", choices=("sgd", "adam", "adamw"), default="adam", help="sgd has momentum 0.9")
    parser.add_argument("--rate", type=rate, default=1e-3, metavar="R", help="rate of the optimiser (default 0.001)")
    parser.add_argument("--steps", type=steps, default=100, metavar="N", help="how many steps (default 100)")
    parser.add_argument(
        "--weights",
        metavar="NAME",
        action="append",
        default=[],
        help="what is trained, as head.weight or head.* for all that begin so (repeatable; default: all weights)",
    )
    parser.add_argument(
        "--shape", metavar="NAME=SIZES", action="append", default=[], help="shape of an input, as x=8,3"
    )
    parser.add_argument("--layout", default=DEFAULT_LAYOUT, help=f"layout of tensors (default {DEFAULT_LAYOUT})")
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Trains, writes the model and says what became of the loss; 0."""
    from pipeline.commands.train import Training, train

    asked = Training(
        Path(options.model), Path(options.data), options.loss, options.optimiser, options.rate, options.steps,
        tuple(options.weights),
    )  # fmt: skip
    show(train(asked, Path(options.to), open_options(options), say))
    return 0


def rate(text: str) -> float:
    """A rate above zero, for argparse."""
    value = float(text)
    if not 0.0 < value < float("inf"):
        raise ValueError
    return value


def steps(text: str) -> int:
    """A number of steps, for argparse."""
    value = int(text)
    if value < 1:
        raise ValueError
    return value
