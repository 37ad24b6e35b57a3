"""Evaluates GLSL's vectors, matrices and functions over lanes: constructors, operators, built-in functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from texelscope.pipeline.dialects.mpv.network.functions import lanewise, negated, real
from texelscope.pipeline.dialects.mpv.network.rounding import divide, is_near, moved, remainder, sign_of
from texelscope.pipeline.dialects.mpv.network.values import (
    ZERO,
    LiteralNumber,
    NotUnderstoodError,
    Position,
    Scalar,
    add,
    as_form,
    multiply,
)
from texelscope.pipeline.dialects.mpv.network.variable_types import (
    ArrayValue,
    Matrix,
    StructureValue,
    Value,
    Vector,
    lane_as,
    lanes_in,
    lanes_of,
    scalar_of,
    sides_of,
)

_SWIZZLES = {name: lane for names in ("xyzw", "rgba", "stpq") for lane, name in enumerate(names)}
_NAMES = ("xyzw", "rgba", "stpq")


def constructed(name: str, arguments: Sequence[Value]) -> Value:
    """Returns the value of a type's constructor. Raises NotUnderstoodError."""
    columns, sides = lanes_in(name), sides_of(name)
    if sides is not None:
        return _matrix(sides[0], sides[1], arguments)
    if columns is None:
        if len(arguments) != 1:
            raise NotUnderstoodError(f"{name.lower()}() of {len(arguments)} arguments")
        return lane_as(name, scalar_of(arguments[0]))
    lanes = [lane for argument in arguments for lane in lanes_of(argument)]
    if len(lanes) == 1:
        lanes *= columns
    if len(lanes) < columns or (len(lanes) > columns and len(arguments) > 1):
        raise NotUnderstoodError(f"{name}() of {len(lanes)} lanes")
    return tuple(lane_as(name, lane) for lane in lanes[:columns])


def _matrix(columns: int, rows: int, arguments: Sequence[Value]) -> Matrix:
    if len(arguments) == 1 and isinstance(arguments[0], Matrix):
        return _resized(arguments[0], columns, rows)
    lanes = [lane for argument in arguments for lane in lanes_of(argument)]
    if len(lanes) == 1:
        lanes = [lanes[0] if row == column else ZERO for column in range(columns) for row in range(rows)]
    if len(lanes) != columns * rows:
        raise NotUnderstoodError(f"a matrix of {columns * rows} elements made of {len(lanes)}")
    return Matrix(tuple(tuple(map(real, lanes[i * rows : (i + 1) * rows])) for i in range(columns)))


def _resized(matrix: Matrix, columns: int, rows: int) -> Matrix:
    """Returns the matrix with other sides: what is new is 1 on the diagonal, 0 elsewhere (GLSL 4.60, 5.4.2)."""

    def element(column: int, row: int) -> Scalar:
        if column < len(matrix.columns) and row < len(matrix.columns[0]):
            return matrix.columns[column][row]
        return LiteralNumber(float(column == row))

    return Matrix(tuple(tuple(element(column, row) for row in range(rows)) for column in range(columns)))


def each_lane(function: Callable[..., Scalar], *values: Value) -> Value:
    """Applies the function per lane; scalars fit every lane. Raises NotUnderstoodError for vectors of unequal sizes."""
    lanes = [lanes_of(value) for value in values]
    count = max(len(each) for each in lanes)
    if any(len(each) not in (1, count) for each in lanes):
        raise NotUnderstoodError("an operation on vectors of different sizes")
    spread = [each * count if len(each) == 1 else each for each in lanes]
    result = tuple(function(*row) for row in zip(*spread, strict=True))
    return result if any(isinstance(value, tuple) for value in values) else result[0]


