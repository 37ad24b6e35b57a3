"""Tests what a diagnosis owes its user, on bugs that rules may be written against."""

from __future__ import annotations

from collections.abc import Callable

import moderngl
import pytest

from tests.faults import pairs
from tests.faults.fault import Fault
from tests.faults.outcome import Outcome
from tests.faults.score import misses, score
from tests.faults.suite import BACKWARD, HELD_OUT, NOT_YET_NAMED, SEEN, SEEN_NAMELESS
from texelscope.pipeline.compare.comparer import Comparer

OutcomeOf = Callable[[Fault], Outcome]
# Of all planted bugs together, those too that the rules were not written against.
WHOLE_FIRST, WHOLE_AMONG_THREE = 0.95, 0.98
# All outcomes in one test, if it comes first.
every_bug = pytest.mark.timeout(600)


@pytest.mark.parametrize("fault", [*SEEN, *NOT_YET_NAMED], ids=lambda fault: fault.name)
def test_a_planted_bug_shows(fault: Fault, outcome_of: OutcomeOf) -> None:
    assert outcome_of(fault).verdict not in ("match", "not_run", "error")


@every_bug
def test_the_first_finding_names_the_bug(outcome_of: OutcomeOf) -> None:
    outcomes = [outcome_of(fault) for fault in SEEN]
    assert score(outcomes).first >= 0.95, "\n".join(misses(outcomes))


@every_bug
def test_the_first_three_findings_name_the_bug(outcome_of: OutcomeOf) -> None:
    outcomes = [outcome_of(fault) for fault in SEEN]
    assert score(outcomes).among_three >= 0.99, "\n".join(misses(outcomes))


@every_bug
def test_the_finding_points_at_the_line(outcome_of: OutcomeOf) -> None:
    outcomes = [outcome_of(fault) for fault in SEEN]
    assert score(outcomes).lines >= 0.95, "\n".join(misses(outcomes))


@every_bug
def test_the_whole_suite_is_named(outcome_of: OutcomeOf) -> None:
    # From the end: another process may be at the bugs that rules were not written against, and begins with the first.
    whole = score([outcome_of(fault) for fault in reversed((*HELD_OUT, *SEEN))])
    assert whole.first >= WHOLE_FIRST
    assert whole.among_three >= WHOLE_AMONG_THREE


@pytest.mark.parametrize("fault", BACKWARD, ids=lambda fault: fault.name)
def test_a_backward_pass_with_a_bug_is_the_culprit(fault: Fault, gl: moderngl.Context) -> None:
    planted = fault.plant(gl)
    with planted.session as session:
        assert Comparer(session.plan).compare(session.capture()).culprit == planted.name


@every_bug
def test_bugs_of_backward_passes_are_named(outcome_of: OutcomeOf) -> None:
    outcomes = [outcome_of(fault) for fault in BACKWARD]
    assert score(outcomes).first >= 0.95, "\n".join(misses(outcomes))


@pytest.mark.parametrize("fault", pairs.SEEN, ids=lambda fault: fault.name)
def test_two_bugs_at_once_are_both_named(fault: Fault, outcome_of: OutcomeOf) -> None:
    causes = [finding.cause for finding in outcome_of(fault).findings[:3]]
    assert {fault.cause, *fault.alternatives} <= set(causes), causes


@pytest.mark.parametrize("fault", SEEN_NAMELESS, ids=lambda fault: fault.name)
def test_a_bug_without_a_name_is_given_none(fault: Fault, outcome_of: OutcomeOf) -> None:
    said = outcome_of(fault)
    assert said.verdict == "mismatch"
    assert [each.cause for each in said.findings if each.cause not in fault.alternatives] == []
