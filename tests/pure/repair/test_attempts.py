"""What is tried has a time of its own within that of the search."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from texelscope.pipeline.repair.attempts import Attempts


def attempts(*, is_late: bool) -> Attempts:
    trials: Any = SimpleNamespace(plain=SimpleNamespace(outcome=0))
    bench, text, found, leftover = (cast(Any, SimpleNamespace(repairs=())) for _ in range(4))
    return Attempts(bench, trials, text, found, leftover, 0, lambda: is_late)


def test_a_part_of_the_search_ends_at_its_own_time_and_what_follows_does_not() -> None:
    each = attempts(is_late=False)
    with each.within(-1.0):
        assert each.is_late()
        assert each.is_over
    assert not each.is_late()


def test_no_part_of_the_search_goes_on_when_that_is_over() -> None:
    each = attempts(is_late=True)
    with each.within(100.0):
        assert each.is_late()
