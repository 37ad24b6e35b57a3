"""Reads out one texel: tile, tensor index, actual value, oracle, error. Values are raw, whatever is displayed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.document.document import Document


@dataclass(frozen=True)
class LaneReadout:
    """One lane of a texel. `element` is the linear tensor index, −1 in padding; None means not known (yet).

    `oracle` is the value of the reference run instead, if one is chosen (`Document.reference`).
    """

    lane: int
    element: int
    index: tuple[int, ...]
    actual: float | None
    oracle: float | None
    bound: float | None

    @property
    def error(self) -> float | None:
        """Actual − oracle."""
        return None if self.actual is None or self.oracle is None else self.actual - self.oracle

    @property
    def ratio(self) -> float | None:
        """|error| over its rounding bound; 0 for an exact value."""
        if self.error is None or self.bound is None:
            return None
        if self.error == 0.0:
            return 0.0
        return abs(self.error) / self.bound if self.bound > 0.0 else math.inf


@dataclass(frozen=True)
class Readout:
    """Describes one texel and its lanes."""

    tx: int
    ty: int
    tile: str
    lanes: tuple[LaneReadout, ...]


def read_out(document: Document, stored: StoredTensor, tx: int, ty: int, *, chained: bool) -> Readout | None:
    """Reads out texel (tx, ty); None outside the texture."""
    height, width = stored.texture_shape
    if not (0 <= tx < width and 0 <= ty < height):
        return None
    actual = document.values(stored.key)
    expected = document.expected(stored.key, chained=chained)
    lanes = []
    for lane in range(stored.layout.lanes):
        element = stored.layout.index_of(stored.shape, tx, ty, lane)
        index = tuple(int(i) for i in np.unravel_index(element, stored.shape)) if element >= 0 and stored.shape else ()
        lanes.append(
            LaneReadout(
                lane,
                element,
                index,
                _at(actual, element),
                _at(expected.value, element) if expected is not None else None,
                _bound_at(expected, element),
            )
        )
    number = stored.layout.tile_index(stored.shape, tx, ty)
    tile = stored.layout.tile(stored.shape, number).label if number >= 0 else "between tiles"
    return Readout(tx, ty, tile, tuple(lanes))


def _at(values: object, element: int) -> float | None:
    if values is None or element < 0:
        return None
    flat = np.asarray(values).reshape(-1)
    return float(flat[element])


def _bound_at(expected: object, element: int) -> float | None:
    if expected is None or element < 0:
        return None
    bound = getattr(expected, "bound", None)
    return 0.0 if bound is None else _at(bound, element)
