"""How what is read lies elsewhere: moved by one step, by steps that grow with the output's place, or spread otherwise.

Of several output elements, each with the elements of one input that a pass reads for it and those that it should.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

# Moved alike for every output, moved further for every next one, or at other distances from one another.
Moved = Literal["moved", "other steps", "other distances"]
# Rows of channel, row and column, in the order in which they are read: who reads a window backwards moves nothing.
Places = NDArray[np.int64]


@dataclass(frozen=True)
class Around:
    """What is read for one output element: its row and column, the places read, and those that should be."""

    at: tuple[int, int]
    before: Places
    after: Places


def moved(every: Sequence[Around]) -> Moved | None:
    """How the places of all of them differ; None where they do not in one of these ways.

    Where a border takes some of the places away no two can be told to belong together: such outputs say nothing. What
    moves alike is not all of it where others have more.
    """
    alike = [each for each in every if _are_of_the_same(each)]
    most = max((len(each.after) for each in alike), default=0)
    whole = [each for each in alike if len(each.after) == most]
    if not whole:
        return None
    steps = [each.before[:, 1:] - each.after[:, 1:] for each in whole]
    if all((step == step[0]).all() for step in steps):
        if any(len(each.after) > most for each in every):  # a part of it may move by itself
            return None
        return _of_steps([each.at for each in whole], [step[0] for step in steps])
    ratios = {_ratios(each) for each in whole}
    return "other distances" if len(ratios) == 1 and None not in ratios else None


def _are_of_the_same(each: Around) -> bool:
    """Whether as many places of the same channels are read as should be."""
    return len(each.before) == len(each.after) > 0 and np.array_equal(each.before[:, 0], each.after[:, 0])


def _of_steps(places: Sequence[tuple[int, int]], steps: Sequence[NDArray[Any]]) -> Moved | None:
    if len({*places}) < 2:  # one step alone may be any
        return None
    if all(np.array_equal(step, steps[0]) for step in steps):
        return "moved"
    for axis in (0, 1):
        by_place: dict[int, int] = {}
        for place, step in zip(places, steps, strict=True):
            if by_place.setdefault(place[axis], int(step[axis])) != step[axis]:
                return None
        known = sorted(by_place.items())
        if len(known) > 1 and not _is_a_line(known):
            return None
    return "other steps"


def _is_a_line(points: Sequence[tuple[int, int]]) -> bool:
    (x0, y0), (x1, y1) = points[0], points[-1]
    return all((y - y0) * (x1 - x0) == (y1 - y0) * (x - x0) for x, y in points)


def _ratios(each: Around) -> tuple[float, float] | None:
    """How much wider the places lie than they should, along rows and columns; None where that is no one number."""
    found = []
    for axis in (1, 2):
        before, after = (places[:, axis] - places[:, axis].mean() for places in (each.before, each.after))
        if not after.any():
            if before.any():
                return None
            found.append(1.0)
            continue
        ratio = float(before @ after / (after @ after))
        if ratio < 0.0 or not np.allclose(before, ratio * after):
            return None
        found.append(round(ratio, 6))
    return (found[0], found[1]) if found != [1.0, 1.0] else None
