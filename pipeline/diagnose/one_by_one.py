"""Of several faults that a repair mends each alone: the pass with all others mended, diagnosed as any wrong pass is."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import TYPE_CHECKING

from pipeline.compare.capture import Capture
from pipeline.compare.comparer import Comparer
from pipeline.compare.repairs import LineEdit, Repair
from pipeline.compare.report import Finding
from pipeline.diagnose.evidence.gather import Gathering
from pipeline.diagnose.explain import explain
from pipeline.errors import CancelledError, TexelscopeError
from pipeline.gl.context import device_of
from pipeline.repair.benches.bench import Bench
from pipeline.repair.text.patch import applied

if TYPE_CHECKING:
    from pipeline.gl.session import Session

# More faults than this in one pass are not taken apart.
MOST = 2
# Between two looks at a thread that works, in seconds: nothing else is done meanwhile.
_PAUSE = 0.002


class OneByOne:
    """Diagnoses each fault alone, a little at a time: call `step` until it answers False. GL thread.

    `found` has the edits that are done, each with the findings of a pass in which that fault alone is left.
    """

    def __init__(self, session: Session, name: str, repair: Repair) -> None:
        self._session, self._name, self._repair = session, name, repair
        self._cancel = threading.Event()
        self._steps = self._each()
        self.found: tuple[tuple[LineEdit, tuple[Finding, ...]], ...] = ()

    def step(self) -> bool:
        """Does a little; False when there is nothing left."""
        self._session.make_current()
        return next(self._steps, self) is not self

    def close(self) -> None:
        """Gives up; what was found stays."""
        self._cancel.set()
        self._steps.close()

    def _each(self) -> Generator[None, None, None]:
        edits, pass_ = self._repair.edits, self._session.plan.pass_called(self._name)
        files = {file.path for file in self._session.program_source(self._name).files}
        if not 1 < len(edits) <= MOST or not {edit.file for edit in edits} <= files:
            return
        try:
            bench = Bench(self._session, pass_)
        except TexelscopeError:
            return
        try:
            comparer = Comparer(bench.plan)
            for edit in edits:
                others = tuple(other for other in edits if other != edit)
                findings = yield from self._alone(bench, comparer, others)
                self.found += ((edit, tuple(_beside(others, each) for each in findings)),)
        except (TexelscopeError, CancelledError):
            return
        finally:
            bench.release()

    def _alone(
        self, bench: Bench, comparer: Comparer, others: tuple[LineEdit, ...]
    ) -> Generator[None, None, tuple[Finding, ...]]:
        """What is found once the other faults are mended."""
        scratch = bench.scratch
        scratch.replace_program(self._name, applied(bench.program, others))
        scratch.run_pass(self._name)
        keys = [key for key in (*bench.each.reads, *bench.each.outputs) if bench.plan.textures[key].role != "constant"]
        tensors = MappingProxyType({key: scratch.tensor(key) for key in keys})
        capture = Capture(self._session.plan.name, device_of(scratch.context), tensors, {}, {})
        output = comparer.wrong_output(capture, self._name)
        gathering = Gathering(scratch, capture, output, comparer.wrong(capture, output))
        try:
            while gathering.step():
                yield
        finally:
            gathering.close()
        with ThreadPoolExecutor(1) as pool:
            working = pool.submit(explain, gathering.evidence, cancel=self._cancel)
            try:
                while not working.done():
                    time.sleep(_PAUSE)
                    yield
            finally:
                self._cancel.set() if not working.done() else None
        diagnosis = working.result()
        return (
            () if diagnosis.unexplained else tuple(dataclasses.replace(each, sure=False) for each in diagnosis.findings)
        )


def _beside(others: tuple[LineEdit, ...], finding: Finding) -> Finding:
    """What is found once other lines are mended, which is not sure of the pass as it is."""
    lines = " and ".join(f"line {edit.line}" for edit in others)
    return dataclasses.replace(finding, sure=False, evidence=f"with {lines} mended, {finding.evidence}")
