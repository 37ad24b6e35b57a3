"""Pictures read at the places of a grid, and grids: GridSample (nearest, linear), AffineGrid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.gradients.derivatives.corners import (
    Corner,
    CornerTap,
    corners_of,
    element_at,
    elements_of,
    linear_taps,
    read_at,
    slope_of,
    spread_back,
)

_MODES = {"nearest": 1, "linear": 2, "bilinear": 2}


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
    corners = corners_of(node, [_axis_taps(node, axis, size, n, count) for axis, size in enumerate(sizes)], sizes)
    dy = node.to_shape(node.dy(), (n, c, count), label="dy_in_a_row")
    if node.wants(0):
        added = spread_back(node, dy, corners, (n, c, elements_of(sizes)), count)
        node.result(0, node.to_shape(added, node.shape(0), label="dx"))
    if node.wants(1) and _MODES[mode] > 1:
        _of_the_grid(node, dy, corners)


def _of_the_grid(node: Backward, dy: str, corners: Sequence[Corner]) -> None:
    n, c, *sizes = node.shape(0)
    planes = node.to_shape(node.x(0), (n, c, elements_of(sizes)), label="x_in_a_row")
    terms: list[list[str]] = [[] for _ in sizes]
    for corner in corners:
        reached = node.add("Mul", dy, read_at(node, planes, corner, c), label="dy_x")
        summed = node.reduced("ReduceSum", reached, (1,), label="over_channels")
        for axis, each in enumerate(terms):
            each.append(node.add("Mul", summed, slope_of(node, corner, axis), label="term"))
    # The grid has x first, z last.
    along = [node.add("Sum", *each, label="d_place") for each in reversed(terms)]
    stacked = node.transposed(node.add("Concat", *along, label="d_places", axis=1), (0, 2, 1), label="d_grid_rows")
    node.result(1, node.to_shape(stacked, node.shape(1), label="d_grid"))


def _axis_taps(node: Backward, axis: int, size: int, n: int, count: int) -> list[CornerTap]:
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
    is_bounded = node.attribute("padding_mode", "zeros") == "zeros"
    if is_nearest:
        element, inside = element_at(node, node.add("Round", place, label="below"), size, is_bounded=is_bounded)
        return [CornerTap(element, inside, "")]
    return linear_taps(node, place, moved, size, is_bounded=is_bounded)


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
