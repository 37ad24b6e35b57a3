"""Designed inputs: a number tells its lane, and padding holds what padding holds in a pass."""

from __future__ import annotations

import numpy as np

from texelscope import layouts
from texelscope.pipeline.diagnose.probes.designs import UNKNOWN, lanes_of, lit
from texelscope.pipeline.plan import StoredTensor

STORED = [StoredTensor(name, name, (1, 6, 3, 5), layouts.layout("channel_tiles_rgba")) for name in ("a", "b")]


def test_every_element_has_a_code_of_its_own_that_float32_holds() -> None:
    lanes = lanes_of(STORED)
    assert lanes is not None
    held = lanes.element >= 0
    assert held.sum() == 2 * 90
    assert len(np.unique(lanes.code[held].astype(np.float32))) == 180
    assert not lanes.code[~held].any()
    assert np.array_equal(lanes.lane_of(lanes.code[held].astype(np.float32).astype(np.float64)), np.flatnonzero(held))


def test_what_is_no_code_tells_no_lane() -> None:
    lanes = lanes_of(STORED)
    assert lanes is not None
    odd = np.array([0.5 * lanes.unit, 0.0, np.nan, 2.0, lanes.unit * 1.5])
    assert lanes.lane_of(odd).tolist() == [UNKNOWN] * 5


def test_some_lanes_of_each_tensor_are_lit() -> None:
    lanes = lanes_of(STORED)
    assert lanes is not None
    chosen = lit(lanes, 0.0, np.random.default_rng(0))
    assert (lanes.element[chosen] >= 0).all()
    assert np.unique(lanes.tensor[chosen]).tolist() == [0, 1]
