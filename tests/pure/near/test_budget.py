"""What a budget of seconds holds."""

from __future__ import annotations

import pytest

from tests.near.budget import MODULE_SECONDS, START_SECONDS, choose
from tests.near.ranking import Candidate, Nearness


def candidates(*seconds: float, folder: str = "tests/pure") -> list[Candidate]:
    """Test modules of these lengths, the nearest first."""
    return [Candidate(f"{folder}/test_{place}.py", Nearness.DIRECT, place, each) for place, each in enumerate(seconds)]


def test_modules_are_added_until_the_budget_is_spent() -> None:
    budget = START_SECONDS + 52.0
    choice = choose(candidates(*[10.0] * 20), budget, workers=2)
    assert len(choice.chosen) == 10
    assert len(choice.left_out) == 10
    assert START_SECONDS + 50.0 < choice.seconds <= budget


def test_one_that_is_too_long_is_left_out_and_shorter_ones_behind_it_are_not() -> None:
    choice = choose(candidates(1.0, 500.0, 2.0), budget=60.0, workers=2)
    assert [each.seconds for each in choice.chosen] == [1.0, 2.0]
    assert [each.seconds for each in choice.left_out] == [500.0]


def test_a_larger_budget_holds_more() -> None:
    every = candidates(*[7.0] * 100)
    counts = [len(choose(every, budget, 2).chosen) for budget in (30.0, 60.0, 120.0)]
    assert counts == sorted(set(counts))


def test_workers_share_the_modules() -> None:
    every = candidates(*[10.0] * 4)
    alone, together = choose(every, 1000.0, 1), choose(every, 1000.0, 2)
    assert alone.seconds - START_SECONDS == pytest.approx(40.0 + 4 * MODULE_SECONDS)
    assert together.seconds - START_SECONDS == pytest.approx(20.0 + 4 * MODULE_SECONDS)


def test_windows_are_run_last() -> None:
    every = [*candidates(1.0, folder="tests/gui"), *candidates(1.0, 1.0)]
    assert choose(every, 60.0, 2).in_order == [
        "tests/pure/test_0.py",
        "tests/pure/test_1.py",
        "tests/gui/test_0.py",
    ]


def test_what_needs_a_browser_or_files_of_others_is_left_to_its_target() -> None:
    every = candidates(1.0, folder="tests/browser")
    assert choose(every, 60.0, 2).left_out == tuple(every)
