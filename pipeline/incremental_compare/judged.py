"""Captures one run after another, and reads back only what differs from the last.

An unchanged tensor is the very same array in the next capture: so `Comparer` knows which verdicts stand.
"""

from __future__ import annotations

from collections.abc import Collection, Generator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.debug_session import DebugSession, Gaps
from texelscope.pipeline.incremental_compare.held import HeldTensors
from texelscope.pipeline.plan import Pass, Plan, ProgramSource


@dataclass
class _Last:
    """Holds the last capture and the state of its session: generations of every texture, programs by pass.

    `held` are the keys of captured tensors that the GPU has a copy of.
    """

    capture: Capture
    plan: Plan
    generations: dict[str, int]
    programs: dict[str, ProgramSource]
    held: set[str] = field(default_factory=set)


class IncrementalJudge:
    """Captures a session again and again. `reads` counts the tensors that were read back."""

    def __init__(self, session: DebugSession, held: HeldTensors | None = None) -> None:
        """`held` keeps the copies; by default where the session's driver computes."""
        self._session = session
        self._held = held or HeldTensors(session)
        self._last: _Last | None = None
        self.reads = 0

    def release(self) -> None:
        """Frees every GL object, while the session is still there."""
        self._held.release()

    def hold(self) -> None:
        """Copies what was captured and is still there, if not done yet; call it before passes run again.

        The next capture reads back what was not copied by then, or has been written since.
        """
        if self._last is None:
            return
        textures, last = self._session.plan.textures, self._last
        keys = [key for key in last.capture.tensors.keys() - last.held if textures.get(key) == last.plan.textures[key]]
        keys = [key for key in keys if self._session.generation(key) == last.generations[key]]
        last.held |= self._held.hold(keys)

    def array(self, key: str) -> NDArray[np.float32] | None:
        """Returns the present tensor (logical shape), if the last capture has it; None if it would have to be read."""
        if self._last is None or self._session.generation(key) != self._last.generations.get(key):
            return None
        return self._last.capture.tensors.get(key)

    def capture(self) -> Capture:
        """Captures the session: returns the very object of the last call if nothing but times changed."""
        steps = self.capturing()
        while True:
            try:
                next(steps)
            except StopIteration as ended:
                capture: Capture = ended.value
                return capture

    def capturing(self) -> Generator[None, None, Capture]:
        """Returns what `capture` does, in steps of a few milliseconds: between two of them a frame can be drawn.

        No pass may run until the last step; after one did, begin anew.
        """
        session, last = self._session, self._last
        same, gaps = set[str](), dict[str, Gaps]()
        if last is not None:
            same = yield from self._same(last)
            gaps = self._gaps(last, same)
        if last is not None and self._stands(last, same, gaps):
            capture = last.capture
        else:
            tensors = {key: last.capture.tensors[key] for key in same} if last is not None else {}
            capture = yield from self._read(tensors, gaps)
        held = last.held & same if last is not None else set[str]()
        plan = session.plan
        generations = {key: session.generation(key) for key in plan.textures}
        programs = {each.name: session.program_source(each.name) for each in plan.passes}
        self._last = _Last(capture, plan, generations, programs, held)
        return capture

    def _read(self, tensors: dict[str, NDArray[np.float32]], gaps: dict[str, Gaps]) -> Generator[None, None, Capture]:
        """Captures the session, of which these `tensors` and `gaps` are known; reads a tensor a step."""
        session = self._session
        for key in session.computed:
            if key not in tensors:
                tensors[key] = session.tensor(key)
                self.reads += 1
                yield
        for each in session.plan.passes:
            if each.name not in gaps:
                gaps[each.name] = session.gaps(each)
                yield
        capture = session.capture(tensors, gaps)
        yield
        return capture

    def _same(self, last: _Last) -> Generator[None, None, set[str]]:
        """Returns keys of tensors whose values are those of the last capture; of others it is not known."""
        session = self._session
        textures, before = session.plan.textures, last.plan.textures
        known = [key for key in session.computed if key in last.capture.tensors and textures[key] == before[key]]
        written = [key for key in known if session.generation(key) != last.generations[key]]
        same = set(known).difference(written)
        for group in self._held.groups([key for key in written if key in last.held]):
            same |= self._held.same(group)
            yield
        return same

    def _gaps(self, last: _Last, same: Collection[str]) -> dict[str, Gaps]:
        """Returns by pass its unwritten elements, where nothing that they depend on changed."""
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
        """Whether a new capture would equal the last."""
        session, capture = self._session, last.capture
        errors = {name: str(error) for name, error in session.shader_errors.items()}
        if (capture.errors, capture.injected) != (errors, session.injected):
            return False
        if not capture.tensors.keys() == set(session.computed) == set(same):
            return False
        return all(each.name in gaps or not session.has_run(each.name) for each in session.plan.passes)


def _touched(shader_pass: Pass) -> set[str]:
    return {*shader_pass.outputs, *shader_pass.reads}
