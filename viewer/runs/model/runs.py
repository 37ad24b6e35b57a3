"""Manages kept runs: which are kept, which is the reference, and what has changed since it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import moderngl
import numpy as np

from texelscope.pipeline.compare.report import PassReport, Report, summarise
from texelscope.pipeline.crash_report.fault_log import told
from texelscope.pipeline.errors import CancelledError, TexelscopeError
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.target import Target
from texelscope.viewer.captured.model import ShownCapture
from texelscope.viewer.document.comparison import Comparison
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.jobs import Job, Worker
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.document.reference import RunReference
from texelscope.viewer.findings.model.diagnoses import Diagnoses
from texelscope.viewer.runs.model.changes import Changes, changes
from texelscope.viewer.runs.model.kept import (
    KeptRun,
    Kind,
    Shelf,
    changed_values,
    edited_files,
    run_captured,
    run_in,
    with_findings,
)
from texelscope.viewer.runs.model.other_target import OtherTarget
from texelscope.viewer.runs.model.pairs import TensorPairs

if TYPE_CHECKING:  # imported with the first repair that is shown
    from texelscope.pipeline.repair.preview import RepairedRun
    from texelscope.pipeline.runs.run import HeldTensor

EDIT_WORD, REPAIR_WORD = "before", "repaired"


class KeptRuns:
    """The kept runs. `chosen` is the reference run, None for the oracle; `left` replaces the present run on screen.

    The state before an edit is kept automatically: when the next comparison has other shaders.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._worker: Worker[Changes] = Worker(wake)
        self._asked: Job[Changes] | None = None
        self._changes: Changes | None = None
        self._last: Comparison | None = None
        self._session: object = None
        self._references = 0
        self._origin = ""
        self._number_of_other = 0
        # The number of the capture of another device, and of its run.
        self._device: tuple[int | None, int | None] = (None, None)
        self.other: OtherTarget | None = None
        self.shelf = Shelf()
        # Of runs beside the present one: by number, what they were made of, and the run by the open session's keys.
        self._seen: dict[int, tuple[tuple[object, ...], RunReference]] = {}
        self.pairs = TensorPairs()
        # The value that the newest kept state is from before a change of.
        self._value = ""
        self.chosen: int | None = None
        self.left: int | None = None

    # -- answers -------------------------------------------------------------------------------------------

    @property
    def run(self) -> KeptRun | None:
        """The reference run."""
        return self.shelf.find(self.chosen) if self.chosen is not None else None

    @property
    def left_run(self) -> KeptRun | None:
        """The run shown in the present one's place."""
        return self.shelf.find(self.left) if self.left is not None else None

    def left_report(self, document: Document) -> Report | None:
        """Returns the oracle's report on the run that is shown."""
        left, comparison = self.left_run, document.comparison
        return left.report if left is not None else comparison.report if comparison is not None else None

    def changes(self, document: Document) -> Changes | None:
        """Returns the changes from the chosen run to the one that is shown; None while they are being computed."""
        found, comparison = self._changes, document.comparison
        if found is None or comparison is None or found.there != self.chosen:
            return None
        return found if found.here == _here(self.left_run, comparison) else None

    def seen(self, document: Document, number: int) -> RunReference | None:
        """Returns the run of that number by the keys of the open session; None if it is not kept any more.

        Before anything is compared it has no tensors.
        """
        run, newest = self.shelf.find(number), document.comparison
        if run is None:
            self._seen.pop(number, None)
            return None
        if newest is None:
            return RunReference(0, run.word, run.title, {})
        made_of = (run, newest.number, self.pairs.version)
        known = self._seen.get(number)
        if known is None or known[0][1:] != made_of[1:] or known[0][0] is not run:
            found = self._reference(None, run, newest)
            assert found is not None
            self._seen[number] = made_of, found
        return self._seen[number][1]

    def report_beside(self, document: Document, number: int, key: str) -> PassReport | None:
        """Returns the oracle's report, in the run of that number, on the pass that made the tensor beside `key`."""
        run, seen = self.shelf.find(number), self.seen(document, number)
        held = seen.tensors.get(key) if seen is not None else None
        return run.report.find(held.made_by) if run is not None and held is not None else None

    # -- commands -----------------------------------------------------------------------------

    def choose(self, document: Document, number: int | None) -> None:
        """Makes the run of that number the reference, or, with None, the oracle."""
        self.chosen = number if number is not None and self.shelf.find(number) is not None else None
        self._refer(document)

    def show(self, document: Document, number: int | None) -> None:
        """Shows the run of that number, or, with None, the present one."""
        self.left = number if number is not None and self.shelf.find(number) is not None else None
        self._refer(document)

    def pin(self, document: Document, diagnoses: Diagnoses, name: str) -> KeptRun:
        """Keeps the present results under a name. Raises TexelscopeError if there are none, or no room."""
        comparison = document.comparison
        if comparison is None or not document.is_compared:
            raise TexelscopeError("Pin", "results that were compared", "none yet", "Pin them when all has run.")
        word = name.strip() or self.name_for_pin
        run = self._kept("pin", word, word, comparison, diagnoses)
        self.shelf.keep(run)
        return run

    @property
    def name_for_pin(self) -> str:
        """Returns an unused name for a pinned run."""
        taken = {each.word for each in self.shelf.runs}
        return next(name for name in (f"pinned {i}" for i in range(1, len(taken) + 2)) if name not in taken)

    def rename(self, document: Document, number: int, name: str) -> None:
        """Renames a pinned run."""
        run = self.shelf.find(number)
        if run is not None and name.strip():
            self.shelf.keep(replace(run, word=name.strip(), title=name.strip()))
            self._refer(document)

    def show_repaired(self, document: Document, name: str, made: RepairedRun, title: str) -> None:
        """Makes what a repair of the pass called `name` gave the reference, in place of an earlier repair's.

        It goes with the next run: that may have other inputs, or the repair in its text.
        """
        from texelscope.pipeline.runs.run import held_tensor

        comparison = document.comparison
        if comparison is None:
            return
        self._drop_repairs(document)
        each = comparison.plan.pass_called(name)
        held = tuple(
            held_tensor(comparison.plan.textures[key], each.name, each.operator, values)
            for key, values in made.tensors.items()
        )
        run = KeptRun(
            self.shelf.next_number(), "repair", REPAIR_WORD, title, time.strftime("%H:%M:%S"),
            replace(run_in(comparison), tensors=held), _as_repaired(comparison, name, made),
            {**comparison.programs, each.name: made.program},
        )  # fmt: skip
        self.shelf.keep(run)
        self.choose(document, run.number)

    def _drop_repairs(self, document: Document) -> None:
        for each in self.shelf.runs:
            if each.kind == "repair":
                self.drop(document, each.number)

    def drop(self, document: Document, number: int) -> None:
        """Drops a run."""
        if self.other is not None and self._number_of_other == number:
            self.other.close()
            self.other = None
        self.shelf.drop(number)
        self._refer(document)

    def open_beside(self, context: moderngl.Context, target: Target) -> None:
        """Runs another target beside the open one; it becomes the reference once it has run."""
        if self.other is not None:
            self.other.close()
        self.other = OtherTarget(context, self._wake, target)
        self._number_of_other = self.shelf.next_number()

    def keep_device(self, document: Document, shown: ShownCapture | None) -> tuple[str, ...]:
        """Keeps the results of another device, in place of those of another one, or none; returns lines for the log."""
        number = shown.number if shown is not None else None
        if number == self._device[0]:
            return ()
        if self._device[1] is not None:
            self.drop(document, self._device[1])
        self._device = number, None
        if shown is None:
            return ()
        run = KeptRun(
            self.shelf.next_number(), "device", shown.renderer, f"device {shown.renderer}", time.strftime("%H:%M:%S"),
            run_captured(shown.captured.plan, shown.captured.capture), shown.report, {}, right=shown.right,
        )  # fmt: skip
        self._device = number, run.number
        return self.shelf.keep(run)

    # -- work between frames -------------------------------------------------------------------------------

    def update(self, document: Document, diagnoses: Diagnoses, log: MessageLog, budget_ms: float) -> bool:
        """Keeps the state before an edit, collects results, and runs the other target; True if anything is new.

        Uses GL: call in the window's thread.
        """
        changed = self._follow_session(document)
        newest = document.comparison
        if newest is not None and newest is not self._last:
            last, self._last = self._last, newest
            if last is not None:
                self._keep_edit(last, newest, diagnoses, log)
                if last.capture is not newest.capture:
                    self._drop_repairs(document)
            if (self.run or self.left_run) is not None and (
                last is None or last.number != newest.number or self._asked is None
            ):
                self._refer(document)
            changed = True
        changed |= self._take_up_changes(log)
        return self._advance_other(document, log, budget_ms) or changed

    def close(self) -> None:
        """Ends the threads."""
        self._worker.close()
        if self.other is not None:
            self.other.close()

    def _follow_session(self, document: Document) -> bool:
        """Drops the runs of another target; keeps them if the same one is opened in another layout or precision."""
        if document.session is self._session:
            return False
        self._session, self._last = document.session, None
        origin = document.origin or ""
        if origin != self._origin:
            if self._origin and self.other is not None:
                self.other.close()
                self.other = None
            self._origin, self.chosen, self.left = origin, None, None
            self.shelf.clear()
            self._seen.clear()
            self._value = ""
            self.pairs.forget()
        self._refer(document)
        return True

    def _keep_edit(self, last: Comparison, newest: Comparison, diagnoses: Diagnoses, log: MessageLog) -> None:
        """Keeps the state before, if the shaders or their uniforms have changed.

        Of changes of one value in a row, as those of a slider are, only the state before the first is kept.
        """
        files = edited_files(last.programs, newest.programs)
        changed = files or (changed_values(last.plan, newest.plan) if last.plan is not newest.plan else ())
        if not changed or last.capture is newest.capture:
            return
        what = changed[0] if len(changed) == 1 else f"{changed[0]} and {len(changed) - 1} more"
        is_same = not files and what == self._value
        self._value = "" if files else what
        if is_same:
            return
        word = "edit" if files else "change"
        run = self._kept("edit", EDIT_WORD, f"before the {word} of {what}", last, diagnoses)
        run = replace(run, title=f"{run.title}, {run.at}")
        for line in self.shelf.keep(run):
            log.add(line, warning=True)

    def _kept(self, kind: Kind, word: str, title: str, comparison: Comparison, diagnoses: Diagnoses) -> KeptRun:
        found = diagnoses.findings_at(comparison.revision)
        report: Report = with_findings(comparison.report, found)
        number, at = self.shelf.next_number(), time.strftime("%H:%M:%S")
        run = run_in(comparison)
        return KeptRun(number, kind, word, title, at, run, report, comparison.programs, frozenset(found))

    def _refer(self, document: Document) -> None:
        """Sets the document's reference run, and has the changes computed."""
        run, left, newest = self.run, self.left_run, document.comparison
        self.chosen, self.left = run.number if run is not None else None, left.number if left is not None else None
        document.reference = self._reference(document.reference, run, newest)
        document.shown = self._reference(document.shown, left, newest)
        if run is not None and newest is not None:
            self._asked = Job("Comparing runs", partial(_found_out, run=run, left=left, newest=newest))
            self._worker.submit(self._asked)

    def _reference(
        self, known: RunReference | None, run: KeptRun | None, newest: Comparison | None
    ) -> RunReference | None:
        """Returns the run by the keys of the open session; the known reference if it is still the same."""
        if run is None or newest is None:
            return None
        from texelscope.pipeline.runs.run import HeldTensor

        here = run_in(newest)
        there = self.pairs.partners(run.number, here, run.run)
        shapes = {each.name: each.values.shape for each in here.tensors}
        fitting = {key: held for key, held in there.items() if held.values.shape == shapes[key]}
        for key, values in run.run.inputs.items():
            if key in here.inputs and values.shape == here.inputs[key].shape:
                fitting[key] = HeldTensor(key, "", "input", "float32", "float32", values)
        if known is not None and known.title == run.title and _identities(known.tensors) == _identities(fitting):
            return known
        self._references -= 1
        return RunReference(self._references, run.word, run.title, fitting, _right_of(run, there, newest))

    def _take_up_changes(self, log: MessageLog) -> bool:
        ended = self._worker.finished()
        for job in ended:
            if job is not self._asked:
                continue
            self._asked = None
            if job.result is not None:
                self._changes = job.result
            elif job.error is not None and not isinstance(job.error, CancelledError):
                log.add(told("comparing the runs", job.error), error=True)
        return bool(ended)

    def _advance_other(self, document: Document, log: MessageLog, budget_ms: float) -> bool:
        other = self.other
        if other is None or other.problem:
            return False
        comparison = other.advance(document, budget_ms)
        if other.problem:
            log.add(other.problem, error=True)
            return True
        if comparison is None:
            return other.is_busy and document.comparison is not None
        first = self.shelf.find(self._number_of_other) is None
        run = KeptRun(
            self._number_of_other, "target", other.name, f"target {other.name}", time.strftime("%H:%M:%S"),
            run_in(comparison), comparison.report, comparison.programs, right=_right_in(comparison),
        )  # fmt: skip
        for line in self.shelf.keep(run):
            log.add(line, warning=True)
        if first:
            log.add(f"{other.name} has run on the same inputs: {run.summary}.")
            self.chosen = run.number
        if self.chosen == run.number:
            self._refer(document)
        return True


