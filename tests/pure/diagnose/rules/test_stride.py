"""Strides that reach only the blocks of a texel's lanes, or only the elements of a block."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.diagnose.rules.stride import of_blocks, of_elements


def test_a_stride_of_the_blocks_alone_leaves_their_elements_one_apart() -> None:
    assert of_blocks(np.arange(6), 2, 2).tolist() == [0, 1, 4, 5, 8, 9]
    assert of_blocks(np.arange(6), 3, 4).tolist() == [0, 1, 2, 3, 12, 13]


def test_a_stride_of_the_elements_alone_lets_blocks_overlap() -> None:
    assert of_elements(np.arange(6), 2, 2).tolist() == [0, 2, 2, 4, 4, 6]


@pytest.mark.parametrize("step", [1, 2, 3])
def test_blocks_of_one_are_no_blocks(step: int) -> None:
    every = np.arange(7)
    assert of_blocks(every, step, 1).tolist() == of_elements(every, step, 1).tolist() == (every * step).tolist()
