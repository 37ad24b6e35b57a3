"""The same shader on the same inputs, here: whether what came out elsewhere comes out on this driver too."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.captured.reading import Captured
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import Verdict
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.evidence.gather import Gathering
from texelscope.pipeline.diagnose.evidence.variants import in_full_precision
from texelscope.pipeline.diagnose.explain import Diagnosis, explain
from texelscope.pipeline.diagnose.made import Locating
from texelscope.pipeline.diagnose.naming import PASSING_SECONDS
from texelscope.pipeline.diagnose.trial.scoring import Judge
from texelscope.pipeline.gl.context import device_of
from texelscope.pipeline.plan import Pass, ProgramSource


@dataclass(frozen=True)
class Here:
    """What one pass gives on this driver on captured inputs: its verdict, and whether its values are those captured.

    `distance` is how far they are from those on average. `in_full_precision`: of the shader with every precision highp.
    """

    verdict: Verdict
    same_values: bool
    capture: Capture
    wrong: NDArray[np.bool_]
    distance: float
    in_full_precision: bool = False


class OwnRun:
    """Runs passes of a target one by one on inputs that were captured elsewhere. On the session's thread."""

    def __init__(self, session: DebugSession, captured: Captured) -> None:
        self._session = session
        self._captured = captured
        self._comparer = Comparer(session.plan)

    @property
    def renderer(self) -> str:
        """The driver here."""
        return device_of(self._session.context).renderer

    def run(self, each: Pass) -> Here | None:
        """The pass on its captured inputs; None where one of them was not captured, or it does not run here.

        Drivers differ in how they take GLSL ES's precisions. Where what comes out with every precision highp is the
        captured values, and nearer to them than with the shader as it is, that is what is given.
        """
        full = in_full_precision(each.program)
        other = self.run_as(each, full) if full is not None else None
        here = self.run_as(each, each.program)
        if here is None or other is None or not other.same_values or other.distance >= here.distance:
            return here
        assert full is not None
        self._session.replace_program(each.name, full)
        self._session.run_pass(each.name)
        return replace(other, in_full_precision=True)

    def run_as(self, each: Pass, program: ProgramSource) -> Here | None:
        """As `run`, with that program. Raises TexelscopeError for one that does not compile and is not the plan's."""
        session, given = self._session, self._captured.capture.tensors
        plan = session.plan
        keys = [key for key in each.reads if plan.textures[key].role != "constant"]
        if any(key not in given for key in keys):
            return None
        if session.program_source(each.name) != program:
            session.replace_program(each.name, program)
        for key in keys:
            session.inject(key, given[key])
        if not session.run_pass(each.name):
            return None
        # Not a copy of all: that would be thousands for each of thousands of passes.
        tensors = ChainMap({key: session.tensor(key) for key in each.outputs}, given)  # type: ignore[arg-type]  # not written to
        capture = replace(self._captured.capture, device=device_of(session.context), tensors=MappingProxyType(tensors))
        verdict = self._comparer.alone(capture, each.name).verdict
        return Here(
            verdict,
            self._is_same(each, capture),
            capture,
            self._comparer.wrong(capture, each.called),
            self._distance(each, capture),
        )

    def diagnose(self, each: Pass, here: Here) -> Diagnosis:
        """The diagnosis of the run here, with all that GL tells: for a pass that gives the captured values here too.

        Call it behind `run` or `run_as`, which leaves in the session what is looked into.
        """
        found = explain(Gathering(self._session, here.capture, each.called, here.wrong).run())
        return Locating(self._session, each.name, found, PASSING_SECONDS).run()

    def _is_same(self, each: Pass, here: Capture) -> bool:
        """Whether the run here gives the captured values, wrong ones above all, within rounding."""
        there = self._captured.capture
        if not set(each.outputs) <= there.tensors.keys():
            return False
        return all(self._agrees(key, here, there) for key in each.outputs)

    def _distance(self, each: Pass, here: Capture) -> float:
        """The mean of |here - there|, over elements that are finite in both."""
        there = self._captured.capture.tensors.get(each.output)
        if there is None:
            return float("inf")
        with np.errstate(all="ignore"):
            apart = np.abs(here.tensors[each.output].astype(np.float64) - there)
        finite = apart[np.isfinite(apart)]
        return float(finite.mean()) if finite.size else float("inf")

    def _agrees(self, key: str, here: Capture, there: Capture) -> bool:
        expected = self._comparer.isolated_values().get(key)
        if expected is None:
            return False
        bound = np.zeros(expected.value.shape) if expected.bound is None else expected.bound
        judge = Judge(there.tensors[key], np.asarray(expected.value, dtype=np.float64), np.asarray(bound))
        return judge.reproduces(here.tensors[key]).is_whole if judge.wrong().any() else True
