"""Of several faults in a pass those that are left where some are mended: diagnosed as any wrong pass is."""

from __future__ import annotations

import dataclasses
import math
import threading
import time
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import TYPE_CHECKING

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.diagnose.evidence.gather import Gathering
from texelscope.pipeline.diagnose.explain import explain
from texelscope.pipeline.errors import CancelledError, TexelscopeError
from texelscope.pipeline.gl.context import device_of
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.text.patch import applied

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

# What mends one of several faults, as its author's lines.
Mended = tuple[LineEdit, ...]
# So many lines are of a fault each, though they follow one another.
_LINES = 2
# Between two looks at a thread that works, in seconds: nothing else is done meanwhile.
_PAUSE = 0.002


class OneByOne:
    """Diagnoses what is left by each of some edits, a little at a time: call `step` until it answers False. GL thread.

    `found` has those that are done, each with the findings of a pass in which it is mended; it ends after `seconds`.
    """

    def __init__(self, session: Session, name: str, mended: Sequence[Mended], seconds: float = math.inf) -> None:
        self._session, self._name, self._mended = session, name, mended
        self._seconds, self._end = seconds, math.inf
        self._cancel = threading.Event()
        self._steps = self._each()
        self.found: tuple[tuple[Mended, tuple[Finding, ...]], ...] = ()

    def step(self) -> bool:
        """Does a little; False when there is nothing left."""
        self._session.make_current()
        return next(self._steps, self) is not self

    def close(self) -> None:
        """Gives up; what was found stays."""
        self._cancel.set()
        self._steps.close()

    def _each(self) -> Generator[None, None, None]:
        files = {file.path for file in self._session.program_source(self._name).files}
        mended = [edits for edits in self._mended if {edit.file for edit in edits} <= files]
        self._end = time.monotonic() + self._seconds
        if not mended:
            return
        try:
            bench = Harness(self._session, self._session.plan.pass_called(self._name))
        except TexelscopeError:
            return
        try:
            comparer = Comparer(bench.plan)
            for edits in mended:
                findings = yield from self._left_by(bench, comparer, edits)
                self.found += ((edits, tuple(_beside(edits, each) for each in findings)),)
        except (TexelscopeError, CancelledError):
            return
        finally:
            bench.release()

    def _left_by(self, bench: Harness, comparer: Comparer, edits: Mended) -> Generator[None, None, tuple[Finding, ...]]:
        """What is found once some faults are mended."""
        scratch = bench.scratch
        scratch.replace_program(self._name, applied(bench.program, edits))
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
            working = pool.submit(explain, gathering.evidence, cancel=self._cancel, is_of_one=True)
            try:
                while not working.done():
                    if time.monotonic() > self._end:
                        self._cancel.set()
                    time.sleep(_PAUSE)
                    yield
            finally:
                self._cancel.set() if not working.done() else None
        diagnosis = working.result()
        return (
            () if diagnosis.unexplained else tuple(dataclasses.replace(each, sure=False) for each in diagnosis.findings)
        )


def together(edits: Sequence[LineEdit]) -> tuple[Mended, ...]:
    """Edits of lines that follow one another, which are of one fault: of what is moved two lines become others."""
    found: list[list[LineEdit]] = []
    for edit in sorted(edits, key=lambda each: (each.file, each.line)):
        last = found[-1][-1] if found else None
        if len(edits) > _LINES and last is not None and last.file == edit.file and edit.line - last.line == 1:
            found[-1].append(edit)
        else:
            found.append([edit])
    return tuple(map(tuple, found))


def _beside(mended: Mended, finding: Finding) -> Finding:
    """What is found once other lines are mended, which is not sure of the pass as it is."""
    lines = " and ".join(f"line {edit.line}" for edit in mended)
    return dataclasses.replace(finding, sure=False, evidence=f"with {lines} mended, {finding.evidence}")
