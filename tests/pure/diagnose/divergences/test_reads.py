"""Tests names of reads: a convolution's reads moved by a rule, terms left out or added, results of other places."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from tests.pure.diagnose.divergences.passes import divergent_pass, node
from texelscope.pipeline.diagnose.divergences.names import named
from texelscope.pipeline.symbolic.kinds import Divergence, Missed, Moved
from texelscope.pipeline.symbolic.pass_divergences import PassDivergences

IMAGE, WEIGHTS, OUTPUT = (1, 4, 9, 12), (4, 4, 3, 3), (1, 4, 9, 12)
SHAPES = {"x": IMAGE, "w": WEIGHTS, "b": (4,)}
# Channel, row, column of outputs that lie inside.
PLACES = ((0, 2, 2), (1, 2, 5), (2, 3, 4), (3, 5, 2), (0, 5, 5), (2, 3, 6))
# Row, column and tap's row and column, to the row and column that are read.
Rule = Callable[[int, int, int, int], tuple[int, int]]
ONE_EACH = (node("Transpose"),)


def _linear(at: Sequence[int], shape: tuple[int, ...]) -> int:
    return int(np.ravel_multi_index(tuple(at), shape))


def _elements(places: Sequence[Sequence[int]] = PLACES) -> list[int]:
    return [_linear((0, *place), OUTPUT) for place in places]


def _terms(channel: int, row: int, column: int) -> Iterator[tuple[int, int, int, tuple[str, int], tuple[str, int]]]:
    """Yields input channel and tap of each product, what it reads, and its weight."""
    for i, p, q in itertools.product(range(4), range(3), range(3)):
        read = ("x", _linear((0, i, row + p - 1, column + q - 1), IMAGE))
        yield i, p, q, read, ("w", _linear((channel, i, p, q), WEIGHTS))


def _moved(rule: Rule) -> PassDivergences:
    every = []
    for channel, row, column in PLACES:
        moves: list[Divergence] = []
        for i, p, q, read, weight in _terms(channel, row, column):
            got = ("x", _linear((0, i, *rule(row, column, p, q)), IMAGE))
            if got != read:
                moves.append(Moved(read, got, is_weight=False, row=-1, weight=weight))
        every.append(moves)
    return divergent_pass(*every, nodes=(node("Conv"),), shapes=SHAPES, output=OUTPUT, at=_elements())


def _names(found: PassDivergences) -> list[str]:
    return [each.cause.name for each in named(found, np.ones(int(np.prod(found.output))))]


@pytest.mark.parametrize(
    ("rule", "cause"),
    [
        (lambda y, x, p, q: (y + p, x + q - 1), "shift"),
        (lambda y, x, p, q: (y + p - 1, 2 * x + q - 4), "stride"),
        (lambda y, x, p, q: (y + 2 * p - 2, x + q - 1), "dilation"),
        (lambda y, x, p, q: (y + 1 - p, x + 1 - q), "kernel_flip"),
        (lambda y, x, p, q: (y + q - 1, x + p - 1), "kernel_transpose"),
        (lambda y, x, p, q: (x + q - 1, y + p - 1), "transpose_xy"),
        (lambda y, x, p, q: (y + p - 1, 11 - (x + q - 1)), "flip_x"),
        (lambda y, x, p, q: (8 - (y + p - 1), x + q - 1), "flip_y"),
        pytest.param(lambda y, x, _p, _q: (y, x), "index_map", id="the middle for every tap"),
        pytest.param(lambda y, x, p, q: (y + p - 1, x + q - 1 + (p == 0)), "index_map", id="one row of taps"),
    ],
)
def test_reads_that_move_by_a_rule_are_named(rule: Rule, cause: str) -> None:
    assert _names(_moved(rule)) == [cause]


def test_a_move_of_a_part_of_the_result_is_no_shift() -> None:
    moved = _moved(lambda y, x, p, q: (y + p, x + q - 1))
    few = np.zeros(int(np.prod(OUTPUT)), bool)
    few[_elements()] = True
    assert _names(dataclasses.replace(moved, wrong=few)) == ["index_map"]


def test_another_tensor_is_named() -> None:
    moves = [[Moved(("x", place), ("other", place), is_weight=False, row=-1)] for place in range(4)]
    assert _names(divergent_pass(*moves, nodes=ONE_EACH, shapes={**SHAPES, "other": IMAGE})) == ["wrong_input"]


Weights = Callable[[int, int, int, int], tuple[int, int, int, int]]


@pytest.mark.parametrize(
    ("rule", "cause"),
    [
        (lambda o, i, p, q: (o, i, 2 - p, 2 - q), "kernel_flip"),
        (lambda o, i, p, q: (o, i, q, p), "kernel_transpose"),
        (lambda o, i, p, q: (i, o, p, q), "filter_io_swap"),
        (lambda o, i, p, q: (o, (i + 1) % 4, p, q), "index_map"),
        (lambda o, i, p, q: (min(o + 1, 3), i, p, q), "filter_offset"),
    ],
)
def test_weights_that_move_by_a_rule_are_named(rule: Weights, cause: str) -> None:
    every = []
    for channel, row, column in PLACES:
        moves: list[Divergence] = []
        for i, p, q, _, weight in _terms(channel, row, column):
            got = ("w", _linear(rule(channel, i, p, q), WEIGHTS))
            if got != weight:
                moves.append(Moved(weight, got, is_weight=True, row=-1))
        every.append(moves)
    at = [element for element, each in zip(_elements(), every, strict=True) if each]
    found = divergent_pass(*filter(None, every), nodes=(node("Conv"),), shapes=SHAPES, output=OUTPUT, at=at)
    assert _names(found) == [cause]


def _without(is_lost: Callable[[int, int, int], bool], *, is_extra: bool = False, times: float = 0.0) -> list[str]:
    every = [
        [Missed(read, is_extra, -1, times, weight) for i, p, q, read, weight in _terms(*place) if is_lost(i, p, q)]
        for place in PLACES
    ]
    return _names(divergent_pass(*every, nodes=(node("Conv"),), shapes=SHAPES, output=OUTPUT, at=_elements()))


def test_terms_that_are_left_out_are_named_by_what_they_have_in_common() -> None:
    assert _without(lambda _i, p, _q: p == 2) == ["missing_taps"]
    assert _without(lambda i, _p, _q: i > 1) == ["missing_channels"]


def test_terms_that_are_counted_twice_are_named() -> None:
    assert _without(lambda i, _p, _q: i == 0, is_extra=True, times=2.0) == ["double_counted"]


def test_a_summand_that_is_left_out_is_named() -> None:
    lost = [[Missed(("skip", place), is_extra=False, row=-1)] for place in range(4)]
    shapes = {"skip": OUTPUT}
    assert _names(divergent_pass(*lost, nodes=(node("Add", "x", "skip"),), shapes=shapes, output=OUTPUT)) == [
        "bias_missing"
    ]


def test_terms_of_rows_and_means_are_channels() -> None:
    lost = [[Missed(("x", 6 * place + 5), is_extra=False, row=-1)] for place in range(4)]
    assert _names(divergent_pass(*lost, nodes=(node("ReduceMean"),), shapes={"x": (4, 6)}, output=(4,))) == [
        "missing_channels"
    ]


def test_missing_and_extra_terms_of_one_weight_are_reads_that_moved() -> None:
    every = []
    for channel, row, column in PLACES:
        terms: list[Divergence] = []
        for i, p, q, read, weight in _terms(channel, row, column):
            terms.append(Missed(read, is_extra=False, row=-1, weight=weight))
            got = ("x", _linear((0, i, row + p, column + q - 1), IMAGE))
            terms.append(Missed(got, is_extra=True, row=-1, weight=weight))
        every.append(terms)
    found = divergent_pass(*every, nodes=(node("Conv"),), shapes=SHAPES, output=OUTPUT, at=_elements())
    assert _names(found) == ["shift"]


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        (lambda c, y, x: (c, y + 1, x), "shift"),
        (lambda c, y, x: (c, y, 11 - x), "flip_x"),
        (lambda c, y, x: (c, 8 - y, x), "flip_y"),
        (lambda c, y, x: ((c + 1) % 4, y, x), "index_map"),
        (lambda c, y, x: (c, y, 2 * x - 4), "stride"),
    ],
)
def test_results_of_other_places_are_named(source: Callable[[int, int, int], tuple[int, int, int]], cause: str) -> None:
    places = [place for place in PLACES if source(*place) != place]
    wanted = {
        element: _linear((0, *source(*place)), OUTPUT) for element, place in zip(_elements(places), places, strict=True)
    }
    values = np.arange(int(np.prod(OUTPUT)), dtype=float)
    actual = values.copy()
    for element, other in wanted.items():
        actual[element] = values[other]
    moves = [[Moved(("x", 1), ("x", 2), is_weight=False, row=-1)]] * len(places)
    found = divergent_pass(
        *moves, nodes=(node("Conv"),), shapes=SHAPES, output=OUTPUT, at=_elements(places), actual=actual
    )
    found = dataclasses.replace(found, has_formula_of=lambda element, other: wanted[element] == other)
    assert [each.cause.name for each in named(found, values)] == [cause]


def _parameters(found: PassDivergences) -> dict[str, Any]:
    (each,) = named(found, np.ones(int(np.prod(found.output))))
    return dict(each.seen.parameters)


@pytest.mark.parametrize(
    ("rule", "parameters"),
    [
        (lambda y, x, p, q: (y + p, x + q - 1), {"dx": 0, "dy": 1}),
        (lambda y, x, p, q: (y + 2 * p - 1, x + 2 * q - 1), {"expected": [1, 1], "got": [2, 2]}),
    ],
)
def test_a_name_has_its_parameters(rule: Rule, parameters: dict[str, Any]) -> None:
    assert _parameters(_moved(rule)) == parameters


def test_taps_that_are_left_out_are_told_by_their_row() -> None:
    every = [
        [Missed(read, False, -1, weight=weight) for _, p, _, read, weight in _terms(*place) if p == 1]
        for place in PLACES
    ]
    found = divergent_pass(*every, nodes=(node("Conv", "x", "w"),), shapes=SHAPES, output=OUTPUT, at=_elements())
    assert _parameters(found) == {"axis": "row", "places": [1]}
