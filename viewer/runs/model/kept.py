"""Holds a kept run: its tensors, verdicts, findings, and the shaders that made them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.report import Finding, Report
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.runs.run import HeldTensor, Run
from texelscope.viewer.document.comparison import Comparison

# Kept automatically before an edit; pinned by the user; the run of another target.
Kind = Literal["edit", "pin", "target"]


@dataclass(frozen=True)
class KeptRun:
    """One run. `word` is short enough for a button, `title` is unique; `at` is the time of day it was kept.

    `report` has the findings known by then, of the passes in `diagnosed`. `left_out` names the tensors that were
    dropped to save memory.
    """

    number: int
    kind: Kind
    word: str
    title: str
    at: str
    run: Run
    report: Report
    programs: Mapping[str, ProgramSource]
    diagnosed: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()

    @property
    def arrays(self) -> tuple[NDArray[np.float32], ...]:
        """All arrays that take memory; runs that share a tensor share the same array."""
        return (*(each.values for each in self.run.tensors), *self.run.inputs.values())

    @property
    def culprit(self) -> str | None:
        """The first wrong pass of that run."""
        return self.report.culprit

    @property
    def summary(self) -> str:
        """How many passes matched the oracle, and the first wrong one."""
        passes = self.report.passes
        matching = sum(each.verdict == "match" for each in passes)
        wrong = f", first wrong: {self.culprit}" if self.culprit else ""
        return f"{matching} of {len(passes)} match{wrong}"

    def without(self, names: Iterable[str]) -> KeptRun:
        """Returns the run without those tensors."""
        gone = set(names)
        kept = tuple(each for each in self.run.tensors if each.name not in gone)
        return replace(self, run=replace(self.run, tensors=kept), left_out=(*self.left_out, *sorted(gone)))


def run_in(comparison: Comparison) -> Run:
    """Returns the run behind a comparison; inputs and tensors by the keys of its plan."""
    plan, tensors = comparison.plan, comparison.capture.tensors
    held = tuple(
        HeldTensor(key, each.name, each.operator, plan.textures[key].storage, plan.textures[key].dtype, tensors[key])
        for each in plan.passes
        for key in each.outputs
        if key in tensors
    )
    inputs = {key: tensors[key] for key in plan.inputs if key in tensors}
    return Run(plan.name, "", comparison.capture.device, {}, inputs, plan.outputs, held)


def with_findings(report: Report, found: Mapping[str, tuple[Finding, ...]]) -> Report:
    """Returns the report with the findings about its passes, by name."""
    return replace(
        report, passes=tuple(replace(each, findings=found.get(each.name, each.findings)) for each in report.passes)
    )


def kept_bytes(runs: Iterable[KeptRun]) -> int:
    """Returns the memory that runs take together; shared arrays count once."""
    return sum({id(array): array.nbytes for each in runs for array in each.arrays}.values())


def edited_files(before: Mapping[str, ProgramSource], after: Mapping[str, ProgramSource]) -> tuple[str, ...]:
    """Returns the names of files whose text differs between two sets of programs; a text in no file by its pass."""
    found: dict[str, None] = {}
    for name, program in before.items():
        other = after.get(name)
        if other is None or other is program or other.fragment == program.fragment:
            continue
        texts = {file.path: file.text for file in other.files}
        paths = [file.path for file in program.files if texts.get(file.path, file.text) != file.text]
        found.update(dict.fromkeys([PurePath(path).name for path in paths] or [name]))
    return tuple(found)
