"""The sum of the fragment that is stepped through, beside the oracle's, told in a thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.trace.trace import Trace
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.jobs import Job, Worker
from texelscope.viewer.stepping.stepping import Stepping

if TYPE_CHECKING:  # imported with the first fragment that is stepped through
    from texelscope.pipeline.debug_session import DebugSession
    from texelscope.pipeline.gl.session import Session
    from texelscope.pipeline.trace.sums import FragmentSum


@dataclass(frozen=True)
class AsRun:
    """What a sum asks a session for, without its GL: the plan, and what the pass read."""

    plan: Plan
    held: Mapping[str, NDArray[np.float32]]

    def tensor(self, key: str) -> NDArray[np.float32]:
        """The tensor as the pass read it; raises TexelscopeError for one that was not there."""
        if key not in self.held:
            raise TexelscopeError(key, "a tensor that the pass read", "one that is not there", "Run the passes before.")
        return self.held[key]


class StepSums:
    """Gives each new trace of the stepper its sums, once they are told."""

    def __init__(self) -> None:
        self._worker: Worker[FragmentSum] | None = None
        self._asked: Trace | None = None
        self._told: tuple[Trace, FragmentSum] | None = None
        self._job: Job[FragmentSum] | None = None
        self._session: Callable[[], DebugSession | None] = lambda: None

    def advance(self, stepping: Stepping, document: Document, wake: Callable[[], None]) -> bool:
        """Takes up what is told by now and asks for what is not; True if something new is there.

        `wake` is called from the thread when something is.
        """
        trace, session = stepping.trace, document.session
        changed = self._take_up(stepping)
        if session is not self._session():  # what was closed is let go
            self._session = ref(session) if session is not None else lambda: None
            self._asked = self._told = self._job = None
        if trace is None or session is None:
            self._asked = None
        elif self._told is not None and stepping.sums is None and is_same_run(self._told[0], trace):
            stepping.sums, self._asked, self._told = self._told[1], trace, (trace, self._told[1])
            changed = True
        elif stepping.sums is None and self._asked is not trace:
            found = session.plan.find(trace.pass_name)
            keys = found.reads if found is not None else ()
            values = {key: document.values(key) for key in keys if session.plan.textures[key].role != "constant"}
            held = {key: value for key, value in values.items() if value is not None}
            self._ask(trace, AsRun(session.plan, held), wake)
        return changed

    def close(self) -> None:
        """Lets the thread go."""
        if self._worker is not None:
            self._worker.close()

    def _ask(self, trace: Trace, session: AsRun, wake: Callable[[], None]) -> None:
        self._worker = self._worker or Worker(wake)
        self._asked, self._job = trace, Job("Adding up", lambda _job: told(session, trace))
        self._worker.submit(self._job)

    def _take_up(self, stepping: Stepping) -> bool:
        found = False
        for job in self._worker.finished() if self._worker is not None else ():
            if job is self._job and self._asked is stepping.trace:
                stepping.sums = job.result or without(f"The sum could not be told: {job.error}")
                self._told, found = (self._asked, stepping.sums) if self._asked is not None else None, True
        return found


def is_same_run(one: Trace, other: Trace) -> bool:
    """Whether two traces are of one run, recorded with other watches: their steps did the same."""
    if (one.pass_name, one.element, len(one.steps)) != (other.pass_name, other.element, len(other.steps)):
        return False
    pairs = zip(one.steps, other.steps, strict=True)
    return all((a.line, a.reads, a.assigned) == (b.line, b.reads, b.assigned) for a, b in pairs)


def told(session: AsRun, trace: Trace) -> FragmentSum:
    """The sums of a trace; without terms, and with the reason, where there is none."""
    from texelscope.pipeline.trace.sums import sums

    found = sums(cast("Session", session), trace)
    return found or without(f"What '{trace.pass_name}' computes is no sum of products.")


def without(reason: str) -> FragmentSum:
    """No terms, and why."""
    from texelscope.pipeline.trace.sums import FragmentSum

    return FragmentSum((), None, reason)
