"""Differentiates operators that read between elements, by the corners of a place and the slopes of their weights."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.gradients.derivatives.along_axes import AxisMap, turned_round
from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.resampling import AxisTaps, axis_taps

Corner = tuple[Sequence["CornerTap"], str]
_MODES = {"nearest": 1, "linear": 2, "bilinear": 2}
_DO_NEXT = "Ask for gradients with respect to tensors after it."


@dataclass(frozen=True)
class CornerTap:
    """Describes a corner along one axis, of [N, 1, places] each: the element read, its weight, and the weight's slope.

    Weight and slope are by the variable behind the place; empty where they are 1, and 0.
    """

    element: str
    weight: str
    slope: str


def linear_taps(node: Backward, place: str, moved: str, size: int, *, is_bounded: bool) -> list[CornerTap]:
    """Returns the elements below and above a place; `moved` is its slope. Outside is 0, unless all are inside."""
    below = node.add("Floor", place, label="below")
    above = node.add("Add", below, node.constant(1.0, label="one"), label="above")
    to_above = node.add("Sub", place, below, label="weight_above")
    to_below = node.add("Sub", above, place, label="weight_below")
    falling = node.add("Neg", moved, label="falling")
    taps = []
    for at, weight, change in ((below, to_below, falling), (above, to_above, moved)):
        element, inside = element_at(node, at, size, is_bounded=is_bounded)
        taps.append(CornerTap(element, product(node, [weight, inside]), product(node, [change, inside])))
    return taps


def element_at(node: Backward, place: str, size: int, *, is_bounded: bool) -> tuple[str, str]:
    """Returns the element at a whole place; and 1 where there is one, else 0, unless all are."""
    last, zero = node.constant(float(size - 1), label="last"), node.constant(0.0, label="zero")
    element = node.add("Clip", place, zero, last, label="element")
    if not is_bounded:
        return element, ""
    same = node.add("Equal", element, place, label="is_inside")
    return element, node.add("Where", same, node.constant(1.0, label="one"), zero, label="inside")


def corners_of(node: Backward, taps: Sequence[Sequence[CornerTap]], sizes: Sequence[int]) -> list[Corner]:
    """Yields one tap of each axis, and that corner's place in a plane's row of elements: int64."""
    return [(chosen, _index(node, chosen, sizes)) for chosen in itertools.product(*taps)]


def _index(node: Backward, chosen: Sequence[CornerTap], sizes: Sequence[int]) -> str:
    place = chosen[0].element
    for tap, size in zip(chosen[1:], sizes[1:], strict=True):
        row = node.add("Mul", place, node.constant(size, label="size"), label="row")
        place = node.add("Add", row, tap.element, label="place_in_row")
    return node.add("Cast", place, label="index", to=7)


def product(node: Backward, factors: Sequence[str]) -> str:
    """Multiplies the tensors that are not empty; empty without any."""
    made = ""
    for factor in filter(None, factors):
        made = node.add("Mul", made, factor, label="weight") if made else factor
    return made


def weight_of(node: Backward, corner: Corner) -> str:
    """Multiplies the weights of its taps."""
    return product(node, [tap.weight for tap in corner[0]])


def slope_of(node: Backward, corner: Corner, axis: int) -> str:
    """Returns the slope of the corner's weight along an axis."""
    taps = corner[0]
    return product(node, [*(other.weight for i, other in enumerate(taps) if i != axis), taps[axis].slope])


def read_at(node: Backward, planes: str, corner: Corner, channels: int) -> str:
    """Returns the elements of `planes` [n, channels, elements] at a corner of every place."""
    there = node.spread(corner[1], (1, channels, 1), label="index_of_channels")
    return node.add("GatherElements", planes, there, label="x_there", axis=2)


def spread_back(node: Backward, dy: str, corners: Sequence[Corner], shape: tuple[int, int, int], places: int) -> str:
    """Adds `dy` [n, c, places] times the weights to zeros [n, c, elements] at the corners."""
    shares = []
    for corner in corners:
        weight = weight_of(node, corner)
        shares.append(node.add("Mul", dy, weight, label="share") if weight else dy)
    indices = [index for _, index in corners]
    there = node.add("Concat", *indices, label="indices", axis=2) if len(corners) > 1 else indices[0]
    updates = node.add("Concat", *shares, label="shares", axis=2) if len(corners) > 1 else shares[0]
    there = node.spread(there, (*shape[:2], places * len(corners)), label="indices_of_channels")
    zeros = node.filled(0.0, shape, label="zeros")
    return node.add("ScatterElements", zeros, there, updates, label="dx_in_a_row", axis=2, reduction="add")


def elements_of(sizes: Sequence[int]) -> int:
    """Returns the number of elements in a plane."""
    return int(np.prod(sizes))


def grid_sample(node: Backward) -> None:
    """Computes dx: adds up dy times the weights; dgrid = Σ dy · x · (slopes of the weights), 0 for nearest."""
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
    """Returns one or two taps along a spatial axis."""
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
    """Returns the place after padding, and its slope by the grid; 0 from the outer elements on."""
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
    """Returns a triangle wave of period 2 · span that begins at `low`, and its slope."""
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
    """Computes dθ = dYᵀ · P, P the places of the output, x first, and a column of ones."""
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
    """Returns the places of an axis between −1 and 1."""
    at = np.arange(size, dtype=np.float64)
    if aligned:
        return 2.0 * at / max(size - 1, 1) - 1.0
    return (2.0 * at + 1.0) / size - 1.0


