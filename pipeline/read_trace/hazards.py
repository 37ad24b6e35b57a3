"""Shared memory that one invocation writes and another touches with no barrier between, in a log of a work group.

Between two barriers nothing orders what the invocations of a work group do. The values may come out right all the same,
on a driver that happens to run them in a lucky order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.read_trace.dispatch_text import BARRIER_NUMBER, WRITE, InstrumentedDispatch
from texelscope.pipeline.read_trace.instrument import ReadSite


@dataclass(frozen=True)
class Hazard:
    """An element of the shared array `name` that is written at `wrote` and touched at `touched` by two invocations."""

    name: str
    wrote: ReadSite
    touched: ReadSite


def hazards_of(words: NDArray[np.uint32], made: InstrumentedDispatch) -> list[Hazard]:
    """One for each pair of places in the text, of a log of entries uint32 [entries, 8]; see `dispatch_log.glsl`."""
    number = (words[:, 0] >> 24).tolist()
    sites = (words[:, 0] >> 4 & 0xFFFFF).tolist()
    at, done, who = words[:, 1].tolist(), words[:, 2].tolist(), words[:, 7].tolist()
    shared = {place for place, array in enumerate(made.arrays) if not array.bound}
    passed: dict[int, int] = {}
    touched: dict[tuple[int, int, int], dict[int, tuple[int, bool]]] = {}
    found: dict[tuple[int, int], Hazard] = {}
    for entry, what in enumerate(number):
        if what == BARRIER_NUMBER:
            passed[who[entry]] = passed.get(who[entry], 0) + 1
        elif what in shared:
            key = (what, at[entry], passed.get(who[entry], 0))
            others, writes = touched.setdefault(key, {}), bool(done[entry] & WRITE)
            for other, (site, wrote) in others.items():
                if other != who[entry] and (wrote or writes):
                    first, second = (sites[entry], site) if writes else (site, sites[entry])
                    hazard = Hazard(made.arrays[what].name, made.sites[first], made.sites[second])
                    found.setdefault((first, second), hazard)
            before = others.get(who[entry])
            if before is None or (writes and not before[1]):
                others[who[entry]] = (sites[entry], writes)
    return list(found.values())
