"""What element types hold, against the tables of ONNX's specification."""

from __future__ import annotations

import math

import numpy as np
import pytest

from texelscope.pipeline.operators.element_types import SMALL_FLOATS, is_small_float, small_float_constants, whole_range
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF
from texelscope.pipeline.plan import EXACT_INTEGERS

# Bits after the leading one, least exponent, largest number, what lies beyond it, what stands for NaN
# (ONNX, "Float stored in 8 bits" and "in 4 bits").
SPECIFIED = {
    "float8_e4m3fn": (3, -6, 448.0, math.nan, math.nan),
    "float8_e4m3fnuz": (3, -7, 240.0, math.nan, math.nan),
    "float8_e5m2": (2, -14, 57344.0, math.inf, math.nan),
    "float8_e5m2fnuz": (2, -15, 57344.0, math.nan, math.nan),
    "float4_e2m1fn": (1, 0, 6.0, 6.0, 0.0),
}


@pytest.mark.parametrize("dtype", SPECIFIED)
def test_a_shader_is_told_of_a_small_float_what_onnx_specifies(dtype: str) -> None:
    found = small_float_constants(dtype)
    assert list(found) == ["BITS", "LEAST_EXPONENT", "LARGEST", "BEYOND", "FOR_NAN"]
    assert [repr(each) for each in found.values()] == [repr(each) for each in SPECIFIED[dtype]]  # NaN, −0 and int too


def test_every_small_float_of_the_specification_is_known() -> None:
    assert set(SMALL_FLOATS) == set(SPECIFIED)
    assert all(map(is_small_float, SPECIFIED))


@pytest.mark.parametrize(
    ("dtype", "power"), [("float32", 24), ("float16", 11), ("bfloat16", 8), ("float8_e4m3fnuz", 4),
                         ("float8_e4m3fn", 4), ("float8_e5m2", 3), ("float8_e5m2fnuz", 3), ("float4_e2m1fn", 2)],
)  # fmt: skip
def test_the_unit_roundoff_is_half_of_the_step_beside_one(dtype: str, power: int) -> None:
    assert UNIT_ROUNDOFF[dtype] == 2.0**-power


@pytest.mark.parametrize(
    ("dtype", "held"), [("bool", (0, 1)), ("int2", (-2, 1)), ("uint4", (0, 15)), ("int8", (-128, 127)),
                        ("uint16", (0, 65535)), ("int64", (-(2**63), 2**63 - 1)), ("uint64", (0, 2**64 - 1)),
                        ("float32", None), ("float8_e8m0fnu", None), ("bfloat16", None)],
)  # fmt: skip
def test_whole_numbers_of_a_type_are_known_by_its_name(dtype: str, held: tuple[int, int] | None) -> None:
    assert whole_range(dtype) == held


def test_float32_holds_every_integer_up_to_the_limit_and_not_the_next() -> None:
    assert EXACT_INTEGERS == 2**24
    assert int(np.float32(EXACT_INTEGERS - 1)) == EXACT_INTEGERS - 1
    assert int(np.float32(EXACT_INTEGERS + 1)) != EXACT_INTEGERS + 1
