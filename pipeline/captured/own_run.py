"""Runs the same shader on the same inputs here, to see whether this driver gives the captured values too."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.captured.reading import Captured
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.judge import Judge
from texelscope.pipeline.compare.report import Verdict
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.evidence.gather import Gathering
from texelscope.pipeline.diagnose.evidence.variants import in_full_precision
from texelscope.pipeline.diagnose.explain import Diagnosis, explain
from texelscope.pipeline.diagnose.locating import Locating
from texelscope.pipeline.diagnose.naming import PASSING_SECONDS
from texelscope.pipeline.gl.context import device_of
from texelscope.pipeline.plan import Pass, ProgramSource


@dataclass(frozen=True)
class OwnRunResult:
    """Describes what one pass gives here on captured inputs: its verdict, and whether its values are the captured ones.

    `distance` is their mean distance. `in_full_precision`: the shader ran with every precision highp.
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
        """The name of this driver."""
        return device_of(self._session.context).renderer

    def run(self, shader_pass: Pass) -> OwnRunResult | None:
        """Runs the pass on its captured inputs; returns None if one was not captured, or the pass does not run here.

        Drivers differ in how they treat GLSL ES's precisions. If the run with every precision highp gives the captured
        values, and comes nearer to them than the unchanged shader, that run is returned.
        """
        full = in_full_precision(shader_pass.program)
        other = self.run_as(shader_pass, full) if full is not None else None
        here = self.run_as(shader_pass, shader_pass.program)
        if here is None or other is None or not other.same_values or other.distance >= here.distance:
            return here
        assert full is not None
        self._session.replace_program(shader_pass.name, full)
        self._session.run_pass(shader_pass.name)
        return replace(other, in_full_precision=True)

    def run_as(self, shader_pass: Pass, program: ProgramSource) -> OwnRunResult | None:
        """Runs the pass with that program, as `run`. Raises TexelscopeError if it is new and fails to compile."""
        session, given = self._session, self._captured.capture.tensors
        plan = session.plan
        keys = [key for key in shader_pass.reads if plan.textures[key].role != "constant"]
        if any(key not in given for key in keys):
            return None
        if session.program_source(shader_pass.name) != program:
            session.replace_program(shader_pass.name, program)
        for key in keys:
            session.inject(key, given[key])
        if not session.run_pass(shader_pass.name):
            return None
        # A chain, not a copy, which would hold thousands of tensors for each of thousands of passes.
        tensors = ChainMap({key: session.tensor(key) for key in shader_pass.outputs}, given)  # type: ignore[arg-type]  # not written to
        capture = replace(self._captured.capture, device=device_of(session.context), tensors=MappingProxyType(tensors))
        verdict = self._comparer.alone(capture, shader_pass.name).verdict
        return OwnRunResult(
            verdict,
            self._is_same(shader_pass, capture),
            capture,
            self._comparer.wrong(capture, shader_pass.called),
            self._distance(shader_pass, capture),
        )

    def diagnose(self, shader_pass: Pass, here: OwnRunResult) -> Diagnosis:
        """Diagnoses the run here, with full evidence from GL: for a pass that gives the captured values here too.

        Call it after `run` or `run_as`, whose run the session still holds.
        """
        found = explain(Gathering(self._session, here.capture, shader_pass.called, here.wrong).run())
        return Locating(self._session, shader_pass.name, found, PASSING_SECONDS).run()

    def _is_same(self, shader_pass: Pass, here: Capture) -> bool:
        """Whether the run here gives the captured values, wrong ones above all, within rounding."""
        there = self._captured.capture
        if not set(shader_pass.outputs) <= there.tensors.keys():
            return False
        return all(self._agrees(key, here, there) for key in shader_pass.outputs)

    def _distance(self, shader_pass: Pass, here: Capture) -> float:
        """Returns the mean of |here - there|, over elements that are finite in both."""
        there = self._captured.capture.tensors.get(shader_pass.output)
        if there is None:
            return float("inf")
        with np.errstate(all="ignore"):
            apart = np.abs(here.tensors[shader_pass.output].astype(np.float64) - there)
        finite = apart[np.isfinite(apart)]
        return float(finite.mean()) if finite.size else float("inf")

    def _agrees(self, key: str, here: Capture, there: Capture) -> bool:
        expected = self._comparer.isolated_values().get(key)
        if expected is None:
            return False
        bound = np.zeros(expected.value.shape) if expected.bound is None else expected.bound
        judge = Judge(there.tensors[key], np.asarray(expected.value, dtype=np.float64), np.asarray(bound))
        return judge.reproduces(here.tensors[key]).is_whole if judge.wrong().any() else True
