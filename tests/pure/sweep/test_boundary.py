"""The smallest wrong size is found, with few runs, where errors are not monotone too."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import pytest

from texelscope.pipeline.sweep.braces import parse
from texelscope.pipeline.sweep.points import BoundarySearch, State, SweepPoint


def search(shape: str, state: Callable[..., State], seconds: float = 60.0) -> BoundarySearch:
    """Makes a search over the braces of a shape; `state` maps their values, in order, to a verdict."""
    _, braces = parse([shape])

    def attempt(sizes: Mapping[str, int]) -> SweepPoint:
        return SweepPoint(sizes, {}, state(*sizes.values()))

    return BoundarySearch(braces, attempt, time.monotonic() + seconds)


def sizes(found: SweepPoint | None) -> list[int] | None:
    return None if found is None else list(found.sizes.values())


@pytest.mark.parametrize("first", [16, 17, 32, 33, 129, 256, 511, 512])
def test_the_exact_smallest_size_is_found_in_few_runs(first: int) -> None:
    made = search("x=1,{16..512}", lambda size: "wrong" if size >= first else "right")
    assert sizes(made.smallest()) == [first]
    assert len(made.points) <= 16


def test_powers_of_two_that_are_right_hide_nothing() -> None:
    made = search("x=1,{16..500}", lambda size: "wrong" if size > 64 and size & (size - 1) else "right")
    assert sizes(made.smallest()) == [257]  # the stretch before the first wrong probe, 500, is from 256 on


def test_a_single_wrong_size_among_the_probes_is_found() -> None:
    made = search("x=1,{16..512}", lambda size: "wrong" if size == 64 else "right")
    assert sizes(made.smallest()) == [64]
    assert made.points[-1].state == "right" or made.points[3].sizes == {"16..512": 512}


def test_nothing_wrong_is_nothing() -> None:
    made = search("x=1,{16..512}", lambda _size: "right")
    assert made.smallest() is None
    assert [each.sizes["16..512"] for each in made.points] == [16, 32, 64, 128, 256, 512]


def test_sizes_that_do_not_run_are_stepped_over() -> None:
    made = search("x=1,{16..512}", lambda size: "not run" if size % 4 else "wrong" if size >= 100 else "right")
    assert sizes(made.smallest()) == [100]


def test_braces_shrink_one_by_one() -> None:
    made = search("x={1..64},{10..90}", lambda a, b: "wrong" if a >= 5 and b >= 33 else "right")
    assert sizes(made.smallest()) == [5, 33]


def test_time_that_runs_out_is_told() -> None:
    made = search("x=1,{16..512}", lambda size: "wrong" if size >= 100 else "right", seconds=-1.0)
    assert made.smallest() is None
    assert made.ended
    assert len(made.points) == 1
