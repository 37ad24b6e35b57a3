"""Vectors, matrices and functions of GLSL over lanes: constructors, operators, and built-in functions."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from texelscope.pipeline.dialects.mpv.network.functions import lanewise, negated
from texelscope.pipeline.dialects.mpv.network.textures import BlockTexture
from texelscope.pipeline.dialects.mpv.network.values import (
    ZERO,
    LinearForm,
    LiteralNumber,
    NotUnderstoodError,
    Position,
    Scalar,
    add,
    as_form,
    divide,
    moved,
    multiply,
    truncated,
)

_TYPE = re.compile(r"(?P<kind>f16|i16|u16|i|u|b|)(?P<shape>vec|mat)(?P<columns>[234])(?:x(?P<rows>[234]))?")
_SWIZZLES = {name: lane for names in ("xyzw", "rgba", "stpq") for lane, name in enumerate(names)}
_FLOATS = frozenset({"float", "float16_t", "FLOAT", "half"})
_WHOLE = frozenset({"int", "uint", "INT", "UINT", "bool", "BOOL", "int16_t", "uint16_t"})
# Of one array: no shader of weights has more, and a size can be any number.
_MOST_ELEMENTS = 4096


@dataclass(frozen=True)
class Matrix:
    """Columns of scalars."""

    columns: tuple[tuple[Scalar, ...], ...]


@dataclass(frozen=True)
class NamedReference:
    """The sampler of a bound texture, handed on by its name."""

    texture: BlockTexture


Vector = tuple[Scalar, ...]
Value: TypeAlias = "Scalar | Vector | Matrix | Reference | list[Value]"


def lanes_of(value: Value) -> Vector:
    """A scalar's or a vector's lanes. Raises NotUnderstoodError for anything else."""
    if isinstance(value, tuple):
        return value
    if isinstance(value, LiteralNumber | Position | LinearForm):
        return (value,)
    raise NotUnderstoodError("a matrix, sampler or array where a vector is expected")


def scalar_of(value: Value) -> Scalar:
    """A scalar, or the first lane. Raises NotUnderstoodError for what has none."""
    return lanes_of(value)[0]


def is_type(name: str) -> bool:
    """Whether GLSL has a type of numbers of that name."""
    return name in _FLOATS or name in _WHOLE or _TYPE.fullmatch(name) is not None


def constructed(name: str, arguments: Sequence[Value]) -> Value:
    """What the constructor of a type makes of its arguments. Raises NotUnderstoodError."""
    if name in _FLOATS or name in _WHOLE:
        if len(arguments) != 1:
            raise NotUnderstoodError(f"{name.lower()}() of {len(arguments)} arguments")
        return _whole(scalar_of(arguments[0])) if name in _WHOLE else _real(scalar_of(arguments[0]))
    match = _TYPE.fullmatch(name)
    assert match is not None
    columns = int(match["columns"])
    if match["shape"] == "mat":
        return _matrix(columns, int(match["rows"] or columns), arguments)
    lanes = [lane for argument in arguments for lane in lanes_of(argument)]
    if len(lanes) == 1:
        lanes *= columns
    if len(lanes) < columns or (len(lanes) > columns and len(arguments) > 1):
        raise NotUnderstoodError(f"{name}() of {len(lanes)} lanes")
    convert = _whole if match["kind"] in ("i", "u", "b", "i16", "u16") else _real
    return tuple(convert(lane) for lane in lanes[:columns])


def _matrix(columns: int, rows: int, arguments: Sequence[Value]) -> Matrix:
    if len(arguments) == 1 and isinstance(arguments[0], Matrix):
        return arguments[0]
    lanes = [lane for argument in arguments for lane in lanes_of(argument)]
    if len(lanes) == 1:
        lanes = [lanes[0] if row == column else ZERO for column in range(columns) for row in range(rows)]
    if len(lanes) != columns * rows:
        raise NotUnderstoodError(f"a matrix of {columns * rows} elements made of {len(lanes)}")
    return Matrix(tuple(tuple(map(_real, lanes[i * rows : (i + 1) * rows])) for i in range(columns)))


def _real(value: Scalar) -> Scalar:
    if isinstance(value, LiteralNumber):
        return LiteralNumber(value.value, value.line) if value.integer else value
    return Position(value.terms) if isinstance(value, Position) else value


def _whole(value: Scalar) -> Scalar:
    return truncated(value)


def converted(kind: str, value: Value) -> Value:
    """The value as a variable of that type holds it."""
    if isinstance(value, tuple | LiteralNumber | Position | LinearForm) and (
        kind in _WHOLE or kind.startswith(("i", "u"))
    ):
        lanes = tuple(_whole(lane) for lane in lanes_of(value))
        return lanes if isinstance(value, tuple) else lanes[0]
    if kind in _FLOATS and isinstance(value, LiteralNumber | Position):
        return _real(value)
    return value


def each_lane(function: Callable[..., Scalar], *values: Value) -> Value:
    """The function lane by lane; scalars go with every lane. Raises NotUnderstoodError for vectors of other sizes."""
    lanes = [lanes_of(value) for value in values]
    count = max(len(each) for each in lanes)
    if any(len(each) not in (1, count) for each in lanes):
        raise NotUnderstoodError("an operation on vectors of different sizes")
    spread = [each * count if len(each) == 1 else each for each in lanes]
    result = tuple(function(*row) for row in zip(*spread, strict=True))
    return result if any(isinstance(value, tuple) for value in values) else result[0]


def operated(operator: str, left: Value, right: Value) -> Value:
    """left operator right. Raises NotUnderstoodError for operators and operands that are not known here."""
    if isinstance(left, Matrix) or isinstance(right, Matrix):
        return _of_matrices(operator, left, right)
    if operator in _ARITHMETIC:
        return each_lane(_ARITHMETIC[operator], left, right)
    first, second = scalar_of(left), scalar_of(right)
    if operator not in _COMPARISONS:
        raise NotUnderstoodError(f"the operator {operator}")
    if not isinstance(first, LiteralNumber) or not isinstance(second, LiteralNumber):
        raise NotUnderstoodError(f"a decision ({operator}) that texels or the pixel's place take")
    return LiteralNumber(float(_COMPARISONS[operator](first.value, second.value)), integer=True)


def _modulo(left: Scalar, right: Scalar) -> Scalar:
    if not isinstance(left, LiteralNumber) or not isinstance(right, LiteralNumber) or not abs(right.value) >= 1.0:
        raise NotUnderstoodError("% of what is no number, or by none")
    return LiteralNumber(float(int(left.value) % int(right.value)), integer=True)


_ARITHMETIC: dict[str, Callable[..., Scalar]] = {
    "+": add,
    "-": lambda left, right: add(left, right, -1),
    "*": multiply,
    "/": divide,
    "%": _modulo,
}
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "&&": lambda a, b: bool(a and b),
    "||": lambda a, b: bool(a or b),
}


def _of_matrices(operator: str, left: Value, right: Value) -> Value:
    if operator == "*" and isinstance(left, Matrix) and isinstance(right, Matrix):
        return Matrix(tuple(_transformed(left, column) for column in right.columns))
    if operator == "*" and isinstance(left, Matrix) and isinstance(right, tuple):
        return _transformed(left, right)
    if operator == "*" and isinstance(left, tuple) and isinstance(right, Matrix):
        return tuple(dot(left, column) for column in right.columns)
    first = left.columns if isinstance(left, Matrix) else None
    second = right.columns if isinstance(right, Matrix) else None
    known = first or second
    assert known is not None
    pairs = zip(first or [left] * len(known), second or [right] * len(known), strict=True)
    return Matrix(tuple(lanes_of(operated(operator, a, b)) for a, b in pairs))


def _transformed(matrix: Matrix, vector: Vector) -> Vector:
    if len(vector) != len(matrix.columns):
        raise NotUnderstoodError(f"a matrix of {len(matrix.columns)} columns times {len(vector)} lanes")
    rows = zip(*matrix.columns, strict=True)
    return tuple(dot(row, vector) for row in rows)


def dot(left: Vector, right: Vector) -> Scalar:
    """The sum of products."""
    total: Scalar | None = None
    for first, second in zip(left, right, strict=True):
        product = multiply(first, second)
        total = product if total is None else add(total, product)
    assert total is not None
    return total


def negative(value: Value) -> Value:
    """−value."""
    if isinstance(value, Matrix):
        return Matrix(tuple(tuple(negated(lane) for lane in column) for column in value.columns))
    return each_lane(negated, value)


def called(name: str, arguments: Sequence[Value]) -> Value:
    """What a built-in function makes of its arguments. Raises NotUnderstoodError for one that is not known here."""
    if name == "dot" and len(arguments) == 2:
        return dot(lanes_of(arguments[0]), lanes_of(arguments[1]))
    known = lanewise(name)
    if known is None:
        raise NotUnderstoodError(f"the function {name}()")
    count, function = known
    if len(arguments) != count:
        raise NotUnderstoodError(f"{name}() of {len(arguments)} arguments")
    return each_lane(function, *arguments)


def is_same(left: Value, right: Value) -> bool:
    """Whether two scalars are known to be equal."""
    difference = operated("-", left, right)
    return isinstance(difference, LiteralNumber) and not difference.value


def swizzle(field: str, count: int) -> list[int]:
    """The lanes that `.field` names. Raises NotUnderstoodError for one that a vector of `count` does not have."""
    lanes = [_SWIZZLES.get(letter, count) for letter in field]
    if not lanes or max(lanes) >= count:
        raise NotUnderstoodError(f"lanes '.{field}' of a vector of {count}")
    return lanes


def is_same_form(left: Scalar, right: Scalar) -> bool:
    """Whether two scalars are made of the same texels, weighted alike."""
    if isinstance(left, Position) or isinstance(right, Position):
        return is_same(left, right)
    return as_form(left).key == as_form(right).key


def moved_value(value: Value, steps: Mapping[str, int]) -> Value:
    """A place, or a vector of places, with whole numbers added to its symbols; other values as they are."""
    if not isinstance(value, Position | tuple):
        return value
    return moved(value, steps) if isinstance(value, Position) else tuple(moved(lane, steps) for lane in value)


def zeros(sizes: Sequence[int], element: Value) -> Value:
    """An array of such elements, or of arrays, before anything is assigned. Raises NotUnderstoodError."""
    if math.prod(sizes) > _MOST_ELEMENTS or min(sizes) < 1:
        raise NotUnderstoodError(f"an array of {' x '.join(map(str, sizes))} elements")
    return [element if len(sizes) == 1 else zeros(sizes[1:], element) for _ in range(sizes[0])]
