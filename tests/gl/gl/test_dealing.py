"""Where a small draw is placed, so that the blocks of a software driver are equal shares."""

from __future__ import annotations

import pytest

from texelscope.pipeline.gl.dealing import BLOCK, left_of


def _columns_of_the_busiest(left: int, width: int, cores: int) -> int:
    """Counts pixel by pixel: each core takes the next block once it is done with one."""
    taken = [0] * cores
    for block in range(left // BLOCK, (left + width - 1) // BLOCK + 1):
        busy = taken.index(min(taken))
        taken[busy] += sum(left <= x < left + width for x in range(block * BLOCK, (block + 1) * BLOCK))
    return max(taken)


@pytest.mark.parametrize(("width", "cores", "left"), [(64, 2, 32), (84, 2, 20), (128, 2, 0), (63, 4, 32), (40, 1, 0)])
def test_a_draw_is_placed_across_the_edge_of_a_block(width: int, cores: int, left: int) -> None:
    assert left_of(width, cores) == left


@pytest.mark.parametrize("cores", [2, 3, 4, 8, 16])
def test_no_core_has_more_to_do_than_at_the_left_edge(cores: int) -> None:
    for width in range(1, 700):
        left = left_of(width, cores)
        assert 0 <= left < BLOCK
        assert _columns_of_the_busiest(left, width, cores) <= _columns_of_the_busiest(0, width, cores), width


def test_two_cores_share_every_small_draw_within_a_group_of_pixels() -> None:
    for width in range(4, 129):
        assert _columns_of_the_busiest(left_of(width, 2), width, 2) <= width / 2 + 4, width


def test_a_wide_draw_stays_at_the_left_edge() -> None:
    assert left_of(5000, 2) == 0
