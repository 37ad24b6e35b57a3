"""Says what a built-in function of WGSL is to the writer of calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.wgsl.expression_writer import ExpressionWriter
from texelscope.pipeline.wgsl.syntax import CallNode
from texelscope.pipeline.wgsl.types import ScalarType, Type

TypeOf = Callable[[ExpressionWriter, CallNode], Type]
Text = Callable[[ExpressionWriter, CallNode, ScalarType | None], str]


@dataclass(frozen=True)
class BuiltIn:
    """Describes a built-in function: the type of its result, and its call in GLSL."""

    type_of: TypeOf
    text: Text


def check_count(node: CallNode, least: int, most: int | None = None) -> None:
    """Raises AuthorTextError for a call with less arguments, or more; `most` is `least` without another."""
    most = least if most is None else most
    if not least <= len(node.arguments) <= most:
        count = f"{least}" if least == most else f"{least} to {most}"
        plural = "" if count == "1" else "s"
        got = f"{len(node.arguments)}"
        raise AuthorTextError(node.row, f"{count} argument{plural} of {node.callee.name}()", got, "Correct the call.")
