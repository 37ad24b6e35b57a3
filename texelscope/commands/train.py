"""`train`: a model learns in the window, or without one for so many steps."""

from __future__ import annotations

import argparse
from pathlib import Path

from texelscope.arguments import add_target, demo, has_display, named_target
from texelscope.output import show
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.target import Target
from texelscope.pipeline.training.request import OPTIMISER_NAMES, TrainingRequest

HELP = "a model learns: in the window, step by step, or --steps of it without one"
DESCRIPTION = (
    "Trains a model on the GPU: forward, loss, backward and update are passes, which the window shows, compares and "
    "diagnoses. With --steps nothing is opened: the loss of each step is printed, and --to writes the model. "
    "Exit code: 0 trained, 2 it could not be, or the loss became NaN or infinite: the line names the first such "
    "pass and element."
)


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    usual = TrainingRequest()
    add_target(parser, ".onnx file")
    parser.add_argument(
        "--data", metavar="DIR", default="",
        help="examples: NAME.png beside NAME.target.png (or .npy), a folder for each class, or rows: NAME.npy of each "
        "input and target.npy",
    )  # fmt: skip
    parser.add_argument(
        "--goal", metavar="SOURCE", default=usual.target,
        help=f"without --data, what the output is to become: picture, .npy file or pattern (default {usual.target})",
    )  # fmt: skip
    parser.add_argument("--loss", default=usual.loss, help=f"mse, mae or cross_entropy (default {usual.loss})")
    parser.add_argument(
        "--optimiser", choices=OPTIMISER_NAMES, default=usual.optimiser, help=f"default {usual.optimiser}"
    )
    parser.add_argument("--rate", metavar="R", type=_rate, default=usual.rate, help=f"default {usual.rate:g}")
    parser.add_argument(
        "--weights", metavar="PREFIX", action="append", default=[],
        help="which weights are learned, by name or how they begin; * for all (repeatable; default: the last layer's)",
    )  # fmt: skip
    parser.add_argument("--steps", metavar="N", type=_count, help="train so many steps without a window")
    parser.add_argument("--to", metavar="MODEL.onnx", help="with --steps: write the trained model to this file")


def run(options: argparse.Namespace) -> int:
    """Opens the window, or trains without one."""
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
    if not has_display():
        raise TexelscopeError("train", "a display, or --steps", "neither", "Say how many steps: --steps 100.")
    from texelscope.viewer.allocator import keep_large_apart, share_one_pool

    share_one_pool()  # before there are threads to share it
    keep_large_apart()
    from texelscope.viewer.window import open_window

    return open_window(target, demo=demo(), sent=(("train", {"asked": asked, "starts": True}),))


def _rate(text: str) -> float:
    """A number above 0, for argparse."""
    value = float(text)
    if not 0.0 < value < float("inf"):
        raise ValueError
    return value


def _count(text: str) -> int:
    """A number of steps, for argparse."""
    value = int(text)
    if value < 0:
        raise ValueError
    return value
