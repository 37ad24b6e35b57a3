"""Numbers as formats in 32 bits hold them: ten and two bits from 0 to 1, and small floats without a sign."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.layouts import layout
from texelscope.pipeline.compare.figures import rounding_by_storage
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.planning.storage import as_stored, components, lanes_of


def test_ten_bits_hold_1024_steps_and_two_bits_four() -> None:
    texels = np.array([[[0.5, -1.0, 2.0, 0.5], [1 / 1023, 0.4999 / 1023, 0.7, 0.1]]], np.float32)
    held = components(texels, "rgb10_a2")
    assert np.rint(held * 1023)[0, :, :3].tolist() == [[512, 0, 1023], [1, 0, 716]]
    assert held[0, :, 3].tolist() == pytest.approx([2 / 3, 0.0])


@pytest.mark.parametrize(
    ("value", "held"),
    [
        (1.0, (1.0, 1.0)), (-3.0, (0.0, 0.0)), (0.0, (0.0, 0.0)), (1.0 + 1 / 64, (1.0 + 1 / 64, 1.0)),
        (1e9, (65024.0, 64512.0)), (65024.0, (65024.0, 64512.0)), (np.inf, (np.inf, np.inf)),
        (2.0**-20, (0.0, 0.0)), (2.0**-14, (2.0**-14, 2.0**-14)), (3.3, (3.3125, 3.3125)), (-np.inf, (0.0, 0.0)),
    ],
    ids=str,
)  # fmt: skip
def test_a_float_of_11_bits_has_six_of_mantissa_and_one_of_10_bits_five(
    value: float, held: tuple[float, float]
) -> None:
    red, green, blue, alpha = components(np.full((1, 1, 4), value, np.float32), "r11g11b10")[0, 0]
    assert (red, green, blue, alpha) == (held[0], held[0], held[1], 1.0)


def test_nan_stays_nan_in_small_floats() -> None:
    assert np.isnan(components(np.full((1, 1, 3), np.nan, np.float32), "r11g11b10")).all()


@pytest.mark.parametrize(("storage", "channels"), [("rgb10_a2", 4), ("r11g11b10", 3)])
def test_a_value_in_range_is_held_within_the_bound_of_its_lane(storage: str, channels: int) -> None:
    shape = (2, channels, 5, 7)
    stored = StoredTensor("x", "x", shape, layout("channel_tiles_rgba"), storage)  # type: ignore[arg-type]
    random = np.random.default_rng(2)
    values = random.uniform(0.0, 1.0, shape)
    if storage == "r11g11b10":
        values = random.uniform(1.0, 1.99, shape) * np.exp2(random.integers(-14, 15, shape))
    off = np.abs(as_stored(values, stored) - values)
    bound = rounding_by_storage(Expected(values, None), stored)
    assert np.all(off <= bound)
    for lane in range(channels):
        of_lane = lanes_of(stored) == lane
        assert np.array_equal(of_lane, np.broadcast_to(np.arange(channels)[:, None, None] == lane, shape))
        assert (off[of_lane] / bound[of_lane]).max() > 0.3, "nearest is at most half of what a driver may do"
