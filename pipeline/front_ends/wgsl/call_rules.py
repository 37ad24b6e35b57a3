"""Says what a built-in function of WGSL is to the writer of calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from texelscope.pipeline.front_ends.wgsl.syntax import Call
from texelscope.pipeline.front_ends.wgsl.types import Scalar, Type
from texelscope.pipeline.glsl.authored.refused import AuthorTextError

if TYPE_CHECKING:
    from texelscope.pipeline.front_ends.wgsl.expressions import Expressions

TypeOf = Callable[["Expressions", Call], Type]
Text = Callable[["Expressions", Call, Scalar | None], str]


@dataclass(frozen=True)
class BuiltIn:
    """A built-in function: the type of its result, and its call in GLSL."""

    type_of: TypeOf
    text: Text


def check_count(node: Call, least: int, most: int | None = None) -> None:
    """Raises AuthorTextError for a call with less arguments, or more; `most` is `least` without another."""
    most = least if most is None else most
    if not least <= len(node.arguments) <= most:
        count = f"{least}" if least == most else f"{least} to {most}"
        plural = "" if count == "1" else "s"
        got = f"{len(node.arguments)}"
        raise AuthorTextError(node.row, f"{count} argument{plural} of {node.callee.name}()", got, "Correct the call.")
