"""Tests loops over channels that begin late, end early or jump."""

from __future__ import annotations

import pytest

from texelscope.pipeline.diagnose.fault_models.reductions import MOST_ENDS, ends


@pytest.mark.parametrize(("count", "some"), [(6, [1, 2, 3, 4, 5]), (1000, [1, 512, 500, 875])])
def test_a_loop_may_end_anywhere_among_few_and_at_round_numbers_of_many(count: int, some: list[int]) -> None:
    assert set(some) <= set(ends(count))
    assert max(ends(count)) < count
    assert count <= MOST_ENDS or len(list(ends(count))) < 20
