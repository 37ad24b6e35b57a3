"""Adds the arguments that several commands share: what to open, and how."""

from __future__ import annotations

import argparse
import dataclasses
from typing import get_args

from texelscope.output import say
from texelscope.pipeline.installation import SHIPPED
from texelscope.pipeline.plan import Backend
from texelscope.pipeline.target import DEFAULT_LAYOUT, DEFAULT_PRECISION, OpenOptions, Target

DEMO = SHIPPED / "examples" / "facades"
DEMO_MODEL = DEMO / "facades.onnx"


def add_target(parser: argparse.ArgumentParser, kinds: str = ".onnx file or pipeline.toml") -> None:
    """Adds what to open, its inputs and how to open it."""
    add_what(parser, kinds)
    add_open_options(parser)


def add_what(parser: argparse.ArgumentParser, kinds: str) -> None:
    """Adds what to open, its inputs and whether to trust it."""
    parser.add_argument("target", metavar="TARGET", nargs="?", help=f"{kinds} (default: the bundled demo)")
    parser.add_argument(
        "--input",
        metavar="NAME=SOURCE",
        action="append",
        default=[],
        help="picture, .npy file or pattern (random:7, ramp, checker …) for an input; default random:0",
    )
    parser.add_argument("--trust", action="store_true", help="run the Python of a pipeline's oracle file")
    add_limits(parser)


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Adds the limits on what a file may use, see `pipeline.quotas`."""
    parser.add_argument(
        "--limit",
        metavar="NAME=NUMBER",
        action="append",
        default=[],
        help="the most that the target may use, such as nodes=200000 (repeatable); docs/limits.md lists the names",
    )
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=seconds,
        help="stop after this time (default: a time for each phase, see docs/limits.md); in the window, for each phase",
    )


def add_open_options(parser: argparse.ArgumentParser) -> None:
    """Adds how to open a target."""
    parser.add_argument(
        "--shape",
        metavar="NAME=SIZES",
        action="append",
        default=[],
        help="shape of an input with free dimensions, or of a tensor whose shape the model lacks: x=1,3,128,128",
    )
    parser.add_argument("--layout", default=DEFAULT_LAYOUT, help=f"layout of activations (default {DEFAULT_LAYOUT})")
    parser.add_argument(
        "--precision", choices=("float32", "float16"), default=DEFAULT_PRECISION, help="storage of tensors"
    )
    parser.add_argument(
        "--backend",
        choices=get_args(Backend),
        default="auto",
        help="run a model's passes as draws (fragment) or dispatches (compute); auto: what is usually faster",
    )
    parser.add_argument(
        "--convention",
        metavar="OPERATOR=NAME",
        action="append",
        default=[],
        help="use this framework's definition of an operator, such as LRN=tensorflow; 'list' shows the names",
    )
    parser.add_argument(
        "--oracle",
        metavar="FILE",
        default="",
        help="reference for an mpv shader: a model, or the original shader (default: the shader's own network); "
        "for a recording of WebGL: a model, or a table of its textures",
    )
    parser.add_argument(
        "--gradients",
        metavar="TENSOR",
        default="",
        help="add a model's backward passes, for the gradients of this float tensor (a loss; of several "
        "elements, their sum)",
    )
    parser.add_argument(
        "--wrt",
        metavar="TENSOR",
        action="append",
        default=[],
        help="differentiate with respect to this tensor (repeatable; default: every float input and weight)",
    )
    group = parser.add_argument_group("shaders of ncnn (.comp) and mpv (.glsl, .hook)")
    group.add_argument("--mode", metavar="MODE", help="fp32 (default), fp16_packed, fp16_storage, …; see docs/ncnn.md")
    group.add_argument("--pack", choices=("1", "4", "8"), help="elempack: opens the layer's file for this pack")
    group.add_argument(
        "--param",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="parameter of the layer, such as channels=32, kernel_w=5; layer=relu names the layer of a file; of an mpv "
        "shader one of its //!PARAM",
    )


def seconds(text: str) -> float:
    """Parses a time that is not negative, for argparse."""
    value = float(text)
    if not 0.0 <= value < float("inf"):
        raise ValueError
    return value


def whole(text: str) -> int:
    """Parses a whole number from 1 on, for argparse."""
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def frame(text: str) -> int:
    """Parses the number of a frame, from 0 on, for argparse."""
    value = int(text)
    if value < 0:
        raise ValueError
    return value


def add_frame(parser: argparse.ArgumentParser) -> None:
    """Adds the argument that chooses a frame."""
    parser.add_argument("--frame", metavar="K", type=frame, help="run a pipeline file up to this frame, from 0 on")


def runs(text: str) -> int:
    """Parses a number of runs, at least two, for argparse."""
    value = int(text)
    if value < 2:
        raise ValueError
    return value


def demo(options: OpenOptions | None = None) -> Target:
    """Returns the bundled network on one of its pictures."""
    picture = sorted((DEMO / "inputs").glob("*.png"))[0]
    return Target(str(DEMO_MODEL), options or OpenOptions(), {"labels": str(picture)})


def named_target(arguments: argparse.Namespace) -> Target:
    """Returns `target_of`, and reports the demo: an empty variable in a script must not pass for its model.

    A shader without a pipeline file gets the layouts in which it matches its model, which are tried.
    """
    if arguments.target is None:
        say_demo("TARGET")
    target = target_of(arguments)
    if not (target.options.oracle or target.options.dialect):
        return target
    from texelscope.pipeline.draft_writing.settling import settled

    target, found = settled(target)
    if found.doubt:
        say(found.doubt)
    return target


def say_demo(missing: str) -> None:
    """Reports that the bundled demo replaces the missing argument."""
    say(f"no {missing} is given: this is the bundled demo.")


def target_of(arguments: argparse.Namespace) -> Target:
    """Returns the target that the arguments name, or the demo."""
    from texelscope.pipeline.commands.arguments import parse_inputs

    inputs, options = parse_inputs(arguments.input), open_options(arguments)
    if arguments.target is not None:
        if options.backend != "auto":
            from texelscope.pipeline.importers.registry import check_backend

            check_backend(arguments.target, options.backend)
        return Target(arguments.target, options, inputs)
    bundled = demo(options)
    return dataclasses.replace(bundled, inputs=inputs or bundled.inputs)


def open_options(arguments: argparse.Namespace) -> OpenOptions:
    """Returns the arguments' options for opening; `eject` runs nothing and has no --trust."""
    from texelscope.pipeline.commands.arguments import parse_conventions, parse_dialect, parse_shapes

    return OpenOptions(
        getattr(arguments, "layout", DEFAULT_LAYOUT),
        getattr(arguments, "precision", DEFAULT_PRECISION),
        parse_shapes(arguments.shape),
        getattr(arguments, "trust", False),
        parse_conventions(getattr(arguments, "convention", [])),
        backend=getattr(arguments, "backend", "auto"),
        oracle=getattr(arguments, "oracle", ""),
        dialect=parse_dialect(
            getattr(arguments, "param", []),
            mode=getattr(arguments, "mode", None),
            pack=getattr(arguments, "pack", None),
        ),
        gradients=getattr(arguments, "gradients", ""),
        wrt=tuple(getattr(arguments, "wrt", [])),
    )
