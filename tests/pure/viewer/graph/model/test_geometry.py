"""Tests which boxes and edges are in a part of a graph, and how bars stand for boxes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from texelscope.viewer.graph.model.camera import STEP_X, STEP_Y, GraphArea
from texelscope.viewer.graph.model.geometry import Bars, Geometry
from texelscope.viewer.graph.model.graph_layout import layered


def skipping() -> Geometry:
    """Ten boxes in a column, the last of which reads the first too."""
    names = [f"n{i}" for i in range(10)]
    reads = {name: [before] for before, name in pairwise(names)}
    return Geometry.of(layered(names, reads | {"n9": ["n8", "n0"]}))


def test_only_what_meets_the_area_is_in_it() -> None:
    geometry = skipping()
    middle = GraphArea(-10.0, 4.5 * STEP_Y, 300.0, 5.5 * STEP_Y)
    assert geometry.boxes_in(middle).tolist() == [4, 5]
    inside = {(int(geometry.sources[each]), int(geometry.targets[each])) for each in geometry.edges_in(middle)}
    assert inside == {(3, 4), (4, 5), (5, 6), (0, 9)}, "an edge may pass through without an end there"
    assert geometry.boxes_in(GraphArea(5000.0, 0.0, 6000.0, 10.0)).size == 0


def test_an_arc_beside_the_boxes_is_in_the_area_that_it_passes() -> None:
    geometry = skipping()
    beside = GraphArea(STEP_X - 20.0, 4 * STEP_Y, STEP_X + 20.0, 5 * STEP_Y)
    assert [int(geometry.bends[each]) > 0 for each in geometry.edges_in(beside)] == [True]


def test_from_afar_edges_to_the_next_rank_are_left_out_and_long_ones_come_first() -> None:
    geometry = skipping()
    every = np.arange(len(geometry.sources))
    assert [(int(geometry.sources[each]), int(geometry.targets[each])) for each in geometry.thinned(every, 5)] == [
        (0, 9)
    ]
    assert geometry.thinned(every, 0).size == 0


def test_edges_of_the_same_length_are_thinned_evenly_and_longer_ones_stay() -> None:
    names = [f"n{i}" for i in range(40)]
    reads = {name: [before] for before, name in pairwise(names)}
    reads |= {f"n{i + 3}": [f"n{i + 2}", f"n{i}"] for i in range(36)}
    geometry = Geometry.of(layered(names, reads | {"n39": ["n38", "n0"]}))
    thinned = geometry.thinned(np.arange(len(geometry.sources)), 6)
    found = sorted((int(geometry.sources[each]), int(geometry.targets[each])) for each in thinned)
    assert found == [(0, 3), (0, 39), (8, 11), (17, 20), (26, 29), (35, 38)]


def test_bars_that_touch_and_look_alike_are_one_and_a_wrong_one_is_drawn_last() -> None:
    tops = np.arange(0.0, 500.0, 0.5)
    ranks = np.full(1000, 12)
    ranks[500] = 3
    bars = Bars.of(np.zeros(1000), tops, ranks, height=1.5)
    assert bars.ranks.tolist() == [12, 3]
    assert (bars.tops[1], bars.bottoms[1]) == (250.0, 251.5)
    assert (bars.tops[0], bars.bottoms[0]) == (0.0, 501.0)


def test_bars_apart_or_in_other_columns_stay_apart() -> None:
    bars = Bars.of(np.array([0.0, 0.0, 30.0]), np.array([0.0, 20.0, 0.0]), np.array([1, 1, 1]), height=10.0)
    assert len(bars.xs) == 3
    assert Bars.of(np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.intp), 2.0).xs.size == 0
