"""Shows the shared memory of one work group, from barrier to barrier: what it holds, who wrote and who read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.read_trace.dispatch_reads import Hazard
from texelscope.pipeline.read_trace.dispatch_text import (
    BARRIER_NUMBER,
    MOST_ALONG,
    WRITE,
    InstrumentedDispatch,
)
from texelscope.pipeline.read_trace.recording import ReadSite
from texelscope.pipeline.read_trace.shared_contents import CONTENTS_HEADER, MOST_AXES, SharedVariable

# Of float32, int32 or uint32, as the variable is; a bool is 0 or 1.
Values = NDArray[Any]


@dataclass(frozen=True)
class SharedAccess:
    """Describes an access of an invocation (its number in the group) to `element` (linear index) of a shared array.

    `writes` is set for an assignment, also for one that reads the element first.
    """

    name: str
    element: int
    invocation: int
    writes: bool
    site: ReadSite


@dataclass(frozen=True)
class SharedPhase:
    """What happens between two barriers: the accesses, and what each variable holds at the end, [*extents, lanes].

    `barrier` is where the phase ends, None for the shader's end. `contents` is empty where it was not copied: behind a
    return, and where the copies have no more room.
    """

    accesses: tuple[SharedAccess, ...]
    contents: Mapping[str, Values]
    barrier: ReadSite | None


@dataclass(frozen=True)
class RecordedSharedMemory:
    """Holds the phases of the work group `group` (x, y, z), of `size` invocations along x, y and z.

    `invocation` is the number in it of the one that was asked about. `hazards` are accesses that no barrier orders.
    """

    group: tuple[int, int, int]
    size: tuple[int, int, int]
    invocation: int
    variables: tuple[SharedVariable, ...]
    phases: tuple[SharedPhase, ...]
    hazards: tuple[Hazard, ...]

    def place_of(self, invocation: int) -> tuple[int, int, int]:
        """Returns an invocation's place in its work group along x, y and z."""
        x, y, _ = self.size
        return invocation % x, invocation // x % y, invocation // x // y


def phases_of(
    words: NDArray[np.uint32],
    copies: NDArray[np.uint32],
    made: InstrumentedDispatch,
    variables: tuple[SharedVariable, ...],
    local: Mapping[int, int],
) -> tuple[SharedPhase, ...]:
    """Returns the phases from a log uint32 [entries, 8] and the copies of `shared_contents`.

    `local` maps the number of an invocation in the dispatch to that in its work group.
    """
    extents = {each.name: _extents(copies, number, each) for number, each in enumerate(variables)}
    passed: dict[int, int] = {}
    accesses: dict[int, list[SharedAccess]] = {}
    barriers: dict[int, ReadSite] = {}
    for who, at, done, invocation in words[:, (0, 1, 2, 7)].tolist():
        number, site, own = who >> 24, made.sites[who >> 4 & 0xFFFFF], local[invocation]
        if number == BARRIER_NUMBER:
            barriers.setdefault(passed.get(own, 0), site)
            passed[own] = passed.get(own, 0) + 1
        elif not made.arrays[number].bound:
            name = made.arrays[number].name
            element = _element(at, extents.get(name, ()))
            access = SharedAccess(name, element, own, bool(done & WRITE), site)
            accesses.setdefault(passed.get(own, 0), []).append(access)
    count = max([*accesses, *(number for number in barriers)], default=-1) + 1
    count = max(count, len(barriers) + (int(copies[0]) > len(barriers)))
    held = _contents(copies, variables, extents)
    return tuple(
        SharedPhase(
            tuple(accesses.get(number, ())), held[number] if number < len(held) else {}, barriers.get(number)
        )
        for number in range(count)
    )  # fmt: skip


def _extents(copies: NDArray[np.uint32], number: int, variable: SharedVariable) -> tuple[int, ...]:
    first = 4 + number * MOST_AXES
    return tuple(int(each) for each in copies[first : first + variable.axes])


def _element(at: int, extents: tuple[int, ...]) -> int:
    """Returns the linear index of a logged place, whose indices are digits of base `MOST_ALONG`."""
    if len(extents) < 2:
        return at
    element, factor = 0, 1
    for extent in reversed(extents):
        element += at % MOST_ALONG * factor
        factor, at = factor * extent, at // MOST_ALONG
    return element


def _contents(
    copies: NDArray[np.uint32], variables: tuple[SharedVariable, ...], extents: Mapping[str, tuple[int, ...]]
) -> list[Mapping[str, Values]]:
    """Returns the variables of each copy that had room."""
    sizes = [int(np.prod(extents[each.name], dtype=np.int64)) * each.lanes for each in variables]
    found: list[Mapping[str, Values]] = []
    for number in range(int(copies[0])):
        at = CONTENTS_HEADER + number * sum(sizes)
        if at + sum(sizes) > copies.size:
            break
        held: dict[str, Values] = {}
        for each, size in zip(variables, sizes, strict=True):
            kind = np.float32 if each.type[0] in "fv" else np.int32 if each.type[0] == "i" else np.uint32
            held[each.name] = copies[at : at + size].view(kind).reshape(*extents[each.name], each.lanes)
            at += size
        found.append(held)
    return found
