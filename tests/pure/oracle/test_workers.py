"""Tests threads of the oracle, and BLAS kept to one of them."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from texelscope.pipeline.arithmetic.workers import SingleThreadedBlas, Workers


@pytest.mark.parametrize("count", [1, 3])
def test_every_item_is_worked_on_once(count: int) -> None:
    done: list[int] = []
    Workers(count).each(done.append, range(20))
    assert sorted(done) == list(range(20))


def test_items_are_worked_on_side_by_side() -> None:
    both = threading.Barrier(2, timeout=10)

    def meet(_: int) -> None:
        both.wait()

    Workers(2).each(meet, range(2))
    assert not both.broken


@pytest.mark.parametrize("count", [1, 2])
def test_a_failure_reaches_the_caller(count: int) -> None:
    done: list[int] = []
    with pytest.raises(ZeroDivisionError, match="by zero"):
        Workers(count).each(lambda item: done.append(1 // item), [1, 0, 1])


def test_threads_take_numbers_as_their_caller_does() -> None:
    taken: list[str] = []
    with np.errstate(over="ignore", invalid="raise"):
        Workers(2).each(lambda _: taken.append(f"{np.geterr()['over']}, {np.geterr()['invalid']}"), range(4))
    assert taken == ["ignore, raise"] * 4


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize(("rows", "row_bytes"), [(1, 10), (7, 100), (64, 1 << 20), (3, 1 << 30)])
def test_blocks_cover_all_rows_in_order(workers: int, rows: int, row_bytes: int) -> None:
    blocks = Workers(workers).blocks(rows, row_bytes, 1 << 22)
    assert [row for block in blocks for row in range(block.start, block.stop)] == list(range(rows))
    assert all((block.stop - block.start) * row_bytes <= max(1 << 22, row_bytes) for block in blocks)


def test_small_work_is_not_cut() -> None:
    assert Workers(4).blocks(8, 100, 1 << 22) == [slice(0, 8)]


def test_work_worth_it_has_a_block_for_every_worker() -> None:
    assert len(Workers(4).blocks(8, 1 << 18, 1 << 22)) == 4


def _blas_threads() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_blas_keeps_to_one_thread_until_the_last_one_is_out() -> None:
    alone = SingleThreadedBlas()
    with threadpool_limits(2, user_api="blas"):
        with alone():
            with alone():
                assert _blas_threads() == {1}
            assert _blas_threads() == {1}
        assert _blas_threads() == {2}
        with alone():
            assert _blas_threads() == {1}
        assert _blas_threads() == {2}
