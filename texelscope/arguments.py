"""Arguments that several commands share: what to open, and how."""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
from typing import get_args

from texelscope.output import say
from texelscope.pipeline.installation import SHIPPED
from texelscope.pipeline.plan import Backend
from texelscope.pipeline.target import DEFAULT_LAYOUT, DEFAULT_PRECISION, OpenOptions, Target

DEMO = SHIPPED / "examples" / "facades"
DEMO_MODEL = DEMO / "facades.onnx"


def add_target(parser: argparse.ArgumentParser, kinds: str = ".onnx file or pipeline.toml") -> None:
    """What to open, its inputs and how to open it."""
    add_what(parser, kinds)
    add_open_options(parser)


def add_what(parser: argparse.ArgumentParser, kinds: str) -> None:
    """What to open, its inputs and whether to trust it."""
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
    """How much a file may ask for, see `pipeline.quotas`."""
    parser.add_argument(
        "--limit",
        metavar="NAME=NUMBER",
        action="append",
        default=[],
        help="how much the target may ask for, as nodes=200000 (repeatable); docs/limits.md has the names",
    )
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=seconds,
        help="end what takes longer (default: docs/limits.md has a time for each phase); in the window, for each phase",
    )


def add_open_options(parser: argparse.ArgumentParser) -> None:
    """How to open a target."""
    parser.add_argument(
        "--shape",
        metavar="NAME=SIZES",
        action="append",
        default=[],
        help="shape of an input with free dimensions, or of a tensor that the model does not tell, as x=1,3,128,128",
    )
    parser.add_argument("--layout", default=DEFAULT_LAYOUT, help=f"layout of activations (default {DEFAULT_LAYOUT})")
    parser.add_argument(
        "--precision", choices=("float32", "float16"), default=DEFAULT_PRECISION, help="storage of tensors"
    )
    parser.add_argument(
        "--backend",
        choices=get_args(Backend),
        default="auto",
        help="whether draws (fragment) or dispatches (compute) compute a model's passes; auto takes what is faster",
    )
    parser.add_argument(
        "--convention",
        metavar="OPERATOR=NAME",
        action="append",
        default=[],
        help="whose definition of an operator holds, such as LRN=tensorflow; 'list' shows the names",
    )
    parser.add_argument(
        "--oracle",
        metavar="FILE",
        default="",
        help="what says what is right of an mpv shader: a model, or the shader as it was (default: its own network)",
    )
    parser.add_argument(
        "--gradients",
        metavar="TENSOR",
        default="",
        help="of a model: the backward passes too, for the gradients of this float tensor (a loss; of more than one "
        "element: of their sum)",
    )
    parser.add_argument(
        "--wrt",
        metavar="TENSOR",
        action="append",
        default=[],
        help="what the gradients are with respect to (repeatable; default: every float input and weight)",
    )
    group = parser.add_argument_group("shaders of ncnn (.comp)")
    group.add_argument("--mode", metavar="MODE", help="fp32 (default), fp16_packed, fp16_storage, …; see docs/ncnn.md")
    group.add_argument("--pack", choices=("1", "4", "8"), help="elempack: the file of the same layer for it")
    group.add_argument(
        "--param",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="parameter of the layer, such as channels=32, kernel_w=5; layer=relu says which layer a file is of",
    )


def seconds(text: str) -> float:
    """A time that is not negative, for argparse."""
    value = float(text)
    if not 0.0 <= value < float("inf"):
        raise ValueError
    return value


def runs(text: str) -> int:
    """A number of runs, two at least, for argparse."""
    value = int(text)
    if value < 2:
        raise ValueError
    return value


def has_display() -> bool:
    """Whether a window can be opened here."""
    return not sys.platform.startswith("linux") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def demo(options: OpenOptions | None = None) -> Target:
    """The bundled network on one of its pictures."""
    picture = sorted((DEMO / "inputs").glob("*.png"))[0]
    return Target(str(DEMO_MODEL), options or OpenOptions(), {"labels": str(picture)})


def named_target(arguments: argparse.Namespace) -> Target:
    """As `target_of`, and says so if it is the demo: an empty variable in a script must not pass for its model."""
    if arguments.target is None:
        say_demo("TARGET")
    return target_of(arguments)


def say_demo(missing: str) -> None:
    """Says that the bundled demo stands in for the argument that is missing."""
    say(f"no {missing} is given: this is the bundled demo.")


def target_of(arguments: argparse.Namespace) -> Target:
    """What the arguments name; without a target the demo."""
    from texelscope.pipeline.commands.arguments import parse_inputs

    inputs, options = parse_inputs(arguments.input), open_options(arguments)
    if arguments.target is not None:
        return Target(arguments.target, options, inputs)
    bundled = demo(options)
    return dataclasses.replace(bundled, inputs=inputs or bundled.inputs)


def open_options(arguments: argparse.Namespace) -> OpenOptions:
    """What the arguments say of how to open; `eject` runs nothing and has no --trust."""
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
