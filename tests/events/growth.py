"""Finds what a storm leaves behind: memory and GL objects, checkpoint by checkpoint."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from tests.events.storm import Checkpoint

# From this event on memory and GL objects stay within the share.
SETTLED_EVENTS, GROWTH, AT_ENDS = 5000, 0.02, 5


def growth(checkpoints: Sequence[Checkpoint]) -> list[str]:
    """Returns what grew too much since the window settled: the median of the last checkpoints over that of the first.

    A checkpoint may find a diagnosis at work, an undone edit's program, arrays that go with the next event; another
    finds less than there mostly is: eleven programs where the others find thirteen. Neither is a growth.
    """
    settled = [each for each in checkpoints if each.events >= SETTLED_EVENTS]
    if len(settled) < 2 * AT_ENDS:
        return []
    first, last = settled[:AT_ENDS], settled[-AT_ENDS:]
    found = []
    for what in ("resident MiB", *first[0].objects):
        before, after = (statistics.median(each.figure(what) for each in those) for those in (first, last))
        if after > before * (1 + GROWTH):
            found.append(
                f"{what}: {before:.0f} after {first[0].events:,} events and on, {after:.0f} until {last[-1].events:,}"
            )
    return found
