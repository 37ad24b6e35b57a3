"""GPU times of passes over the last runs."""

from __future__ import annotations

import statistics
from collections import deque

from pipeline.gl.session import Session

HISTORY_RUNS = 120
# A pass's time is the median of so many of its last runs: software drivers share their cores with others.
MEDIAN_RUNS = 15


class Timings:
    """Milliseconds by pass, one entry a run of it; runs of the whole plan oldest first."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._generations: dict[str, int] = {}
        self._by_pass: dict[str, deque[float]] = {}

    def update(self, session: Session) -> None:
        """Takes up what has run since the last call; begins anew for another session."""
        if session is not self._session:
            self._session = session
            self._generations.clear()
            self._by_pass.clear()
        for each in session.plan.passes:
            generation = session.generation(each.output)
            if generation != self._generations.get(each.name) and session.has_run(each.name):
                self._generations[each.name] = generation
                elapsed = session.gpu_ms(each.name)
                if elapsed is not None:
                    self._by_pass.setdefault(each.name, deque(maxlen=HISTORY_RUNS)).append(elapsed)

    def median_ms(self, name: str) -> float | None:
        """The pass's time; None if it never ran."""
        times = self._by_pass.get(name)
        return statistics.median(list(times)[-MEDIAN_RUNS:]) if times else None

    def history_ms(self, name: str) -> tuple[float, ...]:
        """The pass's last runs, the newest last."""
        return tuple(self._by_pass.get(name, ()))

    def total_ms(self) -> float:
        """The sum of all passes' times."""
        return sum(self.median_ms(name) or 0.0 for name in self._by_pass)

    def totals_ms(self) -> tuple[float, ...]:
        """Whole runs: the sum over all passes, for as many runs as every pass has."""
        if not self._by_pass:
            return ()
        count = min(len(times) for times in self._by_pass.values())
        return tuple(sum(run) for run in zip(*(list(times)[-count:] for times in self._by_pass.values()), strict=True))
