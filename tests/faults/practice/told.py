"""Names a fault from a known repair, its right text: names by repairs, without any search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from unittest.mock import patch

import moderngl

from tests.faults.fresh.case import Planted, Swap
from tests.faults.fresh.cases import Case
from tests.faults.fresh.planting import planted, ran
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.diagnose import locating
from texelscope.pipeline.diagnose.naming import diagnose, with_findings
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.harness.held_out_inputs import Standard
from texelscope.pipeline.repair.programs.ordering import SearchHints
from texelscope.pipeline.repair.read_diff import Readings, readings
from texelscope.pipeline.repair.text.patch import line_edits


class _Known:
    """Replaces a search: finds one repair, at once. It answers as a `Repairing` does."""

    progress, is_without, partnered, halves = 1.0, False, None, ()

    def __init__(self, repair: Repair, session: Session, name: str, clues: SearchHints, _seconds: float) -> None:
        self._session, self._name, self._clues = session, name, clues
        self.repairs = (repair,)
        self.made: Line | None = (repair.file, repair.line) if len(repair.edits) == 1 else None
        self.readings: Readings = ()
        self._is_read = False

    def step(self) -> bool:
        """Reads what the pass reads otherwise, once."""
        if self._is_read:
            return False
        self._is_read = True
        bench = Harness(self._session, self._session.plan.pass_called(self._name), is_rehearsed=False)
        try:
            self.readings = self._read(bench)
        except TexelscopeError:  # as where a pass is bound what does not determine what it is to make
            pass
        finally:
            bench.release()
        return True

    def _read(self, bench: Harness) -> Readings:
        trials = Evaluator(bench, Standard(self._session.plan, bench.shader_pass), self._clues.single_fault_outputs)
        plain = bench.variant(bench.program.fragment)
        try:
            trials.begin(plain, {key: self._session.tensor(key) for key in trials.wanted})
        finally:
            plain.release()
        return readings(bench, self._session, self.repairs[0], trials.wrong)

    def close(self) -> None:
        """There is nothing to give up."""


def told(case: Case, context: moderngl.Context) -> Report | None:
    """The report of a planted fault with that repair; None where no lines in place of others say what is right."""
    what = case.what
    assert isinstance(what, Planted)
    with ran(case.folder, context) as right:
        wanted = right.program_source(what.culprit)
    with planted(case.folder, what.swaps) as folder, ran(folder, context) as session:
        comparer, capture = Comparer(session.plan), session.capture()
        report = comparer.compare(capture)
        program = session.program_source(what.culprit)
        edits = _of_file(case.folder, folder, what.swaps) or line_edits(program, wanted.fragment)
        if report.culprit != what.culprit or not edits:
            return None
        with patch.object(locating, "Repairing", partial(_Known, Repair(edits, "", 1, 1))):
            found = diagnose(session, comparer, capture, what.culprit, repair_seconds=1.0)
        return with_findings(report, what.culprit, found)


def _of_file(right: Path, wrong: Path, swaps: Sequence[Swap]) -> tuple[LineEdit, ...] | None:
    """The lines of a file that no shader is, of which as many are in place of others."""
    files = {swap.file for swap in swaps}
    if len(files) > 1 or not (name := next(iter(files))).endswith(".toml"):
        return None
    lines: Mapping[Path, list[str]] = {each: (each / name).read_text("utf-8").splitlines() for each in (right, wrong)}
    pairs = [*zip(lines[wrong], lines[right], strict=False)]
    if len(lines[wrong]) != len(lines[right]):
        return None
    return tuple(LineEdit(name, number, old, new) for number, (old, new) in enumerate(pairs, 1) if old != new)