def _right_in(comparison: Comparison) -> dict[str, Expected]:
    """Returns by key what the oracle says of each tensor, on the inputs that its pass had."""
    found = {key: comparison.oracle(key, chained=False) for key in comparison.capture.tensors}
    return {key: expected for key, expected in found.items() if expected is not None}


def _right_of(run: KeptRun, there: Mapping[str, HeldTensor], newest: Comparison) -> dict[str, Expected]:
    """Returns by key here what the oracle says of a run's tensors; end to end where it had the present inputs."""
    own = {key: run.right[held.name] for key, held in there.items() if held.name in run.right}
    if own or run.kind in ("target", "device"):
        return own
    inputs = run_in(newest).inputs
    is_same = inputs.keys() == run.run.inputs.keys() and all(
        np.array_equal(values, run.run.inputs[key], equal_nan=True) for key, values in inputs.items()
    )
    return {key: newest.expected[key] for key in there if key in newest.expected} if is_same else {}


def _as_repaired(comparison: Comparison, name: str, made: RepairedRun) -> Report:
    """Returns the report of the pass alone, which matches if its values are right."""
    from texelscope.pipeline.compare.figures import wrong_elements

    wrong = any(
        wrong_elements(values, comparison.isolated[key]).any()
        for key, values in made.tensors.items()
        if key in comparison.isolated
    )
    passes = tuple(
        replace(each, verdict="mismatch" if wrong else "match", findings=(), repairs=(), message="")
        for each in comparison.report.passes
        if each.name == name
    )
    return summarise(comparison.report.target, comparison.report.device, passes)


def _identities(tensors: Mapping[str, HeldTensor]) -> dict[str, int]:
    return {key: id(held.values) for key, held in tensors.items()}


def _here(left: KeptRun | None, newest: Comparison) -> int:
    """Returns a number for what is shown: comparisons, and, negative, the runs in their place."""
    return newest.number if left is None else -left.number


def _found_out(_job: Job[Changes], *, run: KeptRun, left: KeptRun | None, newest: Comparison) -> Changes:
    number = _here(left, newest)
    try:
        return changes(run, left.run if left is not None else run_in(newest), number)
    except TexelscopeError as error:
        return Changes(number, run.number, {}, (), str(error))