def operated(operator: str, left: Value, right: Value) -> Value:
    """Returns left operator right. Raises NotUnderstoodError for unsupported operators and operands."""
    if operator in ("==", "!="):
        return LiteralNumber(float(_is_equal(left, right) == (operator == "==")), integer=True)
    if isinstance(left, Matrix) or isinstance(right, Matrix):
        return _of_matrices(operator, left, right)
    if operator in _ARITHMETIC:
        return each_lane(_ARITHMETIC[operator], left, right)
    if operator in _BITS:
        return each_lane(lambda first, second: _of_bits(operator, first, second), left, right)
    if operator not in _ORDERS and operator not in _TRUTHS:
        raise NotUnderstoodError(f"the operator {operator}")
    if isinstance(left, tuple) or isinstance(right, tuple):
        raise NotUnderstoodError(f"the operator {operator} of vectors")
    first, second = scalar_of(left), scalar_of(right)
    if operator in _ORDERS:
        return LiteralNumber(float(_ORDERS[operator](_order(first, second, operator))), integer=True)
    if not isinstance(first, LiteralNumber) or not isinstance(second, LiteralNumber):
        raise NotUnderstoodError(f"a decision ({operator}) that depends on texels or the pixel's place")
    return LiteralNumber(float(_TRUTHS[operator](bool(first.value), bool(second.value))), integer=True)


def _order(left: Scalar, right: Scalar, operator: str) -> int:
    """Returns 1, 0 or -1 as left is above, at or below right for every pixel. Raises NotUnderstoodError."""
    if isinstance(left, LiteralNumber) and isinstance(right, LiteralNumber):
        if is_near(left, right.value) or is_near(right, left.value):
            raise NotUnderstoodError(f"a decision ({operator}) between {left.value!r} and {right.value!r}, so near")
        return (left.value > right.value) - (left.value < right.value)
    if isinstance(left, LiteralNumber | Position) and isinstance(right, LiteralNumber | Position):
        sign = sign_of(add(left, right, -1)) if left.integer and right.integer else None
        if sign is not None:
            return sign
    raise NotUnderstoodError(f"a decision ({operator}) that depends on texels or the pixel's place")


def _is_equal(left: Value, right: Value) -> bool:
    """Whether two values are equal in every lane, element and member. Raises NotUnderstoodError."""
    if isinstance(left, Matrix) and isinstance(right, Matrix):
        left, right = ArrayValue(left.columns), ArrayValue(right.columns)
    if isinstance(left, StructureValue) and isinstance(right, StructureValue):
        left, right = ArrayValue(tuple(left.members.values())), ArrayValue(tuple(right.members.values()))
    if isinstance(left, ArrayValue) and isinstance(right, ArrayValue) and len(left.items) == len(right.items):
        return all(_is_equal(first, second) for first, second in zip(left.items, right.items, strict=True))
    first, second = lanes_of(left), lanes_of(right)
    if len(first) != len(second):
        raise NotUnderstoodError("a comparison of vectors of different sizes")
    return not any(_order(one, other, "==") for one, other in zip(first, second, strict=True))


_ARITHMETIC: dict[str, Callable[..., Scalar]] = {
    "+": add,
    "-": lambda left, right: add(left, right, -1),
    "*": multiply,
    "/": divide,
    "%": remainder,
}
_ORDERS: dict[str, Callable[[int], bool]] = {
    "<": lambda order: order < 0,
    ">": lambda order: order > 0,
    "<=": lambda order: order <= 0,
    ">=": lambda order: order >= 0,
}
_TRUTHS: dict[str, Callable[[bool, bool], bool]] = {
    "&&": lambda a, b: a and b,
    "||": lambda a, b: a or b,
    "^^": lambda a, b: a != b,
}
_BITS: dict[str, Callable[[int, int], int]] = {
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
}
# The most bits by which a number is moved: GLSL leaves others open.
_MOST_SHIFTED = 30


def _of_bits(operator: str, left: Scalar, right: Scalar) -> Scalar:
    first, second = _bits_of(left, operator), _bits_of(right, operator)
    if operator in ("<<", ">>") and second > _MOST_SHIFTED:
        raise NotUnderstoodError(f"{operator} by {second}")
    made = LiteralNumber(float(_BITS[operator](first, second)), integer=True)
    return add(made, LiteralNumber(0.0, integer=True))  # which has at most 32 bits


def _bits_of(value: Scalar, operator: str) -> int:
    if not isinstance(value, LiteralNumber) or not value.integer or value.value < 0:
        raise NotUnderstoodError(f"{operator} of a value that is no whole number from 0 on")
    return int(value.value)


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
    if len(first or known) != len(second or known) or isinstance(left, tuple) or isinstance(right, tuple):
        raise NotUnderstoodError(f"{operator} of matrices and vectors of different sizes")
    pairs = zip(first or [left] * len(known), second or [right] * len(known), strict=True)
    return Matrix(tuple(lanes_of(operated(operator, a, b)) for a, b in pairs))


