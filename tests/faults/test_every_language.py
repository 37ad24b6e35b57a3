"""Tests what a diagnosis owes to shaders of other languages: bugs are named, in the author's file.

Measured without repairs: of 21 bugs in HLSL the culprit of all, a true name first of 18, the line of 10 by the finding
alone; of 22 in WGSL the culprit of all, a name of 16, the line of 10. With repairs, as `diff --diagnose` has them, 19
and 20 have a true name, 20 and 18 their line, and 17 and 15 a repair in their language that holds at other sizes too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import moderngl
import pytest

from tests.faults.fresh.cases import cases_of, styles
from tests.faults.fresh.outcome import Outcome, reported
from tests.faults.languages import HOME

# Shares of the bugs of a language, its names and its lines; as measured, less one bug.
LEAST = {"hlsl": (0.80, 0.40), "wgsl": (0.60, 0.40)}

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
    names, lines = LEAST[style]
    assert all(each.culprit for each in outcomes)
    assert sum(bool(each.cause) for each in outcomes) >= names * len(outcomes)
    assert sum(bool(each.line) for each in outcomes) >= lines * len(outcomes)
    assert not any(each.sure_wrong for each in outcomes)
