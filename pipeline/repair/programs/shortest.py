"""Which repairs are told: the shortest, and few of one line; which edits are apart; a few of many elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.repair.programs.mutant_schema import Mutant

# Repairs of one line that are told.
_MOST_OF_A_LINE = 3
# Of so many elements it is recorded what is read for them.
_FEW = 6


def are_apart(first: Mutant, second: Mutant) -> bool:
    """Whether two edits are of places that do not overlap."""
    return all(a.stop <= b.start or b.stop <= a.start for a in first.places for b in second.places)


def some_of_each_line(repairs: Sequence[Repair]) -> Iterator[Repair]:
    """Of the repairs of the same lines the first few."""
    seen: dict[tuple[Line, ...], int] = {}
    for repair in repairs:
        lines = tuple((edit.file, edit.line) for edit in repair.edits)
        seen[lines] = seen.get(lines, 0) + 1
        if seen[lines] <= _MOST_OF_A_LINE:
            yield repair


def some_of(places: NDArray[np.int64], count: int = _FEW) -> list[int]:
    """A few of some places, all over them."""
    return [int(places[at]) for at in np.linspace(0, len(places) - 1, min(count, len(places))).astype(int)]