def _transformed(matrix: Matrix, vector: Vector) -> Vector:
    if len(vector) != len(matrix.columns):
        raise NotUnderstoodError(f"a matrix of {len(matrix.columns)} columns times {len(vector)} lanes")
    rows = zip(*matrix.columns, strict=True)
    return tuple(dot(row, vector) for row in rows)


def dot(left: Vector, right: Vector) -> Scalar:
    """Returns the sum of products. Raises NotUnderstoodError for vectors of unequal sizes."""
    if len(left) != len(right):
        raise NotUnderstoodError("a product of vectors of different sizes")
    total: Scalar | None = None
    for first, second in zip(left, right, strict=True):
        product = multiply(first, second)
        total = product if total is None else add(total, product)
    assert total is not None
    return real(total)


def negative(value: Value) -> Value:
    """Returns −value."""
    if isinstance(value, Matrix):
        return Matrix(tuple(tuple(negated(lane) for lane in column) for column in value.columns))
    return each_lane(negated, value)


def _length(value: Value) -> Scalar:
    """Returns the length of a vector; of a scalar its size without the sign."""
    name, squared = ("sqrt", dot(value, value)) if isinstance(value, tuple) else ("abs", real(scalar_of(value)))
    known = lanewise(name)
    assert known is not None
    return known[1](squared)


# Functions of whole vectors, with the numbers of their arguments.
_OF_VECTORS: Mapping[str, tuple[int, Callable[..., Value]]] = {
    "dot": (2, lambda left, right: dot(lanes_of(left), lanes_of(right))),
    "length": (1, _length),
    "distance": (2, lambda left, right: _length(operated("-", left, right))),
    "normalize": (1, lambda value: operated("/", value, _length(value))),
}


def called(name: str, arguments: Sequence[Value]) -> Value:
    """Returns the value of a built-in function. Raises NotUnderstoodError for an unsupported function."""
    whole = _OF_VECTORS.get(name)
    known = lanewise(name) if whole is None else None
    count = whole[0] if whole is not None else known[0] if known is not None else None
    if count is None:
        raise NotUnderstoodError(f"the function {name}()")
    if len(arguments) != count:
        raise NotUnderstoodError(f"{name}() of {len(arguments)} arguments")
    if whole is not None:
        return whole[1](*arguments)
    assert known is not None
    return each_lane(known[1], *arguments)


def is_same(left: Value, right: Value) -> bool:
    """Reports whether two scalars are known to be equal."""
    difference = operated("-", left, right)
    return isinstance(difference, LiteralNumber) and not difference.value


def swizzle(field: str, count: int) -> list[int]:
    """Returns the lanes that `.field` names. Raises NotUnderstoodError for a lane beyond a vector of `count`."""
    lanes = [_SWIZZLES.get(letter, count) for letter in field]
    if not lanes or max(lanes) >= count or not any(set(field) <= set(names) for names in _NAMES):
        raise NotUnderstoodError(f"lanes '.{field}' of a vector of {count}")
    return lanes


def is_same_form(left: Scalar, right: Scalar) -> bool:
    """Reports whether two scalars have the same texels with the same weights."""
    if isinstance(left, Position) or isinstance(right, Position):
        return is_same(left, right)
    return as_form(left).key == as_form(right).key


def moved_value(value: Value, steps: Mapping[str, int]) -> Value:
    """Returns a value with whole numbers added to the symbols of the places in it."""
    if isinstance(value, Position):
        return moved(value, steps)
    if isinstance(value, tuple):
        return tuple(moved(lane, steps) for lane in value)
    if isinstance(value, Matrix):
        return Matrix(tuple(tuple(moved(lane, steps) for lane in column) for column in value.columns))
    if isinstance(value, ArrayValue):
        return ArrayValue(tuple(moved_value(item, steps) for item in value.items))
    if isinstance(value, StructureValue):
        members = value.members.items()
        return StructureValue(value.name, {name: moved_value(member, steps) for name, member in members})
    return value