def roi_align(node: Backward) -> None:
    """Uses y = D · x · Rᵀ per region, D [cells, height] and R [cells, width] the samples' mean weights on an axis.

    So dx = Dᵀ · dy · R, added up over the regions of an image. Regions get no gradient, as in torchvision.
    """
    if str(node.attribute("mode", "avg")) != "avg":
        raise node.refusal("mode avg where gradients flow back", "max", _DO_NEXT)
    if int(node.attribute("sampling_ratio", 0)) < 1:
        got = "as many as the regions' sizes say"
        raise node.refusal("a sampling_ratio where gradients flow back", got, _DO_NEXT)
    if not node.wants(0):
        return
    n, c, height, width = node.shape(0)
    count, _, rows, columns = node.y_info().shape
    down = node.transposed(_weights(node, 1, height, rows), (0, 1, 3, 2), label="weights_down")
    across = _weights(node, 0, width, columns)
    spread = node.add("MatMul", node.add("MatMul", down, node.dy(), label="spread_down"), across, label="spread")
    images = node.to_shape(node.x(2), (1, count), label="image_of_region")
    numbers = node.constant(np.arange(n).reshape(n, 1), "int64", "images")
    is_own = node.add("Equal", numbers, images, label="is_own")
    own = node.add("Where", is_own, node.constant(1.0, label="one"), node.constant(0.0, label="zero"), label="own")
    in_rows = node.to_shape(spread, (count, c * height * width), label="spread_rows")
    node.result(0, node.to_shape(node.add("MatMul", own, in_rows, label="dx_rows"), node.shape(0), label="dx"))


def _weights(node: Backward, axis: int, size: int, cells: int) -> str:
    """Returns [regions, 1, cells, size]: the weight of each element in each cell along x (`axis` 0) or y."""
    ratio = int(node.attribute("sampling_ratio", 0))
    half = node.opset >= 16 and node.attribute("coordinate_transformation_mode", "half_pixel") == "half_pixel"
    ends = []
    for place in (axis, axis + 2):
        end = node.add("Gather", node.x(1), node.whole(place, label="which"), label="end", axis=1)
        end = node.scaled(end, float(node.attribute("spatial_scale", 1.0)), label="end_in_elements")
        ends.append(node.add("Sub", end, node.constant(0.5, label="half"), label="end_of_middles") if half else end)
    extent = node.add("Sub", ends[1], ends[0], label="extent")
    if not half:
        extent = node.add("Max", extent, node.constant(1.0, label="one"), label="extent_of_one")
    # Sample k of the whole region, of all its cells, lies at (k + ½) / (cells · ratio).
    share = (np.arange(cells * ratio) + 0.5) / (cells * ratio)
    along = node.add("Mul", extent, node.constant(share[None], label="shares"), label="along")
    at = node.add("Add", ends[0], along, label="places")
    zero, last = node.constant(0.0, label="zero"), node.constant(float(size - 1), label="last")
    after = node.add("GreaterOrEqual", at, node.constant(-1.0, label="before"), label="is_after")
    before = node.add("LessOrEqual", at, node.constant(float(size), label="beyond"), label="is_before")
    is_inside = node.add("And", after, before, label="is_inside")
    inside = node.add("Where", is_inside, node.constant(1.0 / ratio, label="of_samples"), zero, label="inside")
    clipped = node.add("Clip", at, zero, last, label="clipped")
    count = node.shape(1)[0]
    column, counted = ((count, cells * ratio, 1), node.constant(np.arange(size, dtype=float), label="elements"))
    away = node.add("Sub", node.to_shape(clipped, column, label="place_of_sample"), counted, label="away")
    near = node.add("Sub", node.constant(1.0, label="one"), node.add("Abs", away, label="distance"), label="near")
    weight = node.add("Max", near, zero, label="weight_of_one")
    weight = node.add("Mul", weight, node.to_shape(inside, column, label="inside_of_sample"), label="weight")
    of_cells = node.to_shape(weight, (count * cells, ratio, size), label="weights_of_cell")
    summed = node.reduced("ReduceSum", of_cells, (1,), label="weights_summed")
    return node.to_shape(summed, (count, 1, cells, size), label="weights")


def resize(node: Backward) -> None:
    """Computes dx: sums dy times the weight of each element. Extrapolated outputs contribute nothing."""
    if not node.wants(0):
        return
    shape, tensor, so_far = node.shape(0), node.dy(), node.y_info().shape
    taps = {axis: each for axis, each in enumerate(axis_taps(node.call)) if each is not None}
    repeated = {axis for axis, each in taps.items() if _repeats(each, shape[axis])}
    if repeated:
        tensor, so_far = _folded(node, tensor, so_far, shape, repeated)
    maps: Mapping[int, AxisMap] = {
        axis: AxisMap(shape[axis], each.elements, each.weights) for axis, each in taps.items() if axis not in repeated
    }
    node.result(0, turned_round(node, tensor, so_far, maps, "dx")[0])


def _repeats(taps: AxisTaps, size: int) -> bool:
    """Whether each element is repeated equally often, in sequence."""
    return len(taps.elements) > size and len(taps.elements) % size == 0 and taps.is_proportional(size)


def _folded(node: Backward, tensor: str, whole: Shape, shape: Shape, axes: Collection[int]) -> tuple[str, Shape]:
    """Adds up repeats along `axes`; returns the new shape too."""
    sizes: list[int] = []
    summed, left = [], []
    for axis, size in enumerate(whole):
        if axis in axes:
            summed.append(len(sizes) + 1)
            sizes += [shape[axis], size // shape[axis]]
            left.append(shape[axis])
        else:
            sizes.append(size)
            left.append(size)
    apart = node.to_shape(tensor, tuple(sizes), label="repeats")
    return node.reduced("ReduceSum", apart, summed, keep=False, label="folded"), tuple(left)


DERIVATIVES = {
    "GridSample": grid_sample,
    "AffineGrid": affine_grid,
    "RoiAlign": roi_align,
    "Resize": resize,
    "Upsample": resize,
}
