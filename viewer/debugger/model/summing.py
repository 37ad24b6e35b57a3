"""Computes the sum of the fragment that is stepped through, beside the oracle's, in a thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Plan
from texelscope.viewer.debugger.model.stepping import Stepping
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.jobs import Job, Worker

if TYPE_CHECKING:
    from texelscope.pipeline.debug_session import DebugSession
    from texelscope.pipeline.gl.session import Session
    from texelscope.pipeline.step_trace.sums import FragmentSum
    from texelscope.pipeline.step_trace.trace import Trace


@dataclass(frozen=True)
class AsRun:
    """Holds the parts of a session that a sum needs, without GL: the plan, and the tensors that the pass read."""

    plan: Plan
    held: Mapping[str, NDArray[np.float32]]

    def tensor(self, key: str) -> NDArray[np.float32]:
        """Returns the tensor as the pass read it; raises TexelscopeError for a missing one."""
        if key not in self.held:
            raise TexelscopeError(key, "a tensor that the pass read", "a missing one", "Run the passes before it.")
        return self.held[key]


class StepSums:
    """Gives each new trace its sums, once they are computed."""

    def __init__(self) -> None:
        self._worker: Worker[FragmentSum] | None = None
        self._asked: Trace | None = None
        self._known: tuple[Trace, FragmentSum] | None = None
        self._job: Job[FragmentSum] | None = None
        self._session: Callable[[], DebugSession | None] = lambda: None

    def advance(self, stepping: Stepping, document: Document, wake: Callable[[], None]) -> bool:
        """Collects computed sums and requests missing ones; True if something is new.

        `wake` is called from the thread when something is.
        """
        trace, session = stepping.trace, document.session
        changed = self._take_up(stepping)
        if session is not self._session():  # release a closed session
            self._session = ref(session) if session is not None else lambda: None
            self._asked = self._known = self._job = None
        if trace is None or session is None:
            self._asked = None
        elif self._known is not None and stepping.sums is None and is_same_run(self._known[0], trace):
            stepping.sums, self._asked, self._known = self._known[1], trace, (trace, self._known[1])
            changed = True
        elif stepping.sums is None and self._asked is not trace:
            found = session.plan.find(trace.pass_name)
            keys = found.reads if found is not None else ()
            values = {key: document.values(key) for key in keys if session.plan.textures[key].role != "constant"}
            held = {key: value for key, value in values.items() if value is not None}
            self._ask(trace, AsRun(session.plan, held), wake)
        return changed

    def close(self) -> None:
        """Ends the thread."""
        if self._worker is not None:
            self._worker.close()

    def _ask(self, trace: Trace, session: AsRun, wake: Callable[[], None]) -> None:
        self._worker = self._worker or Worker(wake)
        self._asked, self._job = trace, Job("Adding up", lambda _job: sums_of(session, trace))
        self._worker.submit(self._job)

    def _take_up(self, stepping: Stepping) -> bool:
        found = False
        for job in self._worker.finished() if self._worker is not None else ():
            if job is self._job and self._asked is stepping.trace:
                stepping.sums = job.result or without(f"The sum could not be computed: {job.error}")
                self._known, found = (self._asked, stepping.sums) if self._asked is not None else None, True
        return found


def is_same_run(one: Trace, other: Trace) -> bool:
    """Returns whether two traces are of one run, recorded with other watches: their steps did the same."""
    if (one.pass_name, one.element, len(one.steps)) != (other.pass_name, other.element, len(other.steps)):
        return False
    pairs = zip(one.steps, other.steps, strict=True)
    return all((a.line, a.reads, a.assigned) == (b.line, b.reads, b.assigned) for a, b in pairs)


def sums_of(session: AsRun, trace: Trace) -> FragmentSum:
    """Returns the sums of a trace; without terms, and with the reason, if there is none."""
    from texelscope.pipeline.step_trace.sums import sums

    found = sums(cast("Session", session), trace)
    return found or without(f"'{trace.pass_name}' does not compute a sum of products.")


def without(reason: str) -> FragmentSum:
    """Returns sums without terms, and why."""
    from texelscope.pipeline.step_trace.sums import FragmentSum

    return FragmentSum((), None, reason)
