"""GLSL's built-in functions on symbolic values; reads of textures and images are the machine's."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.symbolic.bits import bits_of, float_of, packed, unpacked
from texelscope.pipeline.symbolic.terms import (
    MatrixValue,
    called,
    dot,
    lanewise,
    operation,
    plain_operator,
    value_of,
)

_ADD, _SUBTRACT, _TIMES, _DIVIDE = (operation(sign) for sign in "+-*/")


def _whole(function: Callable[[float], int]) -> Callable[[float], float]:
    return lambda x: math.copysign(float(function(x)), x) if math.isfinite(x) else x


def _log(x: float) -> float:
    return -math.inf if x == 0.0 else math.log(x)


def _minimum(a: Any, b: Any) -> Any:
    return b if b < a or a != a else a


def _maximum(a: Any, b: Any) -> Any:
    return b if a < b or a != a else a


def _smooth(low: float, high: float, x: float) -> float:
    share = min(max((x - low) / (high - low), 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


# Functions of scalars, lane by lane.
_LANES: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "floor": _whole(math.floor), "ceil": _whole(math.ceil), "trunc": _whole(math.trunc), "round": _whole(round),
        "roundEven": _whole(round), "fract": lambda x: x - math.floor(x), "mod": lambda x, y: x - y * math.floor(x / y),
        "step": lambda edge, x: float(x >= edge), "smoothstep": _smooth, "sqrt": math.sqrt,
        "inversesqrt": lambda x: 1.0 / math.sqrt(x), "exp": math.exp, "exp2": lambda x: 2.0**x, "log": _log,
        "log2": lambda x: _log(x) / math.log(2.0), "pow": math.pow, "sin": math.sin, "cos": math.cos, "tan": math.tan,
        "asin": math.asin, "acos": math.acos, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
        "asinh": math.asinh, "acosh": math.acosh, "atanh": math.atanh, "radians": math.radians,
        "degrees": math.degrees, "abs": abs, "min": _minimum, "max": _maximum,
        "sign": lambda x: type(x)((x > 0) - (x < 0)),
        "atan": lambda *both: math.atan2(*both) if len(both) > 1 else math.atan(*both),
        "logistic": lambda x: 1.0 / (1.0 + math.exp(-x)) if x > -700.0 else 0.0, "erf": math.erf,
        "softplus": lambda x: max(x, 0.0) + math.log1p(math.exp(-abs(x))), "expm1": math.expm1, "log1p": math.log1p,
        "bitCount": lambda x: (x & 0xFFFFFFFF).bit_count(), "findMSB": lambda x: x.bit_length() - 1,
        "findLSB": lambda x: (x & -x).bit_length() - 1,
    }
)  # fmt: skip
# What a driver makes of a number's bits: no part of a formula.
_BITS: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "isnan": math.isnan, "isinf": math.isinf,
    }
)  # fmt: skip
_COMPARED = {
    "lessThan": "<", "lessThanEqual": "<=", "greaterThan": ">", "greaterThanEqual": ">=", "equal": "==",
    "notEqual": "!=",
}  # fmt: skip


def _spread(arguments: list[Any]) -> list[tuple[Any, ...]]:
    count = max(len(each) if isinstance(each, tuple) else 1 for each in arguments)
    lanes = [each if isinstance(each, tuple) else (each,) * count for each in arguments]
    return list(zip(*lanes, strict=True))


def _by_lane(function: Callable[..., Any], arguments: list[Any]) -> Any:
    if not any(isinstance(each, tuple) for each in arguments):
        return function(*arguments)
    return tuple(function(*numbers) for numbers in _spread(arguments))


def _clamp(arguments: list[Any], row: int) -> Any:
    x, low, high = arguments
    return call("min", [call("max", [x, low], row), high], row)


def _mix(arguments: list[Any], row: int) -> Any:
    def mixed(a: Any, b: Any, by: Any) -> Any:
        if isinstance(value_of(by), bool):
            return b if value_of(by) else a
        rest = _SUBTRACT(1.0, by, row)
        return _ADD(_TIMES(a, rest, row), _TIMES(b, by, row), row)

    return _by_lane(mixed, arguments)


def _length(x: Any, row: int) -> Any:
    return call("sqrt", [dot(x, x, row)], row)


def _normalize(arguments: list[Any], row: int) -> Any:
    return lanewise(_DIVIDE, arguments[0], _length(arguments[0], row), row)


def _cross(arguments: list[Any], row: int) -> Any:
    a, b = arguments
    pairs = ((1, 2), (2, 0), (0, 1))
    return tuple(_SUBTRACT(_TIMES(a[i], b[j], row), _TIMES(a[j], b[i], row), row) for i, j in pairs)


def _any(arguments: list[Any], _row: int) -> Any:
    return any(bool(value_of(each)) for each in arguments[0])


def _all(arguments: list[Any], _row: int) -> Any:
    return all(bool(value_of(each)) for each in arguments[0])


def _unpacked_signed_bytes(arguments: list[Any], row: int) -> Any:
    def lane(bits: int, number: int) -> float:
        byte = bits >> 8 * number & 0xFF
        return max((byte - 256 if byte > 127 else byte) / 127.0, -1.0)

    return tuple(called(f"unpackSnorm4x8 lane {at}", partial(lane, number=at), (arguments[0],), row) for at in range(4))


def _determinant(arguments: list[Any], row: int) -> Any:
    return _minor([list(column) for column in arguments[0]], row)


def _minor(columns: list[list[Any]], row: int) -> Any:
    if len(columns) == 1:
        return columns[0][0]
    found: Any = 0.0
    for at, column in enumerate(columns):
        rest = [each[1:] for number, each in enumerate(columns) if number != at]
        part = _TIMES(column[0], _minor(rest, row), row)
        found = _SUBTRACT(found, part, row) if at % 2 else _ADD(found, part, row)
    return found


def _inverse(arguments: list[Any], row: int) -> Any:
    columns = [list(column) for column in arguments[0]]
    whole, size = _minor(columns, row), range(len(columns))

    def cofactor(i: int, j: int) -> Any:
        rest = [[each for at, each in enumerate(column) if at != j] for at, column in enumerate(columns) if at != i]
        part = _minor(rest, row)
        return _SUBTRACT(0.0, part, row) if (i + j) % 2 else part

    return MatrixValue(tuple(_DIVIDE(cofactor(i, j), whole, row) for i in size) for j in size)


def _reflect(arguments: list[Any], row: int) -> Any:
    i, n = arguments
    twice = _TIMES(2.0, dot(n, i, row), row)
    return lanewise(_SUBTRACT, i, lanewise(_TIMES, twice, n, row), row)


def _outer(arguments: list[Any], row: int) -> Any:
    column, line = arguments
    return MatrixValue(lanewise(_TIMES, column, each, row) for each in line)


def _field_extract(arguments: list[Any], row: int) -> Any:
    value, offset, bits = arguments
    plain = value_of(value)
    is_signed = isinstance(plain, int) and plain < 0

    def part(number: int, offset: int, bits: int) -> int:
        found = (number & 0xFFFFFFFF) >> offset & ((1 << bits) - 1)
        return found - (1 << bits) if is_signed and bits and found >> bits - 1 else found

    return _by_lane(lambda number: called("bitfieldExtract", part, (number, offset, bits), row), [value])


_WHOLE: Mapping[str, Callable[[list[Any], int], Any]] = MappingProxyType(
    {
        "dot": lambda given, row: dot(given[0], given[1], row), "clamp": _clamp, "mix": _mix, "any": _any, "all": _all,
        "length": lambda given, row: _length(given[0], row), "normalize": _normalize, "cross": _cross,
        "distance": lambda given, row: _length(lanewise(_SUBTRACT, given[0], given[1], row), row),
        "fma": lambda given, row: lanewise(_ADD, lanewise(_TIMES, given[0], given[1], row), given[2], row),
        "not": lambda given, _row: tuple(not value_of(each) for each in given[0]),
        "transpose": lambda given, _row: MatrixValue(zip(*given[0], strict=True)),
        "matrixCompMult": lambda given, row: lanewise(_TIMES, given[0], given[1], row),
        "unpackHalf2x16": lambda given, _row: unpacked(given[0], 2),
        "unpackUnorm4x8": lambda given, _row: unpacked(given[0], 4),
        "packHalf2x16": lambda given, row: packed(given[0], row),
        "packUnorm4x8": lambda given, row: packed(given[0], row),
        "unpackSnorm4x8": _unpacked_signed_bytes, "determinant": _determinant, "inverse": _inverse,
        "reflect": _reflect, "outerProduct": _outer, "bitfieldExtract": _field_extract,
        "intBitsToFloat": lambda given, _row: _by_lane(float_of, given),
        "uintBitsToFloat": lambda given, _row: _by_lane(float_of, given),
        "floatBitsToInt": lambda given, row: _by_lane(lambda number: bits_of(number, "int", row), given),
        "floatBitsToUint": lambda given, row: _by_lane(lambda number: bits_of(number, "uint", row), given),
    }
)  # fmt: skip


def plain_function(name: str) -> Callable[..., Any]:
    """Returns a function or operator on plain numbers. Raises KeyError."""
    return _LANES[name] if name in _LANES else plain_operator(name)


def is_known(name: str) -> bool:
    """Whether `call` knows a function."""
    return name in _LANES or name in _WHOLE or name in _COMPARED or name in _BITS


def call(name: str, arguments: list[Any], row: int) -> Any:
    """Returns a built-in function of values; `is_known` says which there are."""
    if name in _WHOLE:
        return _WHOLE[name](arguments, row)
    if name in _COMPARED:
        return lanewise(operation(_COMPARED[name]), arguments[0], arguments[1], row)
    if name in _BITS:
        return _by_lane(lambda number: _BITS[name](value_of(number)), arguments)
    plain = _LANES[name]
    return _by_lane(lambda *numbers: called(name, plain, numbers, row), arguments)
