"""Element types by their numpy names, as far as shaders have to know them; ONNX's narrow ones included."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from pipeline.operators.base import Constant

# Bits after the leading one, least exponent, largest number, what lies beyond it without saturation, and what stands
# for NaN: float formats of 4 and 8 bits (ONNX, "Float stored in 8 bits" and "in 4 bits").
_SMALL_FLOATS: Mapping[str, tuple[int, int, float, float, float]] = MappingProxyType(
    {
        "float8_e4m3fn": (3, -6, 448.0, math.nan, math.nan),
        "float8_e4m3fnuz": (3, -7, 240.0, math.nan, math.nan),
        "float8_e5m2": (2, -14, 57344.0, math.inf, math.nan),
        "float8_e5m2fnuz": (2, -15, 57344.0, math.nan, math.nan),
        "float4_e2m1fn": (1, 0, 6.0, 6.0, 0.0),
    }
)
# Powers of two alone: an exponent of 8 bits and nothing else.
POWER_OF_TWO = "float8_e8m0fnu"
# float64 is stored as float32, which the bounds know.
_WIDE_FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})


def is_integer(dtype: str) -> bool:
    """Whether it is one of ONNX's integers."""
    return dtype.startswith(("int", "uint"))


def is_wide_float(dtype: str) -> bool:
    """Whether it is a float of 16 bits or more."""
    return dtype in _WIDE_FLOATS


def is_small_float(dtype: str) -> bool:
    """Whether it is a float of 4 or 8 bits with a sign and a fraction."""
    return dtype in _SMALL_FLOATS


def is_number(dtype: str) -> bool:
    """Whether a float texture holds it: a float, an integer or a truth value."""
    return is_integer(dtype) or is_wide_float(dtype) or is_small_float(dtype) or dtype in ("bool", POWER_OF_TWO)


def small_float_constants(dtype: str) -> dict[str, Constant]:
    """The names under which `cast/to_small_float.glsl` knows the format."""
    return dict(zip(("BITS", "LEAST_EXPONENT", "LARGEST", "BEYOND", "FOR_NAN"), _SMALL_FLOATS[dtype], strict=True))
