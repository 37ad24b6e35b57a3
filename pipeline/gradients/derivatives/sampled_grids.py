"""Pictures read at the places of a grid, and grids: GridSample (nearest, linear), AffineGrid."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.gradients.derivatives.backward import Backward

_MODES = {"nearest": 1, "linear": 2, "bilinear": 2}


@dataclass(frozen=True)
class _Tap:
    """Along one axis, of [N, 1, places] each: the element that is read, its weight, and the weight's slope.

    Weight and slope are with respect to the grid; empty where they are 1, and 0.
    """

    element: str
    weight: str
    slope: str


def grid_sample(node: Backward) -> None:
    """dx adds up dy times the weights; dgrid = Σ dy · x · (slopes of the weights), 0 for nearest."""
    mode = str(node.attribute("mode", "linear"))
    if mode not in _MODES:
        raise node.refusal(
            "mode nearest or linear where gradients flow back", f"'{mode}'",
            "Ask for gradients with respect to tensors after it.",
        )  # fmt: skip
    n, c, *sizes = node.shape(0)
    count = node.count(node.y_info().shape[2:])
    taps = [_axis_taps(node, axis, size, n, count) for axis, size in enumerate(sizes)]
    dy = node.to_shape(node.dy(), (n, c, count), label="dy_in_a_row")
    corners = [(chosen, _index(node, chosen, sizes)) for chosen in itertools.product(*taps)]
    if node.wants(0):
        _of_the_picture(node, dy, corners)
    if node.wants(1) and _MODES[mode] > 1:
        _of_the_grid(node, dy, corners)


def _of_the_picture(node: Backward, dy: str, corners: Sequence[tuple[Sequence[_Tap], str]]) -> None:
    n, c, *sizes = node.shape(0)
    count = node.count(node.y_info().shape[2:])
    shares, indices = [], []
    for chosen, index in corners:
        weight = _product(node, [tap.weight for tap in chosen])
        shares.append(node.add("Mul", dy, weight, label="share") if weight else dy)
        indices.append(index)
    row = (n, c, count * len(corners))
    there = node.add("Concat", *indices, label="indices", axis=2) if len(corners) > 1 else indices[0]
    updates = node.add("Concat", *shares, label="shares", axis=2) if len(corners) > 1 else shares[0]
    zeros = node.filled(0.0, (n, c, int(np.prod(sizes))), label="zeros")
    there = node.spread(there, row, label="indices_of_channels")
    added = node.add("ScatterElements", zeros, there, updates, label="dx_in_a_row", axis=2, reduction="add")
    node.result(0, node.to_shape(added, node.shape(0), label="dx"))


def _of_the_grid(node: Backward, dy: str, corners: Sequence[tuple[Sequence[_Tap], str]]) -> None:
    n, c, *sizes = node.shape(0)
    count = node.count(node.y_info().shape[2:])
    flat = node.to_shape(node.x(0), (n, c, int(np.prod(sizes))), label="x_in_a_row")
    terms: list[list[str]] = [[] for _ in sizes]
    for chosen, index in corners:
        there = node.spread(index, (n, c, count), label="index_of_channels")
        read = node.add("GatherElements", flat, there, label="x_there", axis=2)
        product = node.add("Mul", dy, read, label="dy_x")
        summed = node.reduced("ReduceSum", product, (1,), label="over_channels")
        for axis, tap in enumerate(chosen):
            slopes = [other.weight for i, other in enumerate(chosen) if i != axis] + [tap.slope]
            terms[axis].append(node.add("Mul", summed, _product(node, slopes), label="term"))
    # The grid has x first, z last.
    along = [node.add("Sum", *each, label="d_place") for each in reversed(terms)]
    stacked = node.transposed(node.add("Concat", *along, label="d_places", axis=1), (0, 2, 1), label="d_grid_rows")
    node.result(1, node.to_shape(stacked, node.shape(1), label="d_grid"))


def _product(node: Backward, factors: Sequence[str]) -> str:
    """Of those that are not empty; empty of none."""
    product = ""
    for factor in filter(None, factors):
        product = node.add("Mul", product, factor, label="weight") if product else factor
    return product


def _index(node: Backward, chosen: Sequence[_Tap], sizes: Sequence[int]) -> str:
    """Where the corner lies in a plane's row of elements: int64."""
    place = chosen[0].element
    for tap, size in zip(chosen[1:], sizes[1:], strict=True):
        row = node.add("Mul", place, node.constant(size, label="size"), label="row")
        place = node.add("Add", row, tap.element, label="place_in_row")
    return node.add("Cast", place, label="index", to=7)


