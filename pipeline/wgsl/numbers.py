"""Reads and writes literal numbers, and computes with constants."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

import numpy as np

from texelscope.pipeline.wgsl.types import (
    ABSTRACT_FLOAT,
    ABSTRACT_INT,
    BOOL,
    F16,
    F32,
    I32,
    U32,
    ScalarType,
)

Value = int | float | bool
_LOWEST = -(2**31)


def scalar_of_literal(text: str) -> ScalarType:
    """Returns the type of a literal."""
    if text in ("true", "false"):
        return BOOL
    is_hex = text[:2] in ("0x", "0X")
    if text[-1] == "u":
        return U32
    if text[-1] == "i":
        return I32
    if is_hex and not set(text) & set(".pP"):
        return ABSTRACT_INT
    if text[-1] in "fh" and not (is_hex and not set(text) & set("pP")):
        return F32 if text[-1] == "f" else F16
    return ABSTRACT_FLOAT if set(text) & set(".eEpP") else ABSTRACT_INT


def value_of_literal(text: str) -> Value:
    """Returns the number of a literal."""
    if text in ("true", "false"):
        return text == "true"
    kind = scalar_of_literal(text)
    if kind in (F32, F16, ABSTRACT_FLOAT):
        bare = text[:-1] if kind in (F32, F16) else text
        return float.fromhex(bare) if bare[:2] in ("0x", "0X") else float(bare)
    return int(digits(text), 0)


def digits(text: str) -> str:
    """Returns a literal number without the letter that says its type; a hexadecimal number may end in `f`."""
    is_hex = text[:2] in ("0x", "0X")
    letters = "iu" if is_hex and not set(text) & set("pP") else "iufh"
    return text[:-1] if text[-1] in letters else text


def number(value: Value, kind: ScalarType, spelled: str = "") -> str:
    """Returns a number of a type in GLSL; as it is `spelled`, if that can stay."""
    if kind == BOOL:
        return "true" if value else "false"
    if kind in (F32, F16, ABSTRACT_FLOAT):
        return _float(float(value), spelled)
    whole = int(value)
    if kind == U32:
        return f"{spelled}u" if spelled else f"{whole % 2**32}u"
    if whole == _LOWEST:
        return "(-2147483647 - 1)"
    return spelled or str(whole)


def _float(value: float, spelled: str) -> str:
    bare = digits(spelled) if spelled else ""
    if bare and bare[:2] not in ("0x", "0X") and set(bare) & set(".eE"):
        return bare
    if value in (float("inf"), float("-inf")) or value != value:
        return f"uintBitsToFloat({int(np.float32(value).view(np.uint32))}u)"
    text = np.format_float_positional(np.float32(value), trim="0")
    return text if len(text) < 20 else repr(float(np.float32(value)))


def computed(sign: str, left: Value, right: Value) -> Value | None:
    """Returns the result of an operator on constants; None where there is none."""
    if sign in ("/", "%") and right == 0:
        return None
    if isinstance(left, float) or isinstance(right, float):
        return None if sign not in _FLOATS else _FLOATS[sign](left, right)
    return None if sign not in _WHOLE else _WHOLE[sign](int(left), int(right))


def is_same_in_32_bits(sign: str, left: Value, right: Value) -> bool:
    """Whether floats computed in 32 bits give what those of 64 bits round to."""
    wide = computed(sign, float(left), float(right))
    if wide is None:
        return True
    with np.errstate(all="ignore"):
        narrow = _FLOATS[sign](np.float32(left), np.float32(right))  # type: ignore[arg-type]
    return bool(np.float32(wide) == np.float32(narrow))


def _divided(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


_COMPARED: Mapping[str, Callable[[Value, Value], Value]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_FLOATS: Mapping[str, Callable[[Value, Value], Value]] = {
    **_COMPARED, "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "%": lambda left, right: left - right * int(left / right),
}  # fmt: skip
_WHOLE: Mapping[str, Callable[[int, int], Value]] = {
    **_COMPARED, "+": operator.add, "-": operator.sub, "*": operator.mul, "/": _divided,
    "%": lambda left, right: left - right * _divided(left, right),
    "<<": lambda left, right: left << (right & 31), ">>": lambda left, right: left >> (right & 31),
    "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "&&": lambda left, right: bool(left and right), "||": lambda left, right: bool(left or right),
}  # fmt: skip
