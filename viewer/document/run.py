"""How far the passes of the open session have run, and how far they are to: all, up to one, step by step, on and on."""

from __future__ import annotations

import time
from collections.abc import Callable

from pipeline.gl.session import Session
from pipeline.plan import Pass
from pipeline.start_marks import mark
from viewer.document.log import Log


class Run:
    """`position` counts the passes that have run, in order. Passes run in `advance` alone, in the window's thread.

    `is_live` says that the run is one of many, each after the other: on and on, or of frames that are played.
    `changes` grows whenever results are to be made anew or count as not made: what was found out before is about
    others. `milliseconds` is how long the last run took, from its start to its end.
    """

    def __init__(self, log: Log, before: Callable[[], None]) -> None:
        """`before` is called whenever passes are about to run."""
        self._log = log
        self._before = before
        self._session: Session | None = None
        self._wanted = 0
        self._only_stale = self._shows_save = self._one_of_many = False
        self._started: float | None = None
        self.position = 0
        self.continuous = False
        self.changes = 0
        self.milliseconds: float | None = None

    def take_up(self, session: Session | None) -> None:
        """For another session, or none: nothing of it has run."""
        self._session = session
        self.position = self._wanted = 0
        self.changes += 1

    @property
    def passes(self) -> tuple[Pass, ...]:
        """The plan's passes; empty without a session."""
        return self._session.plan.passes if self._session is not None else ()

    @property
    def is_under_way(self) -> bool:
        """Whether passes are waiting to be run in the coming frames."""
        return self.position < self._wanted

    @property
    def is_live(self) -> bool:
        """Whether another run is likely to follow at once."""
        return self.continuous or self._one_of_many

    def everything(self, *, one_of_many: bool = False) -> None:
        """Runs every pass, from the first."""
        self._start(0, len(self.passes))
        self._one_of_many = one_of_many

    def stop(self) -> None:
        """Leaves it at the passes that have run."""
        self.continuous, self._wanted = False, self.position

    def on_from(self, index: int) -> None:
        """Runs the pass at `index` and what follows, as far as the passes had run; from there on if not so far."""
        end = max(self._wanted, self.position)  # a run that is under way still goes as far as it was to
        self._start(min(index, self.position), max(end, index + 1))

    def up_to(self, index: int) -> None:
        """Runs from the first pass up to and with the one at `index`; what follows counts as not run."""
        self._rewind(index + 1)
        self._start(0, index + 1)

    def what_is_stale(self) -> None:
        """Runs what has no result, of the passes that had run; the others wait for a step, as before."""
        assert self._session is not None
        self.position, self._wanted = (min(count, len(self.passes)) for count in (self.position, self._wanted))
        self.changes += 1
        stale = [index for index, each in enumerate(self.passes) if not self._session.has_run(each.name)]
        if stale and stale[0] < max(self.position, self._wanted):
            self.on_from(stale[0])
            self._only_stale = self._shows_save = True

    def to_the_end(self) -> None:
        """Runs the passes after those that have run."""
        self._start(self.position, len(self.passes))

    def forward(self) -> None:
        """Runs the next pass."""
        if self.position < len(self.passes):
            self._start(self.position, self.position + 1)

    def back(self) -> None:
        """Takes the last pass that ran back: it and what follows count as not run."""
        if self.position > 0:
            self._rewind(self.position - 1)
            self.position = self._wanted = self.position - 1
            self.changes += 1

    def advance(self, budget_ms: float) -> bool:
        """Runs passes for about `budget_ms`, after a save one pass; True if any ran. A pass is the smallest step."""
        if self._session is not None and self.continuous and not self.is_under_way:
            self.everything()
        if self._session is None or not self.is_under_way:
            return False
        end = time.perf_counter() + (0.0 if self._shows_save else budget_ms) / 1e3
        self._shows_save = False
        while self.is_under_way:
            name = self.passes[self.position].name
            if self._only_stale and self._session.has_run(name):
                self.position += 1
                continue
            before = self._session.shader_error(name)
            self._session.run_pass(name)
            if (after := self._session.shader_error(name)) not in (None, before):
                self._log.add(str(after), error=True)
            self._session.finish()
            self.position += 1
            if time.perf_counter() > end:
                break
        if not self.is_under_way and self._started is not None:
            self.milliseconds = (time.perf_counter() - self._started) * 1e3
            mark("ran")
        return True

    def _start(self, first: int, end: int) -> None:
        self._before()
        self._only_stale = self._shows_save = self._one_of_many = False
        self.position, self._wanted = first, end
        self._started = time.perf_counter()
        self.changes += 1

    def _rewind(self, index: int) -> None:
        if self._session is not None and index < len(self.passes):
            for each in self.passes[index:]:
                self._session.invalidate(each.name)