def _axis_taps(node: Backward, axis: int, size: int, n: int, count: int) -> list[_Tap]:
    """One or two taps along a spatial axis."""
    axes = len(node.shape(0)) - 2
    given = node.add(
        "Gather", node.x(1), node.constant(axes - 1 - axis, "int64", "which"), label="given", axis=axes + 1
    )
    given = node.to_shape(given, (n, 1, count), label="given_in_a_row")
    # place = given · slope + middle; −1 and 1 are the outer elements' middles, or the picture's borders.
    aligned = bool(node.attribute("align_corners", 0))
    slope = (size - 1) / 2 if aligned else size / 2
    place = node.add("Mul", given, node.constant(slope, label="slope"), label="from_middle")
    place = node.add("Add", place, node.constant((size - 1) / 2, label="middle"), label="place")
    is_nearest = _MODES[str(node.attribute("mode", "linear"))] == 1
    if is_nearest:
        place = node.add("Round", place, label="nearest")
    place, moved = _inside(node, place, size, slope, aligned=aligned)
    below = node.add("Round" if is_nearest else "Floor", place, label="below")
    if is_nearest:
        element, inside = _element(node, below, size)
        return [_Tap(element, inside, "")]
    above = node.add("Add", below, node.constant(1.0, label="one"), label="above")
    to_above = node.add("Sub", place, below, label="weight_above")
    to_below = node.add("Sub", above, place, label="weight_below")
    falling = node.add("Neg", moved, label="falling")
    taps = []
    for at, weight, change in ((below, to_below, falling), (above, to_above, moved)):
        element, inside = _element(node, at, size)
        taps.append(_Tap(element, _product(node, [weight, inside]), _product(node, [change, inside])))
    return taps


def _element(node: Backward, place: str, size: int) -> tuple[str, str]:
    """The element at a whole place; and 1 where it is one, else 0, unless all are."""
    last, zero = node.constant(float(size - 1), label="last"), node.constant(0.0, label="zero")
    element = node.add("Clip", place, zero, last, label="element")
    if node.attribute("padding_mode", "zeros") != "zeros":
        return element, ""
    same = node.add("Equal", element, place, label="is_inside")
    return element, node.add("Where", same, node.constant(1.0, label="one"), zero, label="inside")


def _inside(node: Backward, place: str, size: int, slope: float, *, aligned: bool) -> tuple[str, str]:
    """The place after padding, and how it moves with the grid; not at all from the outer elements on."""
    padding = str(node.attribute("padding_mode", "zeros"))
    moved = node.constant(slope, label="slope")
    if padding == "zeros":
        return place, moved
    zero, last = node.constant(0.0, label="zero"), node.constant(float(size - 1), label="last")
    if padding == "reflection":
        low, span = (0.0, size - 1.0) if aligned else (-0.5, float(size))
        place, moved = _mirrored(node, place, low, span, slope)
    clipped = node.add("Clip", place, zero, last, label="clipped")
    after, before = node.add("Greater", place, zero, label="is_after"), node.add("Less", place, last, label="is_before")
    between = node.add("And", after, before, label="is_between")
    return clipped, node.add("Where", between, moved, zero, label="moved")


def _mirrored(node: Backward, place: str, low: float, span: float, slope: float) -> tuple[str, str]:
    """A wave of period 2 · span that begins at `low`, and its slope."""
    if span == 0.0:
        zero = node.constant(0.0, label="zero")
        return node.add("Mul", place, zero, label="only_place"), zero
    from_low = node.add("Sub", place, node.constant(low, label="low"), label="from_low")
    period = node.constant(2.0 * span, label="period")
    turns = node.add("Floor", node.add("Div", from_low, period, label="periods"), label="turns")
    phase = node.add("Sub", from_low, node.add("Mul", turns, period, label="whole_periods"), label="phase")
    beyond = node.add("Sub", phase, node.constant(span, label="span"), label="beyond")
    back = node.add("Abs", beyond, label="to_far_end")
    mirrored = node.add("Sub", node.constant(low + span, label="high"), back, label="mirrored")
    is_back = node.add("Greater", beyond, node.constant(0.0, label="zero"), label="is_back")
    up, down = node.constant(slope, label="slope"), node.constant(-slope, label="slope_back")
    return mirrored, node.add("Where", is_back, down, up, label="slope_there")


def affine_grid(node: Backward) -> None:
    """dθ = dYᵀ · P, P the places of the output, x first, and a column of ones."""
    if not node.wants(0):
        return
    n, *sizes, axes = node.y_info().shape
    aligned = bool(node.attribute("align_corners", 0))
    along = [_places(size, aligned=aligned) for size in sizes]
    grid = np.stack([*np.meshgrid(*along, indexing="ij")[::-1], np.ones(sizes)], axis=-1)
    count = int(np.prod(sizes))
    rows = node.transposed(node.to_shape(node.dy(), (n, count, axes), label="dy_rows"), (0, 2, 1), label="dy_columns")
    places = node.constant(grid.reshape(count, axes + 1), label="places")
    node.result(0, node.add("MatMul", rows, places, label="d_theta"))


def _places(size: int, *, aligned: bool) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The places of an axis between −1 and 1."""
    at = np.arange(size, dtype=np.float64)
    if aligned:
        return 2.0 * at / max(size - 1, 1) - 1.0
    return (2.0 * at + 1.0) / size - 1.0


DERIVATIVES = {"GridSample": grid_sample, "AffineGrid": affine_grid}
FLAT = ()
