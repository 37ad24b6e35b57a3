"""The same shader on the same inputs, here: whether what came out elsewhere comes out on this driver too."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from pipeline.captured.reading import Captured
from pipeline.compare.capture import Capture
from pipeline.compare.comparer import Comparer
from pipeline.compare.report import Verdict
from pipeline.debug_session import DebugSession
from pipeline.diagnose.evidence.gather import Gathering
from pipeline.diagnose.explain import Diagnosis, explain
from pipeline.diagnose.trial.scoring import Judge
from pipeline.gl.context import device_of
from pipeline.plan import Pass


@dataclass(frozen=True)
class Here:
    """What one pass gives on this driver on captured inputs: its verdict, and whether its values are those captured."""

    verdict: Verdict
    same_values: bool
    capture: Capture
    wrong: NDArray[np.bool_]


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
        """The pass on its captured inputs; None where one of them was not captured, or it does not run here."""
        session, given = self._session, self._captured.capture.tensors
        plan = session.plan
        keys = dict.fromkeys(s.key for s in each.samplers if plan.textures[s.key].role != "constant")
        if any(key not in given for key in keys):
            return None
        for key in keys:
            session.inject(key, given[key])
        if not session.run_pass(each.name):
            return None
        tensors = {**{key: given[key] for key in keys}, **{key: session.tensor(key) for key in each.outputs}}
        capture = replace(self._captured.capture, device=device_of(session.context), tensors=MappingProxyType(tensors))
        verdict = self._comparer.alone(capture, each.name).verdict
        return Here(verdict, self._is_same(each, capture), capture, self._comparer.wrong(capture, each.name))

    def diagnose(self, each: Pass, here: Here) -> Diagnosis:
        """The diagnosis of the run here, with all that GL tells: for a pass that gives the captured values here too."""
        return explain(Gathering(self._session, here.capture, each.name, here.wrong).run())

    def _is_same(self, each: Pass, here: Capture) -> bool:
        """Whether the run here gives the captured values, wrong ones above all, within rounding."""
        there = self._captured.capture
        if not set(each.outputs) <= there.tensors.keys():
            return False
        return all(self._agrees(key, here, there) for key in each.outputs)

    def _agrees(self, key: str, here: Capture, there: Capture) -> bool:
        expected = self._comparer.isolated_values().get(key)
        if expected is None:
            return False
        bound = np.zeros(expected.value.shape) if expected.bound is None else expected.bound
        judge = Judge(there.tensors[key], np.asarray(expected.value, dtype=np.float64), np.asarray(bound))
        return judge.reproduces(here.tensors[key]).is_whole if judge.wrong().any() else True
