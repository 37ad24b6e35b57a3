"""Compares a kept run with the present one: tensors, for better or worse, findings, lines of shaders."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

import numpy as np

from texelscope.pipeline.compare.report import SEVERITY, Figures, Finding, PassReport, Report
from texelscope.pipeline.plan import ProgramSource
from texelscope.viewer.runs.model.kept import KeptRun

if TYPE_CHECKING:
    from texelscope.pipeline.runs.difference import TensorDifference
    from texelscope.pipeline.runs.run import Run

# Errors within this factor count as equal: two correct evaluations differ by as much.
_ALIKE = 1.1
_MOST_LINES = 400

Trend = Literal["better", "worse", "as good", "as wrong", ""]


@dataclass(frozen=True)
class Changes:
    """The changes from run number `there` to comparison number `here`.

    `tensors` by key here; `other_inputs` names the inputs with other values here. `problem` says why nothing could be
    compared.
    """

    here: int
    there: int
    tensors: Mapping[str, TensorDifference]
    other_inputs: tuple[str, ...] = ()
    problem: str = ""

    @property
    def changed(self) -> tuple[str, ...]:
        """Keys of the tensors that are not bit for bit the same, in the order of passes."""
        return tuple(key for key, each in self.tensors.items() if each.unequal or each.sameness == "other_shape")


def changes(kept: KeptRun, here: Run, number: int) -> Changes:
    """Compares two runs in numpy over every tensor; call in a thread."""
    from texelscope.pipeline.runs.difference import difference

    there = kept.run
    unlike = tuple(
        name
        for name, values in here.inputs.items()
        if name in there.inputs
        and not (values is there.inputs[name] or np.array_equal(values, there.inputs[name], equal_nan=True))
    )
    if not there.tensors:
        return Changes(number, kept.number, {}, unlike, "None of its tensors could be kept.")
    found = difference(here, there)
    tensors = {each.name: each for each in found.tensors if each.sameness != "only_there"}
    return Changes(number, kept.number, tensors, unlike)


def trend(here: PassReport | None, there: PassReport | None, *, chained: bool) -> Trend:
    """Returns whether the pass is nearer to the oracle here than there; empty unless both are known."""
    if here is None or there is None:
        return ""
    mine, other = (_figures(each, chained=chained) for each in (here, there))
    if mine is None or other is None:
        return ""
    if mine.bound_ratio <= 1.0 and other.bound_ratio <= 1.0:
        return "as good"
    if here.verdict != there.verdict and (mine.bound_ratio <= 1.0) != (other.bound_ratio <= 1.0):
        return "better" if SEVERITY.index(here.verdict) < SEVERITY.index(there.verdict) else "worse"
    if mine.bound_ratio * _ALIKE < other.bound_ratio:
        return "better"
    return "worse" if mine.bound_ratio > other.bound_ratio * _ALIKE else "as wrong"


def _figures(report: PassReport, *, chained: bool) -> Figures | None:
    return report.chained if chained else report.isolated


@dataclass(frozen=True)
class FindingChange:
    """One cause in one pass: `state` says whether it is gone, new, or unchanged."""

    state: Literal["gone", "new", "same"]
    name: str
    finding: Finding


def finding_changes(here: Report, there: Report) -> tuple[FindingChange, ...]:
    """Returns causes that are gone, then new ones, then unchanged ones; identified by pass, cause and parameters."""
    mine, other = _findings(here), _findings(there)
    gone = [FindingChange("gone", key[0], each) for key, each in other.items() if key not in mine]
    new = [FindingChange("new", key[0], each) for key, each in mine.items() if key not in other]
    same = [FindingChange("same", key[0], each) for key, each in mine.items() if key in other]
    return (*gone, *new, *same)


def _findings(report: Report) -> dict[tuple[str, str, str], Finding]:
    return {
        (each.name, finding.cause, str(sorted(finding.parameters.items()))): finding
        for each in report.passes
        for finding in each.findings
    }


@dataclass(frozen=True)
class TextChange:
    """One file, or one pass's text, that changed; `lines` are those of a diff, `text` is the whole old text."""

    name: str
    lines: tuple[str, ...]
    text: str


def text_changes(there: Mapping[str, ProgramSource], here: Mapping[str, ProgramSource]) -> tuple[TextChange, ...]:
    """Returns the files whose text differs, each once; a text of no file under the name of its pass."""
    found: dict[str, TextChange] = {}
    for name, program in there.items():
        other = here.get(name)
        if other is None or other is program:
            continue
        texts = {file.path: file.text for file in other.files}
        files = {file.path: (file.text, texts[file.path]) for file in program.files if file.path in texts}
        unlike = {path: pair for path, pair in files.items() if pair[0] != pair[1]}
        if not unlike and not files and other.fragment != program.fragment:
            unlike = {name: (program.fragment, other.fragment)}
        for path, (before, after) in unlike.items():
            label = PurePath(path).name
            if label not in found:
                found[label] = TextChange(label, _diff(before, after), before)
    return tuple(found.values())


def _diff(before: str, after: str) -> tuple[str, ...]:
    """Returns numbered lines, `-` for the old text, `+` for the new one."""
    old, new = before.splitlines(), after.splitlines()
    found: list[tuple[str, str]] = []
    for kind, from_old, to_old, from_new, to_new in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if kind != "equal":
            found += [(f"{number + 1:>4} -", old[number]) for number in range(from_old, to_old)]
            found += [(f"{number + 1:>4} +", new[number]) for number in range(from_new, to_new)]
    found = found[:_MOST_LINES]
    texts = textwrap.dedent("\n".join(text.expandtabs(4) for _, text in found)).split("\n")
    return tuple(f"{sign} {text}" for (sign, _), text in zip(found, texts, strict=True)) if found else ()
