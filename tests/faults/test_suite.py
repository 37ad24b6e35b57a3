"""The suite itself: every cause is planted, by several styles of shader, and what is right is right."""

from __future__ import annotations

import collections
from pathlib import Path

import moderngl
import pytest

from tests.faults.fault import Fault
from tests.faults.fresh.cases import cases_of, styles
from tests.faults.subjects import Subject
from tests.faults.suite import (
    CAUSES,
    FOLDERS,
    HALVES,
    HELD_OUT,
    HELD_OUT_NAMELESS,
    NOT_YET_NAMED,
    SEEN,
    SEEN_NAMELESS,
    every_fault,
    faults_of,
    healthy_twins,
    limits,
    named,
    nameless,
)
from tests.plugin_folders import package_maker
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.naming import WRONG, name_bugs
from texelscope.pipeline.errors import TexelscopeError

EVERY = [cause for causes in CAUSES.values() for cause in causes]
# Of so many causes at least a bug is in `held_out`. Who adds a cause plants none there: its author has seen it.
HELD_OUT_CAUSES = 54
ADDED = """
from tests.faults import models
from tests.faults.fault import Fault
from tests.faults.fresh.cases import cases_of, styles
from tests.faults.subjects import generated
FAULTS = (Fault("a bug more", "shift", lambda: generated(models.conv()), ()),)
"""


def test_every_cause_is_planted_twice_to_write_rules_against() -> None:
    seen = collections.Counter(fault.cause for fault in SEEN)
    assert {cause for cause in EVERY if seen[cause] < 2} == set()


def test_most_causes_are_planted_to_check_the_rules_too() -> None:
    assert len({fault.cause for fault in HELD_OUT}) >= HELD_OUT_CAUSES


def test_a_third_is_held_out() -> None:
    kept_aside = len(HELD_OUT) + sum(len(cases_of(style)) for style in styles())
    assert kept_aside >= (len(SEEN) + kept_aside) / 3


def test_a_file_more_is_planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = package_maker(tmp_path, monkeypatch)({"added": ADDED})
    assert [fault.name for fault in faults_of(folder)] == ["a bug more"]


@pytest.mark.parametrize("text", ["", "FAULTS = ()", "FAULTS = ('shift',)"])
def test_a_file_without_bugs_is_an_error_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    folder = package_maker(tmp_path, monkeypatch)({"added": text})
    with pytest.raises(TexelscopeError, match=r"added\.py: expected FAULTS, a tuple of planted bugs, got .*See the"):
        faults_of(folder)


@pytest.mark.parametrize("half", FOLDERS)
@pytest.mark.parametrize("family", CAUSES)
def test_a_folder_holds_bugs_of_its_own_family(half: str, family: str) -> None:
    causes = {fault.cause for fault in FOLDERS[half][family]} - {""}
    assert causes <= {*CAUSES[family]}
    assert causes == {*CAUSES[family]} or half == "held_out"


def test_a_bug_is_named_or_has_no_name_or_is_a_known_limit() -> None:
    subject = SEEN[0].subject
    found = [Fault("a", "shift", subject, ()), Fault("b", "", subject, ()), Fault("c", "", subject, (), limit="odd")]
    assert [[fault.name for fault in part(found)] for part in (named, nameless, limits)] == [["a"], ["b"], ["c"]]
    parts = (SEEN, SEEN_NAMELESS, NOT_YET_NAMED, HELD_OUT, HELD_OUT_NAMELESS)
    assert sum(map(len, parts)) == len(every_fault())  # no limit is held out: those are counted as they come


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
