"""Numbers as text in a page: they come back bit for bit, or as near as was asked for."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from texelscope.pipeline.export.live_page.packed import COARSE_BITS, FINE_BITS, packed, rounded, steps_apart

ODD = np.array([0.0, -0.0, 1.0, -1.5, 3.4e38, -3.4e38, 1e-45, np.inf, -np.inf, np.nan], np.float32)


def unpacked(text: str, dtype: Any) -> NDArray[Any]:
    """Reads as `packed.js` does."""
    size = np.dtype(dtype).itemsize
    planes = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8).reshape(size, -1)
    return np.ascontiguousarray(planes.T).reshape(-1).view(dtype)


def stepped(values: NDArray[np.float32], steps: NDArray[np.uint32]) -> NDArray[np.float32]:
    """Adds steps as `packed.js` does."""
    bits = values.view(np.uint32)
    ordered = np.where(bits >> 31, ~bits, bits | np.uint32(0x80000000))
    moved = ordered + ((steps >> 1) ^ (np.uint32(0) - (steps & 1)))
    again: NDArray[np.uint32] = np.where(moved >> 31, moved & np.uint32(0x7FFFFFFF), ~moved).astype(np.uint32)
    return again.view(np.float32)


@pytest.mark.parametrize("dtype", ["float32", "int32", "uint16"])
def test_numbers_come_back_bit_for_bit(dtype: str) -> None:
    values = np.arange(-7, 8).astype(dtype).reshape(3, 5)
    assert unpacked(packed(values), dtype).tobytes() == values.tobytes()


def test_steps_lead_from_any_float_to_any_other_bit_for_bit() -> None:
    values, others = (each.reshape(-1) for each in np.meshgrid(ODD, ODD))
    again = stepped(np.ascontiguousarray(values), steps_apart(values, others))
    assert again.tobytes() == np.ascontiguousarray(others).tobytes()


def test_neighbours_are_one_step_apart() -> None:
    one = np.array([1.0, -1.0, 0.0], np.float32)
    assert steps_apart(one, np.nextafter(one, np.float32(np.inf))).tolist() == [2, 2, 2]
    assert steps_apart(one, one).tolist() == [0, 0, 0]


@pytest.mark.parametrize("bits", [FINE_BITS, COARSE_BITS])
def test_rounded_values_are_as_near_as_promised_and_deflate_better(bits: int) -> None:
    values = np.random.default_rng(1).normal(size=4096).astype(np.float32)
    near = rounded(values, bits)
    assert (np.abs(near - values) <= np.abs(values) * 2.0 ** -(bits + 1)).all()
    assert len(packed(near)) < 0.75 * len(packed(values))


def test_numbers_that_are_not_finite_stay_and_no_other_becomes_one() -> None:
    near = rounded(ODD, COARSE_BITS)
    assert (np.isfinite(near) == np.isfinite(ODD)).all()
    assert near[-3:].tobytes() == ODD[-3:].tobytes()
