"""Pictures upside down and mirrored: of every tile, and of the whole texture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.moved import moved_input, moved_output, reverse, texels_of_input, texels_of_output
from pipeline.diagnose.redo.redo import Change
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import Function
from pipeline.diagnose.trial.hypothesis import Hypothesis, LineOf

Array = NDArray[Any]
_TILE, _TEXTURE = "every tile", "the whole texture"


def flips(case: Case, cause: str, *, axis: int) -> Iterator[Hypothesis]:
    """Along the rows (axis 2) or the columns (axis 3) of the 4-d view; in the texture those are axes 0 and 1."""
    name, first = ("rows", "top") if axis == 2 else ("columns", "left")
    turn = _turned(axis - 2)

    def made(says: str, of: str, changes: tuple[Change, ...], line: LineOf, weight: float) -> Hypothesis:
        return Hypothesis(
            cause,
            f"{says} the {name} of {of} in reverse",
            f"Count {name} from the first in memory, which is shown at the {first}.",
            {"of": of},
            changes,
            line=line,
            weight=weight,
            in_pairs=of == _TILE,
        )

    reads = [read for read in case.activations() if not case.reads_in_place(read.tensor)]
    by_tile = [moved_input(read, reverse(axis, read.values.dims[axis]), "edge") for read in reads]
    for weight, (read, change) in enumerate(zip(reads, by_tile, strict=True)):
        line = lines.read(read.tensor)
        yield made(f"reads of '{read.tensor}'", _TILE, (change,), line, 1.0 + weight / 100.0)
        yield made(f"reads of '{read.tensor}'", _TEXTURE, (texels_of_input(read, turn),), line, 1.1 + weight / 100.0)
    if len(reads) > 1:
        yield made("reads of every input", _TILE, tuple(by_tile), lines.read(), 1.05)
    light = 0.5 if case.writes_otherwise else 1.2
    written = moved_output(case, reverse(axis, case.dims[axis]), "edge")
    yield made("writes", _TILE, (written,), lines.target, light)
    yield made("writes", _TEXTURE, (texels_of_output(case, turn),), lines.target, light + 0.1)


def _turned(axis: int) -> Function:
    return lambda texels: np.flip(texels, axis)
