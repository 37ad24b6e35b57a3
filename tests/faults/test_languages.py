"""Tests what a diagnosis owes to shaders of other languages: bugs are named, in the author's file.

Measured on 21 bugs in HLSL: the culprit of all, a true name first of 18, the line of 10 by the finding alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import moderngl
import pytest

from tests.faults.fresh.cases import Case, cases_of, styles
from tests.faults.fresh.outcome import Outcome, reported

HOME = "tests.faults.languages"
# Shares of the bugs of a language; as measured, less one bug.
NAMED, LINES = 0.80, 0.40

OutcomesOf = Callable[[str], tuple[Outcome, ...]]


@pytest.fixture(scope="module")
def outcomes_of(gl: moderngl.Context) -> OutcomesOf:
    """The outcome of each bug of a language, without repairs."""

    @lru_cache
    def outcomes(style: str) -> tuple[Outcome, ...]:
        return tuple(reported(case, gl, "none")[0] for case in cases_of(style, HOME))

    return outcomes


@pytest.mark.timeout(600)
@pytest.mark.parametrize("style", styles(HOME))
def test_every_culprit_is_found_and_bugs_are_named_at_their_lines(style: str, outcomes_of: OutcomesOf) -> None:
    outcomes = outcomes_of(style)
    assert all(each.culprit for each in outcomes)
    assert sum(bool(each.cause) for each in outcomes) >= NAMED * len(outcomes)
    assert sum(bool(each.line) for each in outcomes) >= LINES * len(outcomes)
    assert not any(each.sure_wrong for each in outcomes)


def test_every_edit_can_be_made_once() -> None:
    cases: list[Case] = [case for style in styles(HOME) for case in cases_of(style, HOME)]
    for case in cases:
        for swap in case.swaps:
            assert (case.folder / swap.file).read_text(encoding="utf-8").count(swap.old) == 1, case.what.name
