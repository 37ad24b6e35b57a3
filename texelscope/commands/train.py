"""`train` trains a model in the window, or without one for a number of steps."""

from __future__ import annotations

import argparse
from pathlib import Path

from texelscope.arguments import add_target, demo, named_target
from texelscope.output import show
from texelscope.pipeline.display import display
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.target import Target
from texelscope.pipeline.training.request import OPTIMISER_NAMES, TrainingRequest

HELP = "train a model: step by step in the window, or for --steps without a window"
DESCRIPTION = (
    "Trains a model on the GPU: forward, loss, backward and update are passes, which the window shows, compares and "
    "diagnoses. With --steps no window opens: the loss of each step is printed, and --to writes the model. "
    "Exit code: 0 trained; 2 it could not be trained, or the loss became NaN or infinite (the error names the first "
    "such pass and element)."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    usual = TrainingRequest()
    add_target(parser, ".onnx file")
    parser.add_argument(
        "--data", metavar="DIR", default="",
        help="examples: NAME.png beside NAME.target.png (or .npy), a folder for each class, or rows: NAME.npy of each "
        "input and target.npy",
    )  # fmt: skip
    parser.add_argument(
        "--goal", metavar="SOURCE", default=usual.target,
        help=f"without --data, the desired output: picture, .npy file or pattern (default {usual.target})",
    )  # fmt: skip
    parser.add_argument("--loss", default=usual.loss, help=f"loss: mse, mae or cross_entropy (default {usual.loss})")
    parser.add_argument(
        "--optimiser", choices=OPTIMISER_NAMES, default=usual.optimiser, help=f"update rule (default {usual.optimiser})"
    )
    parser.add_argument("--rate", metavar="R", type=_rate, default=usual.rate, help=f"step (default {usual.rate:g})")
    parser.add_argument(
        "--weights", metavar="PREFIX", action="append", default=[],
        help="train weights with this name or prefix; * for all (repeatable; default: the last layer's)",
    )  # fmt: skip
    parser.add_argument("--steps", metavar="N", type=_count, help="train this many steps without a window")
    parser.add_argument("--to", metavar="MODEL.onnx", help="with --steps: write the trained model to this file")


def run(options: argparse.Namespace) -> int:
    """Opens the window, or trains without one; returns the exit code."""
    asked = TrainingRequest(
        options.data, options.goal, ",".join(options.weights), options.loss, options.optimiser, options.rate
    )
    target = named_target(options)
    if options.steps is not None:
        from texelscope.pipeline.commands.train import train

        train(target, asked, options.steps, Path(options.to) if options.to is not None else None, show)
        return 0
    if options.to is not None:
        raise TexelscopeError("--to", "--steps with it", "a window, which saves itself", "Say how many steps.")
    return _in_window(target, asked)


def _in_window(target: Target, asked: TrainingRequest) -> int:
    if not display().name:
        raise TexelscopeError("train", "a display, or --steps", "neither", "Say how many steps: --steps 100.")
    from texelscope.viewer.allocator import keep_large_apart, share_one_pool

    share_one_pool()  # before there are threads to share it
    keep_large_apart()
    from texelscope.viewer.window import open_window

    return open_window(target, demo=demo(), sent=(("train", {"asked": asked, "starts": True}),))


def _rate(text: str) -> float:
    """Parses a number above 0, for argparse."""
    value = float(text)
    if not 0.0 < value < float("inf"):
        raise ValueError
    return value


def _count(text: str) -> int:
    """Parses a number of steps, for argparse."""
    value = int(text)
    if value < 0:
        raise ValueError
    return value
