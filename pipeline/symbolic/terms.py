"""Terms: numbers of a symbolic run that depend on what was read. Everything else is a plain Python number.

A term knows its value in this run, in double precision, so that conditions can be decided. Scalars are `bool`, `int`,
`float` or `SymbolicTerm`; vectors are tuples of them, arrays are lists, structures are dicts.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

_FLOAT = struct.Struct("<f")
_INT, _WIDE = 1 << 31, 1 << 32


class SymbolicTerm:
    """Stands for an operation on terms and numbers, or a read: `op` with `args`, its `value`, the `row` of the text."""

    __slots__ = ("args", "op", "row", "value")

    def __init__(self, op: str, args: tuple[Any, ...], value: Any, row: int) -> None:
        self.op, self.args, self.value, self.row = op, args, value, row

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(map(repr, self.args))})"


class MatrixValue(tuple[Any, ...]):
    """Holds a matrix as a tuple of columns, each a vector."""

    __slots__ = ()


Binary = Callable[[Any, Any, int], Any]


def value_of(number: Any) -> Any:
    """Returns the value of a term in this run; a plain number as it is."""
    return number.value if type(number) is SymbolicTerm else number


def single(number: float) -> float:
    """Returns the float32 nearest to a number."""
    try:
        return float(_FLOAT.unpack(_FLOAT.pack(number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)


def wrapped(number: int) -> int:
    """Wraps an integer to 32 bits with a sign."""
    return number if -_INT <= number < _INT else (number + _INT) % _WIDE - _INT


def _plain(number: Any) -> Any:
    return single(number) if type(number) is float else wrapped(number)


def _quotient(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        if b == 0:
            return -1
        whole = abs(a) // abs(b)
        return whole if (a < 0) == (b < 0) else -whole
    if b == 0:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)
    return a / b


def _rest(a: int, b: int) -> int:
    return a - b * _quotient(a, b) if b else -1


_PLAIN: Mapping[str, Callable[[Any, Any], Any]] = MappingProxyType(
    {
        "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": _quotient, "%": _rest,
        "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
        "<<": lambda a, b: a << (b & 31), ">>": lambda a, b: a >> (b & 31),
        "<": lambda a, b: a < b, ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b,
        "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "^^": lambda a, b: bool(a) != bool(b),
    }
)  # fmt: skip
COMPARISONS = frozenset({"<", ">", "<=", ">="})


def plain_operator(sign: str) -> Callable[[Any, Any], Any]:
    """Returns an operator on plain numbers. Raises KeyError."""
    return _PLAIN[sign]


def operation(sign: str) -> Binary:
    """Returns the operator on two scalars, for the row of the text that it stands in."""
    plain = _PLAIN[sign]

    def run(a: Any, b: Any, row: int) -> Any:
        if type(a) is SymbolicTerm or type(b) is SymbolicTerm:
            return SymbolicTerm(sign, (a, b), _safe(plain, value_of(a), value_of(b)), row)
        found = plain(a, b)
        return found if type(found) is bool else _plain(found)

    return run


def _safe(function: Callable[..., Any], *values: Any) -> Any:
    """Returns a function's value; NaN or infinity where Python raises."""
    try:
        return function(*values)
    except OverflowError:
        return math.inf
    except (ValueError, ZeroDivisionError):
        return math.nan


def called(name: str, plain: Callable[..., Any], arguments: tuple[Any, ...], row: int) -> Any:
    """Returns a function of scalars: a term if one of them is."""
    if any(type(each) is SymbolicTerm for each in arguments):
        return SymbolicTerm(name, arguments, _safe(plain, *map(value_of, arguments)), row)
    found = _safe(plain, *arguments)
    return found if type(found) is bool else _plain(found)


def lanewise(function: Binary, a: Any, b: Any, row: int) -> Any:
    """Applies an operator lane by lane; a scalar meets every lane."""
    if isinstance(a, tuple):
        if isinstance(b, tuple):
            found = [lanewise(function, x, y, row) for x, y in zip(a, b, strict=True)]
        else:
            found = [lanewise(function, x, b, row) for x in a]
        return MatrixValue(found) if type(a) is MatrixValue else tuple(found)
    if isinstance(b, tuple):
        found = [lanewise(function, a, y, row) for y in b]
        return MatrixValue(found) if type(b) is MatrixValue else tuple(found)
    return function(a, b, row)


_ADD, _TIMES = operation("+"), operation("*")


def total(numbers: list[Any], row: int) -> Any:
    """Adds numbers from the first on."""
    found = numbers[0]
    for each in numbers[1:]:
        found = _ADD(found, each, row)
    return found


def dot(a: Any, b: Any, row: int) -> Any:
    """Returns the scalar product."""
    if not isinstance(a, tuple):
        return _TIMES(a, b, row)
    return total([_TIMES(x, y, row) for x, y in zip(a, b, strict=True)], row)


def product(a: Any, b: Any, row: int) -> Any:
    """Returns `a * b`, where either may be a matrix."""
    if type(a) is MatrixValue and type(b) is MatrixValue:
        return MatrixValue(_transformed(a, column, row) for column in b)
    if type(a) is MatrixValue and isinstance(b, tuple):
        return _transformed(a, b, row)
    if type(b) is MatrixValue and isinstance(a, tuple):
        return tuple(dot(a, column, row) for column in b)
    return lanewise(_TIMES, a, b, row)


def _transformed(matrix: MatrixValue, vector: Any, row: int) -> tuple[Any, ...]:
    return tuple(dot(tuple(column[at] for column in matrix), vector, row) for at in range(len(matrix[0])))
