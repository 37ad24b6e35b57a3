"""Implements GLSL's built-in functions on values; the machine implements those that read textures."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from tests.glsl_interpreter.operators import binary, divided, total
from tests.glsl_interpreter.values import Value, as_base, common_base, each_lane, scalar, single, vector, wrapped


def _guarded(function: Callable[..., float]) -> Callable[..., float]:
    """Returns what a driver gives where Python raises."""

    def guarded(*numbers: float) -> float:
        try:
            return single(function(*numbers))
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return guarded


def _log(number: float) -> float:
    return -math.inf if number == 0.0 else math.log(number)


def _log2(number: float) -> float:
    return -math.inf if number == 0.0 else math.log2(number)


def _sign(number: Any) -> Any:
    return (number > 0) - (number < 0)


def _minimum(one: Any, other: Any) -> Any:
    return other if other < one or one != one else one


def _maximum(one: Any, other: Any) -> Any:
    return other if one < other or one != one else one


def _modulo(one: float, other: float) -> float:
    quotient = divided(one, other)
    return single(one - single(other * math.floor(quotient))) if math.isfinite(quotient) else math.nan


def _whole(function: Callable[[float], int]) -> Callable[[float], float]:
    """A whole number near one, with its sign: -0.0 too."""
    return lambda number: math.copysign(function(number), number) if math.isfinite(number) else number


def _mixed(one: Any, other: Any, by: Any) -> Any:
    if isinstance(by, bool):
        return other if by else one
    return single(single(one * single(1.0 - by)) + single(other * by))


def _smooth(low: float, high: float, number: float) -> float:
    share = min(max(divided(single(number - low), single(high - low)), 0.0), 1.0)
    return single(single(share * share) * single(3.0 - single(2.0 * share)))


# Lane by lane on floats.
_ON_FLOATS: Mapping[str, Callable[..., float]] = MappingProxyType(
    {
        "floor": _whole(math.floor), "ceil": _whole(math.ceil), "trunc": _whole(math.trunc),
        "round": _whole(round), "roundEven": _whole(round),
        "fract": lambda x: single(x - math.floor(x)), "mod": _modulo, "step": lambda edge, x: float(x >= edge),
        "smoothstep": _smooth, "sqrt": _guarded(math.sqrt),
        "inversesqrt": lambda x: divided(1.0, _guarded(math.sqrt)(x)),
        "exp": _guarded(math.exp), "log": _guarded(_log), "exp2": _guarded(lambda x: 2.0**x), "log2": _guarded(_log2),
        "pow": _guarded(math.pow), "sin": _guarded(math.sin), "cos": _guarded(math.cos), "tan": _guarded(math.tan),
        "asin": _guarded(math.asin), "acos": _guarded(math.acos), "sinh": _guarded(math.sinh),
        "cosh": _guarded(math.cosh), "tanh": _guarded(math.tanh), "asinh": _guarded(math.asinh),
        "acosh": _guarded(math.acosh), "atanh": _guarded(math.atanh), "radians": _guarded(math.radians),
        "degrees": _guarded(math.degrees), "fma": lambda a, b, c: single(a * b + c),
        "atan": lambda *both: single(math.atan2(*both) if len(both) > 1 else math.atan(*both)),
    }
)  # fmt: skip
# Lane by lane on numbers of any one type.
_ON_NUMBERS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {"abs": abs, "min": _minimum, "max": _maximum, "clamp": lambda x, low, high: _minimum(_maximum(x, low), high)}
)
_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = MappingProxyType(
    {
        "lessThan": lambda a, b: a < b, "lessThanEqual": lambda a, b: a <= b, "greaterThan": lambda a, b: a > b,
        "greaterThanEqual": lambda a, b: a >= b, "equal": lambda a, b: a == b, "notEqual": lambda a, b: a != b,
    }
)  # fmt: skip


def dot(one: Value, other: Value) -> Value:
    """Adds up products from the first lane on."""
    return scalar("float", total([single(a * b) for a, b in zip(one.lanes, other.lanes, strict=True)]))


def _length(value: Value) -> Value:
    return scalar("float", single(math.sqrt(dot(value, value).number)))


def _normalized(value: Value) -> Value:
    root = divided(1.0, single(math.sqrt(dot(value, value).number)))
    return binary("*", value, scalar("float", root))


def _cross(a: Value, b: Value) -> Value:
    pairs = ((1, 2), (2, 0), (0, 1))
    return vector(
        "float",
        [single(single(a.lanes[i] * b.lanes[j]) - single(a.lanes[j] * b.lanes[i])) for i, j in pairs],
    )


def _bits(source: str, made: str, base: str) -> Callable[[Value], Value]:
    return lambda value: each_lane(lambda x: struct.unpack(made, struct.pack(source, x))[0], base, value)


def _whole_bits(function: Callable[[int], int]) -> Callable[[Value], Value]:
    return lambda value: each_lane(lambda x: function(x & 0xFFFFFFFF), "int", value)


def _unpacked_halves(value: Value) -> Value:
    return vector("float", struct.unpack("<2e", struct.pack("<I", value.number)))


def _packed_halves(value: Value) -> Value:
    return scalar("uint", struct.unpack("<I", struct.pack("<2e", *value.lanes))[0])


_WHOLE: Mapping[str, Callable[..., Value]] = MappingProxyType(
    {
        "dot": dot, "length": _length, "normalize": _normalized, "cross": _cross,
        "distance": lambda a, b: _length(binary("-", a, b)),
        "any": lambda value: scalar("bool", any(value.lanes)), "all": lambda value: scalar("bool", all(value.lanes)),
        "not": lambda value: each_lane(lambda lane: not lane, "bool", value),
        "isnan": lambda value: each_lane(math.isnan, "bool", value),
        "isinf": lambda value: each_lane(math.isinf, "bool", value),
        "floatBitsToInt": _bits("<f", "<i", "int"), "floatBitsToUint": _bits("<f", "<I", "uint"),
        "intBitsToFloat": _bits("<i", "<f", "float"), "uintBitsToFloat": _bits("<I", "<f", "float"),
        "bitCount": _whole_bits(int.bit_count), "findMSB": _whole_bits(lambda x: x.bit_length() - 1),
        "findLSB": _whole_bits(lambda x: (x & -x).bit_length() - 1),
        "unpackHalf2x16": _unpacked_halves, "packHalf2x16": _packed_halves,
        "sign": lambda value: each_lane(lambda x: float(_sign(x)) if value.base == "float" else _sign(x),
                                        value.base, value),
        "matrixCompMult": lambda a, b: Value(
            a.type, tuple(single(x * y) for x, y in zip(a.lanes, b.lanes, strict=True))
        ),
    }
)  # fmt: skip

# Of which a driver's own version may differ in the last places.
INEXACT = frozenset(
    {
        "exp", "log", "exp2", "log2", "pow", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
        "asinh", "acosh", "atanh", "inversesqrt", "normalize", "length", "distance", "smoothstep", "mix", "fma",
    }
)  # fmt: skip


def known(name: str) -> bool:
    """Whether `call` knows a function."""
    return name in _ON_FLOATS or name in _ON_NUMBERS or name in _COMPARED or name in _WHOLE or name == "mix"


def call(name: str, values: list[Value]) -> Value:
    """A built-in function of values; `known` says which there are."""
    if name in _WHOLE:
        return _WHOLE[name](*values)
    if name == "mix":
        by = values[2]
        base = values[0].base if by.base == "bool" else "float"
        return each_lane(_mixed, base, as_base(values[0], base), as_base(values[1], base), by)
    if name in _ON_FLOATS:
        return each_lane(_ON_FLOATS[name], "float", *(as_base(value, "float") for value in values))
    base = values[0].base
    for value in values[1:]:
        base = common_base(base, value.base)
    values = [as_base(value, base) for value in values]
    if name in _COMPARED:
        return each_lane(_COMPARED[name], "bool", *values)
    made = each_lane(_ON_NUMBERS[name], base, *values)
    return Value(made.type, tuple(wrapped(number) for number in made.lanes)) if base == "int" else made
