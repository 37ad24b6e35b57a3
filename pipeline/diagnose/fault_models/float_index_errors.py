"""Indices that are worked out in floats and miss the whole number: the tile of a grid, the texel of a row, a half.

k / g falls short of a whole number, or reaches it too early; k mod g gives g. What is read then follows from the
layout's grid: the tile before or behind, or whatever lies where the grid has no such column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import Dims
from texelscope.pipeline.diagnose.clues.moved import same
from texelscope.pipeline.diagnose.clues.weights import right_values
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond, Rearranged, StoredValues
from texelscope.pipeline.diagnose.model_slice.model_slice import Coordinates, InputMove
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass

Array = NDArray[Any]
# Place k in rows of g: the steps (across, down) by which it is missed.
Miss = Callable[[Array, int], tuple[Array, Array]]


@dataclass(frozen=True)
class Slip:
    """`says` completes "reads … "; `miss` as above."""

    says: str
    miss: Miss

    def moved(self, g: int) -> Callable[[Array], Array]:
        """Place k in rows of g to the one that is taken for it."""

        def place(k: Array) -> Array:
            across, down = self.miss(k, g)
            return np.asarray(k + across + down * g)

        return place


def _first(k: Array, g: int) -> Array:
    return np.asarray((k % g == 0) & (k > 0), dtype=np.int64)


def _last(k: Array, g: int) -> Array:
    return np.asarray(k % g == g - 1, dtype=np.int64)


def _half(k: Array, g: int) -> Array:
    return np.asarray(2 * (k % g) >= g, dtype=np.int64)


def _cut(k: Array, g: int, by: int = 0) -> Array:
    """fract(k / g) · g in float32, cut off; `by`: k times 1 / g."""
    share = k.astype(np.float32) * (np.float32(1) / np.float32(g)) if by else k.astype(np.float32) / np.float32(g)
    return np.asarray((share - np.floor(share)) * np.float32(g)).astype(np.int64)


SLIPS = (
    Slip("where k / g falls short of the whole number", lambda k, g: (_first(k, g) * g, -_first(k, g))),
    Slip("where the row, k / g, falls short of the whole number", lambda k, g: (0 * k, -_first(k, g))),
    Slip("where k mod g gives g", lambda k, g: ((k % g == 0) * g, 0 * k)),
    Slip("where k mod g gives g but for k = 0", lambda k, g: (_first(k, g) * g, 0 * k)),
    Slip("where k / g reaches the next whole number", lambda k, g: (-_last(k, g) * g, _last(k, g))),
    Slip("where the row, k / g, reaches the next whole number", lambda k, g: (0 * k, _last(k, g))),
    Slip("where the column, k mod g, falls short of the whole number", lambda k, g: ((k - (k > 0)) % g - k % g, 0 * k)),
    Slip("where k / g, rounded, reaches the next whole number", lambda k, g: (-_half(k, g) * g, _half(k, g))),
    Slip("where the row, k / g, is rounded", lambda k, g: (0 * k, _half(k, g))),
    Slip("where the row, k / g, is rounded up", lambda k, g: (0 * k, np.asarray(k % g > 0, dtype=np.int64))),
    Slip("where the column is cut off from the fraction of k / g", lambda k, g: (_cut(k, g) - k % g, 0 * k)),
    Slip("where the column is cut off from the fraction of k times 1 / g", lambda k, g: (_cut(k, g, 1) - k % g, 0 * k)),
)  # fmt: skip


def misread(k: Array, inner: int, count: int) -> Iterator[tuple[str, Array]]:
    """Ways in which floats take k / inner mod count for another number: in words, and the number for each k.

    Numbers may be beyond the last, or before the first.
    """
    right = k // inner
    seen = {(right % count).tobytes()}
    for slip in SLIPS:
        for taken in (
            (right + slip.miss(k, inner)[1]) % count if inner > 1 else right % count,
            # Of two numbers the second one missed is the first one taken for both, which needs no floats.
            right % count + slip.miss(right, count)[0] if count > 2 else right % count,
        ):
            if taken.tobytes() not in seen:
                seen.add(taken.tobytes())
                yield slip.says, taken


def slipped(case: FailingPass, read: ReadTensor, slip: Slip, beyond: Beyond, counted: str = "") -> InputMove:
    """The tensor as it is read with such indices: tiles of a grid, or texels of rows where its layout has no grid.

    Of several grids, one in the other, `counted` names the one that is meant by what it counts; all by default.
    """
    values = read.values
    if values.stored.role == "constant" and case.redo.graph is not None:
        values = right_values(case, read.tensor)
    steps = _steps(values, slip, counted)

    def formula(dims: Dims, n: Any, c: Any, h: Any, w: Any) -> tuple[Any, Any, Any]:
        tx, ty, lane = values.stored.layout.texel_at(dims, n, c, h, w)
        across, down = steps(n, c, tx, ty)
        return tx + across, ty + down, lane

    return InputMove(read.tensor, Rearranged(values.stored, values.texels, values.wrap, formula), same, beyond)


def _steps(values: StoredValues, slip: Slip, counted: str) -> Callable[..., tuple[Any, Any]]:
    every = values.stored.layout.grid(values.dims)
    chosen = [grid for grid in every if counted in ("", grid.counted)]

    def of_grids(n: Any, c: Any, _tx: Any, _ty: Any) -> tuple[Any, Any]:
        missed = [slip.miss(np.asarray(grid.number(n, c)), grid.columns) for grid in chosen]
        return (
            sum(across * grid.width for (across, _), grid in zip(missed, chosen, strict=True)),
            sum(down * grid.height for (_, down), grid in zip(missed, chosen, strict=True)),
        )

    def of_rows(_n: Any, _c: Any, tx: Any, ty: Any) -> tuple[Any, Any]:
        width = values.texels.shape[1]
        return slip.miss(np.asarray(ty * width + tx), width)

    return of_grids if every else of_rows


def rounded_places(dims: Dims, rounding: Callable[[Array], Array]) -> Coordinates:
    """Each element taken from the place whose linear index is the rounded one; the first or last one where none is."""
    _, C, H, W = dims
    count = int(np.prod(dims))

    def coordinates(n: Array, c: Array, h: Array, w: Array) -> tuple[Array, Array, Array, Array]:
        index = np.clip(rounding(((n * C + c) * H + h) * W + w), 0, count - 1)
        return index // (C * H * W), index // (H * W) % C, index // W % H, index % W

    return coordinates


def grids(case: FailingPass) -> Iterator[tuple[str, tuple[ReadTensor, ...], str]]:
    """What may be read by such an index: each tensor, each of its grids, all at once by one function.

    The last word of each says what the one grid counts; it is empty where all are meant.
    """
    reads = tuple(read for read in case.evidence.reads if read.values.elements.size > 1)
    for read in reads:
        if not case.reads_rightly(read.tensor):
            yield f"'{read.tensor}'", (read,), ""
            levels = read.values.stored.layout.grid(read.values.dims)
            for grid in reversed(levels) if len(levels) > 1 else ():
                yield f"'{read.tensor}', {grid.counted} alone,", (read,), grid.counted
    if len(reads) > 1:
        yield "every tensor", reads, ""
        tiled = tuple(read for read in reads if read.values.dims[2:] != (1, read.values.elements.size))
        if 1 < len(tiled) < len(reads):
            yield "pictures and weights", tiled, ""
