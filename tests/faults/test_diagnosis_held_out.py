"""Tests what a diagnosis owes its user, on bugs that the rules were not written against.

The bars are below those of the bugs that the rules' author saw (0.95, 0.99, 0.95): what is asked here is that rules
carry over. Measured when the later half of them met the rules for the first time: 0.89 named first, 0.90 among
the first three, 0.85 of the lines; two bugs at once, one pair of two; of eight bugs without a name, one was given one.
Since then the rules' authors learned the causes of the misses, and nothing else of them: 0.98, 0.98, 0.92. When
designed inputs took the place of guesses: 0.955, 0.955, 0.92, all bugs together 0.982 and 0.986; and two of the eight
without a name were given one, of `index_map` and the like, which did not exist when they were planted.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.faults import pairs
from tests.faults.fault import Fault
from tests.faults.outcome import Outcome
from tests.faults.score import score
from tests.faults.suite import HELD_OUT, HELD_OUT_NAMELESS

# What was measured, less one bug or two in a hundred, for drivers that round otherwise.
FIRST, AMONG_THREE, LINES, PAIRS, NAMELESS = 0.95, 0.95, 0.90, 0.5, 0.75

OutcomeOf = Callable[[Fault], Outcome]


@pytest.mark.parametrize("fault", HELD_OUT, ids=lambda fault: fault.name)
def test_a_planted_bug_shows(fault: Fault, outcome_of: OutcomeOf) -> None:
    assert outcome_of(fault).verdict not in ("match", "not_run", "error")


@pytest.mark.timeout(600)
def test_the_first_finding_names_the_bug(outcome_of: OutcomeOf) -> None:
    outcomes = [outcome_of(fault) for fault in HELD_OUT]
    assert score(outcomes).first >= FIRST


@pytest.mark.timeout(600)
def test_the_first_three_findings_name_the_bug(outcome_of: OutcomeOf) -> None:
    outcomes = [outcome_of(fault) for fault in HELD_OUT]
    assert score(outcomes).among_three >= AMONG_THREE


@pytest.mark.timeout(600)
def test_the_finding_points_at_the_line(outcome_of: OutcomeOf) -> None:
    outcomes = [outcome_of(fault) for fault in HELD_OUT]
    assert score(outcomes).lines >= LINES


def test_of_two_bugs_at_once_both_are_named_as_often_as_measured(outcome_of: OutcomeOf) -> None:
    named = [
        {fault.cause, *fault.alternatives} <= {finding.cause for finding in outcome_of(fault).findings[:3]}
        for fault in pairs.HELD_OUT
    ]
    assert sum(named) >= PAIRS * len(named)


def test_a_bug_without_a_name_is_given_none_as_often_as_measured(outcome_of: OutcomeOf) -> None:
    outcomes = [outcome_of(fault) for fault in HELD_OUT_NAMELESS]
    assert {each.verdict for each in outcomes} == {"mismatch"}
    unnamed = [{finding.cause for finding in each.findings} <= {*each.fault.alternatives} for each in outcomes]
    assert sum(unnamed) >= NAMELESS * len(unnamed)
