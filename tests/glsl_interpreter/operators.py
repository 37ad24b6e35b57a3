"""Implements GLSL's operators on values, in 32 bits: rounded to float32 after each operation, integers wrapped."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from tests.glsl_interpreter.values import (
    GlslError,
    Value,
    as_base,
    common_base,
    each_lane,
    matrix_of,
    scalar,
    single,
    vector,
    wrapped,
)

_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = MappingProxyType(
    {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}
)


def divided(one: float, other: float) -> float:
    """Divides as IEEE does, by zero too."""
    if other != 0.0:
        return single(one / other) if math.isfinite(other) or math.isfinite(one) else math.nan
    if one == 0.0 or math.isnan(one):
        return math.nan
    return math.copysign(math.inf, one) * math.copysign(1.0, other)


def _whole_quotient(one: int, other: int) -> int:
    if other == 0:
        return -1
    quotient = abs(one) // abs(other)
    return quotient if (one < 0) == (other < 0) else -quotient


def _whole_rest(one: int, other: int) -> int:
    return one - other * _whole_quotient(one, other) if other else -1


_FLOATS: Mapping[str, Callable[[float, float], float]] = MappingProxyType(
    {
        "+": lambda one, other: single(one + other),
        "-": lambda one, other: single(one - other),
        "*": lambda one, other: single(one * other),
        "/": divided,
    }
)
_INTEGERS: Mapping[str, Callable[[int, int], int]] = MappingProxyType(
    {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "/": _whole_quotient,
        "%": _whole_rest,
        "&": operator.and_,
        "|": operator.or_,
        "^": operator.xor,
        "<<": lambda one, other: one << (other & 31),
        ">>": lambda one, other: one >> (other & 31),
    }
)


def binary(sign: str, one: Value, other: Value) -> Value:
    """`one sign other`; `&&` and `||` are the caller's, who may not need the second."""
    if sign in ("==", "!="):
        return scalar("bool", _equal(one, other) == (sign == "=="))
    if sign == "^^":
        return scalar("bool", one.number != other.number)
    base = one.base if sign in ("<<", ">>") else common_base(one.base, other.base)
    if sign not in ("<<", ">>"):
        one, other = as_base(one, base), as_base(other, base)
    if sign in _COMPARED:
        return scalar("bool", _COMPARED[sign](one.number, other.number))
    if matrix_of(one.type) != (0, 0) or matrix_of(other.type) != (0, 0):
        return _with_matrix(sign, one, other)
    if base == "float":
        return each_lane(_FLOATS[sign], base, one, other)
    if base not in ("int", "uint"):
        raise GlslError(f"'{sign}' between {one.type} and {other.type}")
    narrowed = wrapped if base == "int" else (lambda number: number % (1 << 32))
    return each_lane(lambda a, b: narrowed(_INTEGERS[sign](a, b)), base, one, other)


def unary(sign: str, value: Value) -> Value:
    """Returns `-x`, `+x`, `!x`, `~x`."""
    if sign == "+":
        return value
    if sign == "!":
        return scalar("bool", not value.number)
    if sign == "~":
        return each_lane(lambda number: ~number if value.base == "int" else number ^ 0xFFFFFFFF, value.base, value)
    negated = tuple(-number for number in value.lanes)
    if value.base == "int":
        negated = tuple(wrapped(number) for number in negated)
    if value.base == "uint":
        negated = tuple(number % (1 << 32) for number in negated)
    return Value(value.type, negated)


def _equal(one: Value, other: Value) -> bool:
    if one.base and other.base:
        base = common_base(one.base, other.base)
        return as_base(one, base).lanes == as_base(other, base).lanes
    return all(_equal(a, b) for a, b in zip(one.lanes, other.lanes, strict=True))


def total(numbers: list[float]) -> float:
    """Returns a sum in the order given, rounded at each step."""
    result = numbers[0]
    for number in numbers[1:]:
        result = single(result + number)
    return result


def _with_matrix(sign: str, one: Value, other: Value) -> Value:
    columns, rows = matrix_of(one.type)
    more_columns, more_rows = matrix_of(other.type)
    if sign != "*" or not (columns or more_columns) or 1 in (len(one.lanes), len(other.lanes)):
        name = one.type if columns else other.type
        spread = [value.lanes * 16 if len(value.lanes) == 1 else value.lanes for value in (one, other)]
        return Value(name, tuple(_FLOATS[sign](a, b) for a, b in zip(*spread, strict=False)))
    if columns and not more_columns:
        return vector("float", _transformed(one.lanes, columns, rows, other.lanes))
    if more_columns and not columns:
        lanes = [
            total([single(a * b) for a, b in zip(one.lanes, other.lanes[at * more_rows :][:more_rows], strict=True)])
            for at in range(more_columns)
        ]
        return vector("float", lanes)
    numbers: list[float] = []
    for at in range(more_columns):
        numbers += _transformed(one.lanes, columns, rows, other.lanes[at * more_rows :][:more_rows])
    suffix = str(rows) if rows == more_columns else f"{more_columns}x{rows}"
    return Value(f"mat{suffix}", tuple(numbers))


def _transformed(matrix: tuple[float, ...], columns: int, rows: int, by: tuple[float, ...]) -> list[float]:
    return [
        total([single(matrix[column * rows + row] * by[column]) for column in range(columns)]) for row in range(rows)
    ]
