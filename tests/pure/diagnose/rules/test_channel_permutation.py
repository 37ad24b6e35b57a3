"""Weights with inputs and outputs swapped in part, and loops over channels that begin late, end early or jump."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.diagnose.mistakes.reductions import MOST_ENDS, ends
from pipeline.diagnose.rules.filter_io_swap import in_parts
from pipeline.diagnose.rules.missing_channels import runs


def test_a_matrix_of_four_on_the_wrong_side_swaps_within_blocks() -> None:
    w = np.random.default_rng(0).standard_normal((8, 8)).astype(np.float32)
    made = dict(in_parts(w, 1))
    blocks = np.block([[w[:4, :4].T, w[:4, 4:].T], [w[4:, :4].T, w[4:, 4:].T]])
    np.testing.assert_array_equal(made["in blocks of four"], blocks)
    np.testing.assert_array_equal(made["by blocks of four"], np.block([[w[:4, :4], w[4:, :4]], [w[:4, 4:], w[4:, 4:]]]))


def test_beyond_the_last_channel_of_a_block_is_zero() -> None:
    w = np.arange(1, 22, dtype=np.float32).reshape(7, 3)
    zeros = next(taken for text, taken in in_parts(w, 1) if text == "in blocks of four")
    np.testing.assert_array_equal(zeros[:3, :3], w[:3, :3].T)
    np.testing.assert_array_equal(zeros[3], np.zeros(3))
    np.testing.assert_array_equal(zeros[4:, :3], w[4:7, :3].T)


def test_groups_are_swapped_each_by_itself() -> None:
    w = np.random.default_rng(0).standard_normal((4, 2, 3, 3)).astype(np.float32)
    within = dict(in_parts(w, 2))["within a group"]
    np.testing.assert_array_equal(within[1, 0], w[0, 1])
    np.testing.assert_array_equal(within[3, 0], w[2, 1])


def test_a_swap_that_turns_the_kernels_too() -> None:
    w = np.random.default_rng(0).standard_normal((3, 3, 2, 3)).astype(np.float32)
    turned = dict(in_parts(w, 1))["and turned by half a turn"]
    np.testing.assert_array_equal(turned[2, 0], w[0, 2, ::-1, ::-1])


@pytest.mark.parametrize(("count", "some"), [(6, [1, 2, 3, 4, 5]), (1000, [1, 512, 500, 875])])
def test_a_loop_may_end_anywhere_among_few_and_at_round_numbers_of_many(count: int, some: list[int]) -> None:
    assert set(some) <= set(ends(count))
    assert max(ends(count)) < count
    assert count <= MOST_ENDS or len(list(ends(count))) < 20


@pytest.mark.parametrize(
    "missing",
    [[4, 5, 6, 7, 8, 9], [0, 1, 2], [1, 2, 4, 5, 7, 8], [2, 3, 6, 7], [4, 5, 6, 7]],
    ids=["ends early", "begins late", "steps of three", "two of four, the rest by itself", "one group of four"],
)
def test_what_a_wrong_loop_over_ten_channels_leaves_out(missing: list[int]) -> None:
    assert missing in list(runs(list(range(10))))
