"""Computes where all boxes and edges of a laid out graph are, and which of them are in a part of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from texelscope.viewer.graph.model.camera import BOX_HEIGHT, BOX_WIDTH, MARGIN, STEP_X, STEP_Y, GraphArea
from texelscope.viewer.graph.model.graph_layout import GraphLayout, path_bend

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True)
class Geometry:
    """The corners of boxes, in the order of the layout's cells, and the ends of edges, as indices of boxes.

    Lengths are in pixels at zoom 1, from the first rank and row on. `bends` is how far each edge bows out to the right
    of its boxes; `extent` is width and height of everything with margins.
    """

    lefts: Floats
    tops: Floats
    sources: Indices
    targets: Indices
    bends: Floats
    extent: tuple[float, float]

    @classmethod
    def of(cls, layout: GraphLayout) -> Self:
        """Computes the geometry of a layout."""
        position = {cell.name: number for number, cell in enumerate(layout.cells)}
        bends = np.array([path_bend(edge) * STEP_X for edge in layout.edges], dtype=np.float64)
        beside = float(bends.max(initial=0.0)) * 0.75
        return cls(
            np.array([cell.row * STEP_X for cell in layout.cells], dtype=np.float64),
            np.array([cell.rank * STEP_Y for cell in layout.cells], dtype=np.float64),
            np.array([position[edge.source] for edge in layout.edges], dtype=np.intp),
            np.array([position[edge.target] for edge in layout.edges], dtype=np.intp),
            bends,
            (
                max(layout.rows - 1, 0) * STEP_X + BOX_WIDTH + 2 * MARGIN + beside,
                max(layout.ranks - 1, 0) * STEP_Y + BOX_HEIGHT + 2 * MARGIN,
            ),
        )

    def boxes_in(self, area: GraphArea) -> Indices:
        """Returns the indices of the boxes that are at least partly in an area."""
        across = (self.lefts <= area.right) & (self.lefts + BOX_WIDTH >= area.left)
        return np.flatnonzero(across & (self.tops <= area.bottom) & (self.tops + BOX_HEIGHT >= area.top))

    def edges_in(self, area: GraphArea) -> Indices:
        """Returns the indices of the edges whose rectangle meets an area."""
        lefts, tops = (np.minimum(ends[self.sources], ends[self.targets]) for ends in (self.lefts, self.tops))
        rights = np.maximum(self.lefts[self.sources], self.lefts[self.targets]) + BOX_WIDTH + self.bends
        bottoms = np.maximum(self.tops[self.sources], self.tops[self.targets]) + BOX_HEIGHT
        across = (lefts <= area.right) & (rights >= area.left)
        return np.flatnonzero(across & (tops <= area.bottom) & (bottoms >= area.top))

    def thinned(self, edges: Indices, most: int) -> Indices:
        """Returns those of the edges that say most from afar: the longest, but none to the next rank of the same row.

        At most so many are returned; of edges of the same length, those that are evenly spread.
        """
        across = np.abs(self.lefts[self.targets[edges]] - self.lefts[self.sources[edges]])
        down = np.abs(self.tops[self.targets[edges]] - self.tops[self.sources[edges]])
        is_telling = (across > 0) | (down > STEP_Y)
        telling, length = edges[is_telling], (across + down)[is_telling]
        if len(telling) <= most:
            return telling
        shortest = np.sort(length)[len(length) - most] if most else np.inf
        longer, alike = telling[length > shortest], telling[length == shortest]
        spread = np.linspace(0, len(alike) - 1, most - len(longer)).astype(np.intp)
        return np.concatenate((longer, alike[spread]))


@dataclass(frozen=True)
class Bars:
    """Holds bars that stand for boxes: columns from `xs` on, from `tops` to `bottoms`, with the rank of each."""

    xs: Floats
    tops: Floats
    bottoms: Floats
    ranks: Indices

    @classmethod
    def of(cls, xs: Floats, tops: Floats, ranks: Indices, height: float, gap: float = 2.0) -> Self:
        """Merges boxes, given by left and top in pixels, that are no `gap` apart and of the same rank.

        A bar is at least `height` pixels high. The worst ranks (the smallest numbers) come last: they are drawn over
        the others.
        """
        order = np.lexsort((tops, ranks, xs))
        xs, tops, ranks = xs[order], tops[order], ranks[order]
        starts = np.ones(len(xs), dtype=bool)
        starts[1:] = (np.diff(xs) != 0) | (np.diff(ranks) != 0) | (np.diff(tops) - height >= gap)
        first = np.flatnonzero(starts)
        last = np.append(first[1:], len(xs))[: len(first)] - 1
        drawn = np.argsort(-ranks[first], kind="stable")
        first, last = first[drawn], last[drawn]
        return cls(xs[first], tops[first], tops[last] + height, ranks[first])
