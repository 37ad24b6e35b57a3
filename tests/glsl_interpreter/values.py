"""GLSL values: numbers as a driver has them, 32 bits wide, and what their types say."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

SCALARS = ("float", "int", "uint", "bool")
_VECTOR = re.compile(r"([iub]?)vec([234])")
_MATRIX = re.compile(r"mat([234])(?:x([234]))?")
_BASE = {"": "float", "i": "int", "u": "uint", "b": "bool"}
_PREFIX = {base: letter for letter, base in _BASE.items()}


class GlslError(Exception):
    """Text that this interpreter does not know."""


@dataclass(frozen=True)
class Value:
    """`lanes` are numbers (of a matrix column by column); of an array or a struct they are values.

    `names` are those of a struct's members.
    """

    type: str
    lanes: tuple[Any, ...]
    names: tuple[str, ...] = ()

    @property
    def base(self) -> str:
        """The type of its numbers."""
        return base_of(self.type)

    @property
    def number(self) -> Any:
        """Returns the number of a scalar."""
        return self.lanes[0]


def base_of(name: str) -> str:
    """`float` of `vec3`, `int` of `ivec2`; empty for arrays and structs."""
    if name in SCALARS:
        return name
    if vector := _VECTOR.fullmatch(name):
        return _BASE[vector[1]]
    return "float" if _MATRIX.fullmatch(name) else ""


def lanes_of(name: str) -> int:
    """Counts the numbers of a scalar, vector or matrix; 0 for anything else."""
    if name in SCALARS:
        return 1
    if vector := _VECTOR.fullmatch(name):
        return int(vector[2])
    columns, rows = matrix_of(name)
    return columns * rows


def matrix_of(name: str) -> tuple[int, int]:
    """Returns columns and rows of a matrix type; (0, 0) for others."""
    found = _MATRIX.fullmatch(name)
    return (int(found[1]), int(found[2] or found[1])) if found else (0, 0)


def vector_type(base: str, lanes: int) -> str:
    """Returns `vec3` of `float` and 3, `int` of `int` and 1."""
    return base if lanes == 1 else f"{_PREFIX[base]}vec{lanes}"


def single(number: float) -> float:
    """Returns the float32 next to a number."""
    return float(ctypes.c_float(number).value)


def wrapped(number: int) -> int:
    """Wraps to int32."""
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def converted(base: str, number: Any) -> Any:
    """A number as one of another type, as a constructor does it."""
    if base == "bool":
        return number != 0
    if base == "float":
        return single(float(number))
    whole = int(number) if not isinstance(number, float) or math.isfinite(number) else 0
    return wrapped(whole) if base == "int" else whole % (1 << 32)


def scalar(base: str, number: Any) -> Value:
    """Returns one number."""
    return Value(base, (number,))


def vector(base: str, numbers: Sequence[Any]) -> Value:
    """Returns a scalar or a vector."""
    return Value(vector_type(base, len(numbers)), tuple(numbers))


def common_base(one: str, other: str) -> str:
    """Returns the type that both become before they meet in an operator: int -> uint -> float."""
    order = ("bool", "int", "uint", "float")
    return max(one, other, key=order.index)


def as_base(value: Value, base: str) -> Value:
    """Returns the value with numbers of another type."""
    if value.base == base or not value.base:
        return value
    columns, _ = matrix_of(value.type)
    name = value.type if columns else vector_type(base, len(value.lanes))
    return Value(name, tuple(converted(base, number) for number in value.lanes))


def as_type(value: Value, name: str) -> Value:
    """Converts implicitly for a variable of the type `name`."""
    base = base_of(name)
    if value.type == name or not base:
        return value
    if lanes_of(name) != len(value.lanes):
        raise GlslError(f"a {value.type} for a {name}")
    return Value(name, tuple(converted(base, number) for number in value.lanes))


def each_lane(function: Callable[..., Any], base: str, *values: Value) -> Value:
    """`function` lane by lane; what has one lane is used for all."""
    count = max(len(value.lanes) for value in values)
    spread = [value.lanes * count if len(value.lanes) == 1 else value.lanes for value in values]
    return vector(base, [function(*numbers) for numbers in zip(*spread, strict=True)])
