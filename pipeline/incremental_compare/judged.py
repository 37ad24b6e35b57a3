"""Captures of one run after the other, of which only what differs from the last is read back.

What is as it was is the very same array in the next capture: by that `Comparer` knows which verdicts stand.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.debug_session import DebugSession, Gaps
from texelscope.pipeline.incremental_compare.held import HeldTensors
from texelscope.pipeline.plan import Pass, Plan, ProgramSource


@dataclass
class _Last:
    """The last capture, and what of the session it was of: generations of every texture, programs by pass.

    `held` are the keys of which the GPU has a copy of what was captured.
    """

    capture: Capture
    plan: Plan
    generations: dict[str, int]
    programs: dict[str, ProgramSource]
    held: set[str] = field(default_factory=set)


class IncrementalJudge:
    """Captures a session again and again. `reads` counts the tensors that were read back."""

    def __init__(self, session: DebugSession, held: HeldTensors | None = None) -> None:
        """`held` holds the tensors of the session; by default where its driver computes."""
        self._session = session
        self._held = held or HeldTensors(session)
        self._last: _Last | None = None
        self.reads = 0

    def release(self) -> None:
        """Frees every GL object, while the session is still there."""
        self._held.release()

    def hold(self) -> None:
        """To be called before passes run again: copies what was captured and is still there, if not done yet.

        What was not held by then, or has been written since, is read back by the next capture.
        """
        if self._last is None:
            return
        textures, last = self._session.plan.textures, self._last
        keys = [key for key in last.capture.tensors.keys() - last.held if textures.get(key) == last.plan.textures[key]]
        keys = [key for key in keys if self._session.generation(key) == last.generations[key]]
        last.held |= self._held.hold(keys)

    def array(self, key: str) -> NDArray[np.float32] | None:
        """The tensor as it is now (logical shape), if the last capture has it; None if it would have to be read."""
        if self._last is None or self._session.generation(key) != self._last.generations.get(key):
            return None
        return self._last.capture.tensors.get(key)

    def capture(self) -> Capture:
        """What the session holds now: the very object of the last call if nothing is otherwise, times aside."""
        session, last = self._session, self._last
        if last is None:
            capture = session.capture()
            self.reads += len(capture.tensors)
            held = set[str]()
        else:
            same = self._same(last)
            gaps = self._gaps(last, same)
            capture = last.capture
            if not self._stands(last, same, gaps):
                capture = session.capture({key: last.capture.tensors[key] for key in same}, gaps)
                self.reads += len(capture.tensors.keys() - same)
            held = last.held & same
        plan = session.plan
        generations = {key: session.generation(key) for key in plan.textures}
        programs = {each.name: session.program_source(each.name) for each in plan.passes}
        self._last = _Last(capture, plan, generations, programs, held)
        return capture

    def _same(self, last: _Last) -> set[str]:
        """Keys of the tensors whose values are those of the last capture; of others it is not known."""
        session = self._session
        textures, before = session.plan.textures, last.plan.textures
        known = [key for key in session.computed if key in last.capture.tensors and textures[key] == before[key]]
        written = [key for key in known if session.generation(key) != last.generations[key]]
        return set(known).difference(written) | self._held.same([key for key in written if key in last.held])

    def _gaps(self, last: _Last, same: Collection[str]) -> dict[str, Gaps]:
        """By pass what it leaves unwritten, where all that this hangs on is as it was."""
        session = self._session
        if session.plan is not last.plan:
            return {}
        changed = {key for key in session.plan.textures if session.generation(key) != last.generations[key]}.difference(
            same
        )
        changed |= last.capture.injected ^ session.injected
        return {
            each.name: {key: last.capture.unwritten[key] for key in each.outputs if key in last.capture.unwritten}
            for each in session.plan.passes
            if session.program_source(each.name) is last.programs[each.name]
            and each.output in last.capture.tensors
            and changed.isdisjoint(_touched(each))
        }

    def _stands(self, last: _Last, same: Collection[str], gaps: dict[str, Gaps]) -> bool:
        """Whether a capture would be as the last."""
        session, capture = self._session, last.capture
        errors = {name: str(error) for name, error in session.shader_errors.items()}
        if (capture.errors, capture.injected) != (errors, session.injected):
            return False
        if not capture.tensors.keys() == set(session.computed) == set(same):
            return False
        return all(each.name in gaps or not session.has_run(each.name) for each in session.plan.passes)


def _touched(each: Pass) -> set[str]:
    return {*each.outputs, *each.reads}
