"""Tests what a diagnosis owes to SPIR-V: bugs in modules are named, in the text that stands for them.

Measured on 14 bugs: the culprit of all, a true name first of 13, the line that differs of 3 by the finding alone and of
12 by the repairs, which are made in that text.
"""

from __future__ import annotations

import difflib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import moderngl
import pytest

from tests.faults.spirv import needs_spirv_cross
from tests.faults.spirv.planted import FAULTS, Planted
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.diagnose.naming import DiagnosisRequest, name_bugs
from texelscope.pipeline.front_ends.spirv import decoded

pytestmark = needs_spirv_cross
# Bugs named, and those whose line is: as measured, less one bug.
NAMED, LINES = 12, 2
_NUMBERED = re.compile(r"\b_\d+\b")


@dataclass(frozen=True)
class _Outcome:
    """What was said of one bug: whether its pass, a true name first, and its line."""

    fault: Planted
    culprit: bool
    cause: bool
    line: bool
    said: str


def _lines(fault: Planted) -> set[int]:
    """Returns the lines of the wrong module's text that the right one's has otherwise, numbers of values apart."""
    right, wrong = (
        _NUMBERED.sub("_", decoded(path.read_bytes(), path.name)).split("\n")
        for path in (fault.folder / Path(fault.source).with_suffix(".spv"), fault.module)
    )
    changes = difflib.SequenceMatcher(None, right, wrong, autojunk=False).get_opcodes()
    return {line + 1 for kind, _, _, start, stop in changes if kind != "equal" for line in range(start, stop)}


def outcome(fault: Planted, folder: Path, gl: moderngl.Context) -> _Outcome:
    """Runs the pipeline with the wrong module in place of the right one, and judges the first finding."""
    target = Path(shutil.copytree(fault.folder, folder / fault.name)) / "pipeline.toml"
    shutil.copy(fault.module, target.parent / Path(fault.source).with_suffix(".spv").name)
    with pipeline.open(target, context=gl) as session:
        session.run()
        comparer, capture = Comparer(session.plan), session.capture()
        report = comparer.compare(capture)
        named = name_bugs(session, comparer, capture, report, DiagnosisRequest())
    own = next(each for each in named.passes if each.name == fault.wrong_pass)
    first = own.findings[0] if own.findings else None
    lines = _lines(fault)
    places = {first.line, first.made[1] if first.made is not None else None} if first is not None else set()
    return _Outcome(
        fault, named.culprit == fault.wrong_pass, first is not None and first.cause in fault.causes,
        bool(places & lines), f"{first.cause if first else 'nothing'} at {places}, true {sorted(lines)}",
    )  # fmt: skip


@pytest.fixture(scope="module")
def outcomes(gl: moderngl.Context, tmp_path_factory: pytest.TempPathFactory) -> list[_Outcome]:
    folder = tmp_path_factory.mktemp("wrong")
    return [outcome(fault, folder, gl) for fault in FAULTS]


@pytest.mark.timeout(600)
def test_every_culprit_is_found_and_bugs_are_named_in_the_text_of_the_module(outcomes: list[_Outcome]) -> None:
    said = [f"{each.fault.name}: {each.said}" for each in outcomes]
    assert all(each.culprit for each in outcomes), said
    assert sum(each.cause for each in outcomes) >= NAMED, said
    assert sum(each.line for each in outcomes) >= LINES, said


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_planted_edit_can_be_made_once(fault: Planted) -> None:
    assert (fault.folder / fault.source).read_text(encoding="utf-8").count(fault.old) == 1
