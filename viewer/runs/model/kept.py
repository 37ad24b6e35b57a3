"""Holds kept runs within limits: their tensors, verdicts, findings, and the shaders that made them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.report import Finding, Report
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Plan, ProgramSource
from texelscope.viewer.document.comparison import Comparison

if TYPE_CHECKING:
    from texelscope.pipeline.runs.run import Run

# Kept automatically before an edit; pinned by the user; the run of another target, or on another device; one pass with
# a repair.
Kind = Literal["edit", "pin", "target", "device", "repair"]


@dataclass(frozen=True)
class KeptRun:
    """One run. `word` is short enough for a button, `title` is unique; `at` is the time of day it was kept.

    `report` has the findings known by then, of the passes in `diagnosed`. `left_out` names the tensors that were
    dropped to save memory. `right` has what the oracle says of the tensors of another target or device, by their names.
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
    right: Mapping[str, Expected] = field(default_factory=dict)

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
    return run_captured(comparison.plan, comparison.capture)


def run_captured(plan: Plan, capture: Capture) -> Run:
    """Returns the run behind a capture of a plan's tensors; inputs and tensors by the keys of the plan."""
    from texelscope.pipeline.runs.run import Run, held_tensor

    tensors = capture.tensors
    held = tuple(
        held_tensor(plan.textures[key], each.name, each.operator, tensors[key])
        for each in plan.passes
        for key in each.outputs
        if key in tensors
    )
    inputs = {key: tensors[key] for key in plan.inputs if key in tensors}
    return Run(plan.name, "", capture.device, {}, inputs, plan.outputs, held)


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


def changed_values(before: Plan, after: Plan) -> tuple[str, ...]:
    """Returns the names of uniforms and constants that a person changed between two plans, each with its pass."""
    old = {each.name: each for each in before.passes}
    found = []
    for each in after.passes:
        was = old.get(each.name)
        if was is None or was.program != each.program:
            continue
        moving = {*was.by_frame, *each.by_frame}
        names = {*was.uniforms, *each.uniforms} - moving
        unlike = sorted(name for name in names if was.uniforms.get(name) != each.uniforms.get(name))
        found += [f"{name} of '{each.name}'" for name in unlike]
    return tuple(found)


# Limit for the tensors of all runs together, on the CPU.
MOST_BYTES = 512 << 20
# Limit for states before an edit; only the user drops pinned ones.
MOST_EDITS = 8


class Shelf:
    """Stores runs; `runs` are in display order: edits, the newest first, pinned runs, targets, devices, repairs."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._runs: list[KeptRun] = []
        self._number = 0

    @property
    def runs(self) -> tuple[KeptRun, ...]:
        """All runs."""
        order = {"edit": 0, "pin": 1, "target": 2, "device": 3, "repair": 4}
        return tuple(sorted(self._runs, key=lambda each: (order[each.kind], -each.number)))

    @property
    def bytes(self) -> int:
        """The memory that they take."""
        return kept_bytes(self._runs)

    def find(self, number: int) -> KeptRun | None:
        """Returns the run of that number, if it is still kept."""
        return next((each for each in self._runs if each.number == number), None)

    def next_number(self) -> int:
        """Returns a number that no run has had."""
        self._number += 1
        return self._number

    def clear(self) -> None:
        """Drops all runs, for another session."""
        self._runs.clear()

    def drop(self, number: int) -> None:
        """Drops a run."""
        self._runs = [each for each in self._runs if each.number != number]

    def keep(self, run: KeptRun) -> tuple[str, ...]:
        """Adds a run, replacing one of its number; returns a line for each run that was dropped for it.

        Raises TexelscopeError for a pinned run that has no room beside other pinned ones; other runs lose their largest
        tensors.
        """
        others = [each for each in self._runs if each.number != run.number]
        said = []
        edits = sorted((each for each in others if each.kind == "edit"), key=lambda each: each.number)
        while edits and (
            kept_bytes([*others, run]) > self._most_bytes or (run.kind == "edit" and len(edits) >= MOST_EDITS)
        ):
            oldest = edits.pop(0)
            others.remove(oldest)
            said.append(f"'{oldest.title}' was dropped: {self._bound}.")
        if kept_bytes([*others, run]) > self._most_bytes:
            if run.kind == "pin":
                megabytes = kept_bytes([*others, run]) / 1e6
                raise TexelscopeError(
                    "Pin",
                    f"runs of at most {self._most_bytes / 1e6:.0f} MB together",
                    f"{megabytes:.0f} MB",
                    "Drop one.",
                )
            run = self._cut(run, others)
            said.append(f"'{run.title}' was kept without {_names(run.left_out)}: {self._bound}.")
        self._runs = [*others, run]
        return tuple(said)

    @property
    def _bound(self) -> str:
        return f"at most {MOST_EDITS} edits and {self._most_bytes / 1e6:.0f} MB of tensors are kept"

    def _cut(self, run: KeptRun, others: list[KeptRun]) -> KeptRun:
        """Returns the run without as many of its largest tensors as necessary."""
        largest = sorted(run.run.tensors, key=lambda each: each.values.nbytes, reverse=True)
        for count in range(1, len(largest) + 1):
            rest = run.without(each.name for each in largest[:count])
            if kept_bytes([*others, rest]) <= self._most_bytes:
                return rest
        return run.without(each.name for each in largest)


def _names(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more tensors"
