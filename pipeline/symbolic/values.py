"""Values by GLSL's types: conversions, constructors, parts of a value, and variables without a value."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from texelscope.pipeline.symbolic.terms import MatrixValue, SymbolicTerm, called, single, wrapped

_VECTOR = re.compile(r"([iub]?)vec([234])")
_MATRIX = re.compile(r"mat([234])(?:x([234]))?")
_SCALARS = {"": "float", "i": "int", "u": "uint", "b": "bool"}
LANES = {letter: at for letters in ("xyzw", "rgba", "stpq") for at, letter in enumerate(letters)}
_BLANK: Mapping[str, Any] = {"float": 0.0, "int": 0, "uint": 0, "bool": False}
# By the name of a structure its members: type, name and the sizes of an array.
Structures = Mapping[str, Sequence[tuple[str, str, tuple[int, ...]]]]
# An index, or the letters of a swizzle, or a member.
Part = int | str


class UnknownTextError(Exception):
    """Text that a symbolic run does not know."""


def scalar_type(kind: str) -> tuple[str, int]:
    """Returns the scalar type of a scalar or a vector, and its lanes; ("", 0) for other types."""
    if kind in _BLANK:
        return kind, 1
    found = _VECTOR.fullmatch(kind)
    return (_SCALARS[found[1]], int(found[2])) if found else ("", 0)


def matrix_size(kind: str) -> tuple[int, int]:
    """Returns columns and rows of a matrix type; (0, 0) for other types."""
    found = _MATRIX.fullmatch(kind)
    return (int(found[1]), int(found[2] or found[1])) if found else (0, 0)


def _to_int(number: Any) -> int:
    return wrapped(int(number)) if math.isfinite(number) else 0


_CONVERSIONS: Mapping[str, Callable[[Any], Any]] = {
    "float": lambda number: single(float(number)),
    "int": _to_int,
    "uint": lambda number: (int(number) if math.isfinite(number) else 0) % (1 << 32),
    "bool": lambda number: number != 0,
}


def as_scalar(scalar: str, number: Any, row: int) -> Any:
    """Returns a number as another scalar type."""
    if type(number) is SymbolicTerm:
        if scalar == "float" and isinstance(number.value, float):
            return number
        if scalar == "float" and not isinstance(number.value, bool):
            return SymbolicTerm(number.op, number.args, float(number.value), number.row)
        return called(scalar, _CONVERSIONS[scalar], (number,), row)
    return _CONVERSIONS[scalar](number)


def converted(kind: str, value: Any, row: int) -> Any:
    """Returns a value as it is assigned to a variable of a type: numbers converted, arrays and structures copied."""
    scalar, lanes = scalar_type(kind)
    if scalar and lanes == 1:
        return as_scalar(scalar, value, row) if not isinstance(value, tuple) else value
    if scalar:
        return tuple(as_scalar(scalar, each, row) for each in value)
    return copied(value)


def copied(value: Any) -> Any:
    """Returns a value of which nothing is shared that can change."""
    if isinstance(value, list):
        return [copied(each) for each in value]
    return {name: copied(each) for name, each in value.items()} if isinstance(value, dict) else value


def blank(kind: str, sizes: Sequence[int], structures: Structures) -> Any:
    """Returns a variable without a value: zeros."""
    if sizes:
        return [blank(kind, sizes[1:], structures) for _ in range(sizes[0])]
    if kind in structures:
        return {name: blank(of, inner, structures) for of, name, inner in structures[kind]}
    scalar, lanes = scalar_type(kind)
    if scalar:
        return _BLANK[scalar] if lanes == 1 else (_BLANK[scalar],) * lanes
    columns, rows = matrix_size(kind)
    if not columns:
        raise UnknownTextError(f"the type {kind}")
    return MatrixValue(((0.0,) * rows,) * columns)


def filled(kind: str, sizes: Sequence[int], numbers: Sequence[Any]) -> Any:
    """Returns a value of a type, of numbers in order, a matrix by columns."""
    if sizes:
        step = len(numbers) // sizes[0]
        return [filled(kind, sizes[1:], numbers[at * step : (at + 1) * step]) for at in range(sizes[0])]
    columns, rows = matrix_size(kind)
    if columns:
        return MatrixValue(tuple(map(float, numbers[at * rows : (at + 1) * rows])) for at in range(columns))
    scalar, lanes = scalar_type(kind)
    found = tuple(_CONVERSIONS[scalar](each) for each in numbers)
    return found[0] if lanes == 1 else found


def constructed(kind: str, given: Sequence[Any], row: int) -> Any:
    """Returns what a constructor makes: `vec3(x, 1.0, 2.0)`, `mat2(1.0)`, `int(x)`."""
    columns, rows = matrix_size(kind)
    if columns and len(given) == 1 and not isinstance(given[0], tuple):
        return MatrixValue(tuple(given[0] if row == at else 0.0 for row in range(rows)) for at in range(columns))
    if columns and len(given) == 1 and type(given[0]) is MatrixValue:
        return _resized(given[0], columns, rows)
    scalar, lanes = ("float", columns * rows) if columns else scalar_type(kind)
    if not scalar:
        raise UnknownTextError(f"the constructor {kind}")
    numbers = [as_scalar(scalar, each, row) for value in given for each in _flat(value)]
    if len(numbers) == 1 and not columns:
        return numbers[0] if lanes == 1 else tuple(numbers * lanes)
    if len(numbers) < lanes:
        raise UnknownTextError(f"{kind} of {len(numbers)} numbers")
    if columns:
        return MatrixValue(tuple(numbers[at * rows : (at + 1) * rows]) for at in range(columns))
    return numbers[0] if lanes == 1 else tuple(numbers[:lanes])


def _resized(matrix: MatrixValue, columns: int, rows: int) -> MatrixValue:
    def at(column: int, row: int) -> Any:
        inside = column < len(matrix) and row < len(matrix[0])
        return matrix[column][row] if inside else float(column == row)

    return MatrixValue(tuple(at(column, row) for row in range(rows)) for column in range(columns))


def _flat(value: Any) -> list[Any]:
    return [inner for each in value for inner in _flat(each)] if isinstance(value, tuple) else [value]


def part_of(value: Any, part: Part) -> Any:
    """Returns a part of a value; an index outside is held inside, as drivers mostly do."""
    if isinstance(part, int):
        return value[min(max(part, 0), len(value) - 1)]
    if isinstance(value, dict):
        return value[part]
    if not isinstance(value, tuple):  # a scalar's only lane
        value = (value,)
    try:
        found = tuple(value[LANES[letter]] for letter in part)
    except (KeyError, IndexError):
        raise UnknownTextError(f"the part {part}") from None
    return found[0] if len(found) == 1 else found


def with_part(value: Any, parts: Sequence[Part], new: Any) -> Any:
    """Returns a value with another part; arrays and structures change in place."""
    if not parts:
        return new
    part, rest = parts[0], parts[1:]
    inner = with_part(part_of(value, part), rest, new)
    if isinstance(value, list):
        if isinstance(part, int) and 0 <= part < len(value):
            value[part] = inner
        return value
    if isinstance(value, dict):
        value[str(part)] = inner
        return value
    lanes = list(value)
    if isinstance(part, int):
        if 0 <= part < len(lanes):
            lanes[part] = inner
    else:
        for letter, number in zip(part, inner if isinstance(inner, tuple) else (inner,), strict=True):
            lanes[LANES[letter]] = number
    return MatrixValue(lanes) if type(value) is MatrixValue else tuple(lanes)
