"""Numbers by their bits: what a shader takes a word of a buffer for, and numbers of which several share a word.

A term of bits remembers the numbers that it was made of, so that these come back where a shader unpacks them.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.symbolic.terms import SymbolicTerm, value_of

# How many numbers of a storage share four bytes.
PER_WORD: Mapping[str, int] = MappingProxyType({"float32": 1, "float16": 2, "uint8": 4})
_PACK: Mapping[int, str] = MappingProxyType({2: "packHalf2x16", 4: "packUnorm4x8"})
_TO_BITS: Mapping[str, str] = MappingProxyType({"int": "floatBitsToInt", "uint": "floatBitsToUint"})
_OF_BITS = frozenset(_TO_BITS.values())
# What turns bits of one sign into the other's.
_RECAST = frozenset({"int", "uint"})
_MOST_HALF = 65504.0
_WORD = (1 << 32) - 1


def _single_bits(number: float) -> int:
    try:
        return int(struct.unpack("<I", struct.pack("<f", number))[0])
    except OverflowError:
        return 0xFF800000 if number < 0 else 0x7F800000


def _signed(bits: int) -> int:
    return bits - (1 << 32) if bits & 0x80000000 else bits


def bits_of(number: Any, scalar: str, row: int) -> Any:
    """Returns the bits of a float as an `int` or a `uint`."""
    if scalar == "bool":
        return bool(_single_bits(value_of(number)))
    bits = _single_bits(float(value_of(number)))
    bits = _signed(bits) if scalar == "int" else bits
    return SymbolicTerm(_TO_BITS[scalar], (number,), bits, row) if type(number) is SymbolicTerm else bits


def _bare(value: Any) -> Any:
    """Returns a term of bits without conversions of its sign."""
    while type(value) is SymbolicTerm and value.op in _RECAST:
        value = value.args[0]
    return value


def float_of(value: Any) -> Any:
    """Returns the float whose bits an integer has: the float itself where the bits are some float's."""
    value = _bare(value)
    if type(value) is SymbolicTerm:
        if value.op in _OF_BITS:
            return value.args[0]
        return SymbolicTerm("uintBitsToFloat", (value,), _float(value.value), value.row)
    return _float(value)


def _float(bits: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", int(bits) & _WORD))[0])


def number_of_bits(value: Any) -> Any:
    """Returns what a word of floats holds after a value is written: a float by itself, an integer by its bits."""
    plain = value_of(value)
    return value if isinstance(plain, float) else float_of(value)


def _half_bits(number: float) -> int:
    if math.isfinite(number) and abs(number) < _MOST_HALF:
        return int(struct.unpack("<H", struct.pack("<e", number))[0])
    sign = 0x8000 if math.copysign(1.0, number) < 0 else 0
    return sign | (0x7E00 if number != number else 0x7BFF if abs(number) == _MOST_HALF else 0x7C00)


def _byte(number: float) -> int:
    return round(min(max(number, 0.0), 1.0) * 255.0) if number == number else 0


_PACKED: Mapping[int, Callable[[tuple[float, ...]], int]] = MappingProxyType(
    {
        2: lambda numbers: _half_bits(numbers[0]) | _half_bits(numbers[1]) << 16,
        4: lambda numbers: sum(_byte(number) << 8 * lane for lane, number in enumerate(numbers)),
    }
)
_UNPACKED: Mapping[int, Callable[[int], tuple[float, ...]]] = MappingProxyType(
    {
        2: lambda bits: struct.unpack("<2e", struct.pack("<I", bits)),
        4: lambda bits: tuple((bits >> 8 * lane & 0xFF) / 255.0 for lane in range(4)),
    }
)


def packed(numbers: tuple[Any, ...], row: int) -> Any:
    """Returns a word of two halves or four bytes."""
    bits = _PACKED[len(numbers)](tuple(float(value_of(each)) for each in numbers))
    if any(type(each) is SymbolicTerm for each in numbers):
        return SymbolicTerm(_PACK[len(numbers)], numbers, bits, row)
    return bits


def unpacked(value: Any, count: int) -> tuple[Any, ...]:
    """Returns the two halves or four bytes of a word."""
    value = _bare(value)
    if type(value) is not SymbolicTerm:
        return _UNPACKED[count](int(value) & _WORD)
    if value.op == _PACK[count]:
        return tuple(value.args)
    numbers = _UNPACKED[count](int(value.value) & _WORD)
    return tuple(
        SymbolicTerm(f"{_PACK[count]} lane {lane}", (value,), number, value.row) for lane, number in enumerate(numbers)
    )
