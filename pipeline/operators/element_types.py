"""Element types by their numpy names, as far as shaders have to know them; ONNX's narrow ones included."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from texelscope.pipeline.operators.base import Constant

# ONNX, "Float stored in 8 bits" and "in 4 bits"; what they hold is ml_dtypes' to say, which onnx itself rounds by.
SMALL_FLOATS = ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float4_e2m1fn")
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
    return dtype in SMALL_FLOATS


def is_narrow_float(dtype: str) -> bool:
    """Whether it is a float that holds less than float32 does."""
    return dtype in ("float16", "bfloat16", POWER_OF_TWO) or is_small_float(dtype)


def is_number(dtype: str) -> bool:
    """Whether a float texture holds it: a float, an integer or a truth value."""
    return is_integer(dtype) or is_wide_float(dtype) or is_small_float(dtype) or dtype in ("bool", POWER_OF_TWO)


def small_float_constants(dtype: str) -> dict[str, Constant]:
    """The names under which `cast/to_small_float.glsl` knows the format.

    Bits after the leading one, least exponent, largest number, what lies beyond it without saturation, and what stands
    for NaN.
    """
    format_ = np.dtype(dtype)
    limits = ml_dtypes.finfo(format_)
    beyond, for_nan = (float(np.float32(special).astype(format_)) for special in (np.inf, np.nan))
    return {
        "BITS": int(limits.nmant),
        "LEAST_EXPONENT": int(limits.minexp),
        "LARGEST": float(limits.max),
        "BEYOND": beyond,
        "FOR_NAN": abs(for_nan),  # without NaN it is zero, of a sign that nobody defines
    }


def whole_range(dtype: str) -> tuple[int, int] | None:
    """The least and greatest number of an integer or truth type, by its name; None for a type of floats."""
    if dtype == "bool":
        return 0, 1
    if not is_integer(dtype):
        return None
    limits = ml_dtypes.iinfo(np.dtype(dtype))
    return int(limits.min), int(limits.max)
