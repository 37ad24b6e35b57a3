"""Chooses as many of the nearest test modules as a budget of seconds holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tests.near.ranking import Candidate

# Before its first test a worker starts, imports the product, and imports each chosen module, as its companion does.
START_SECONDS = 12.0
MODULE_SECONDS = 0.1
# Windows want prompt answers to real mouse clicks, so their tests come after all else.
WINDOWS = "tests/gui/"
# These need a browser, or files of others, that only their own targets fetch.
NEED_MORE = ("tests/browser/", "tests/outside/")


@dataclass(frozen=True)
class Choice:
    """What is run and what is left out, the nearest first in both; `seconds` is how long the run is likely to take."""

    chosen: tuple[Candidate, ...]
    left_out: tuple[Candidate, ...]
    seconds: float

    @property
    def in_order(self) -> list[str]:
        """The chosen modules as they are to be run."""
        files = [candidate.file for candidate in self.chosen]
        return sorted(files, key=lambda file: file.startswith(WINDOWS))


def choose(ranked: Iterable[Candidate], budget: float, workers: int) -> Choice:
    """The nearest modules that `workers` finish within `budget` seconds, without those too long for what is left."""
    ends = [START_SECONDS] * workers
    chosen, left_out = [], []
    for candidate in ranked:
        first = ends.index(min(ends))
        end = ends[first] + MODULE_SECONDS + candidate.seconds
        if end > budget or candidate.file.startswith(NEED_MORE):
            left_out.append(candidate)
            continue
        ends[first] = end
        # The other workers import this module too, before any of them runs a test.
        ends = [end if worker == first else end + MODULE_SECONDS for worker, end in enumerate(ends)]
        chosen.append(candidate)
    return Choice(tuple(chosen), tuple(left_out), max(ends))
