"""Tests that a border is recognised as one number, and only where nothing inside is in it."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.diagnose.fault_models.region import regions


def test_what_lies_all_round_is_the_border() -> None:
    elements = np.ones((1, 2, 6, 7), dtype=bool)
    elements[:, :, 2:-2, 2:-2] = False
    address = np.arange(elements.size).reshape(12, 7, 1)
    found = [region for region in regions(elements, address) if region.says == "the border of 2"]
    assert [(region.numbers, np.array_equal(region.mask, elements)) for region in found] == [(1, True)]
    elements[:, :, 3, 3] = True
    assert not [region for region in regions(elements, address) if "border" in region.says]
