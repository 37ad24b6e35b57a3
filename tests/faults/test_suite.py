"""The suite itself: every cause is planted, by several styles of shader, and what is right is right."""

from __future__ import annotations

import collections

import moderngl
import pytest

from pipeline.compare.comparer import Comparer
from pipeline.debug_session import DebugSession
from pipeline.diagnose.naming import WRONG, name_bugs
from pipeline.diagnose.rules.registry import all_rules
from tests.faults import seen_more_limits
from tests.faults.subjects import Subject
from tests.faults.suite import CAUSES, HALVES, HELD_OUT, NOT_YET_NAMED, SEEN, SEEN_NAMELESS, every_fault, healthy_twins

EVERY = [cause for causes in CAUSES.values() for cause in causes]


def test_every_cause_is_planted_twice_to_write_rules_against_and_once_to_check_them() -> None:
    seen = collections.Counter(fault.cause for fault in SEEN)
    held_out = collections.Counter(fault.cause for fault in HELD_OUT)
    assert {cause for cause in EVERY if seen[cause] < 2 or held_out[cause] < 1} == set()


def test_a_third_is_held_out() -> None:
    assert len(HELD_OUT) >= (len(SEEN) + len(HELD_OUT)) / 3


def test_every_cause_has_a_rule() -> None:
    assert set(all_rules()) == set(EVERY)


def test_faults_have_names_of_their_own() -> None:
    names = [fault.name for fault in every_fault()]
    assert len(names) == len(set(names))


def test_no_shader_of_one_half_is_used_in_the_other() -> None:
    used = {
        half: {file.path for fault in faults for each in fault.subject().plan.passes for file in each.program.files}
        for half, faults in HALVES.items()
    }
    seen = used["seen"] | used["not_yet_named"]
    assert {name for name in seen & used["held_out"] if name.endswith(".frag")} == set()


def test_a_known_limit_is_a_planted_bug() -> None:
    assert {fault.name for fault in NOT_YET_NAMED} == set(seen_more_limits.NOT_YET_NAMED)
    assert {fault.name for fault in SEEN_NAMELESS} >= set(seen_more_limits.NAMED_WRONG)


def test_bugs_that_are_not_named_yet_show(gl: moderngl.Context) -> None:
    for fault in NOT_YET_NAMED:
        planted = fault.plant(gl)
        with planted.session as session:
            found = Comparer(session.plan).compare(session.capture()).find(planted.name)
        assert found is not None, fault.name
        assert found.verdict not in ("match", "not_run", "error"), fault.name


@pytest.mark.parametrize("subject", healthy_twins().values(), ids=lambda subject: subject.title)
def test_without_its_bug_a_pass_matches_and_raises_no_finding(subject: Subject, gl: moderngl.Context) -> None:
    with DebugSession(subject.plan, gl) as session:
        for key, value in subject.inputs.items():
            session.set_input(key, value)
        session.run()
        comparer, capture = Comparer(session.plan), session.capture()
        report = name_bugs(session, comparer, capture, comparer.compare(capture))
    assert [(each.name, each.verdict) for each in report.passes if each.verdict != "match"] == []
    assert [each.findings for each in report.passes if each.findings] == []


def test_only_wrong_passes_are_diagnosed() -> None:
    assert "match" not in WRONG
