"""What is read between elements: the corners of a place, their weights, and how these change with the place."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward

Corner = tuple[Sequence["Tap"], str]


@dataclass(frozen=True)
class CornerTap:
    """Along one axis, of [N, 1, places] each: the element that is read, its weight, and the weight's slope.

    Weight and slope are with respect to what the place is made of; empty where they are 1, and 0.
    """

    element: str
    weight: str
    slope: str


def linear_taps(node: Backward, place: str, moved: str, size: int, *, is_bounded: bool) -> list[CornerTap]:
    """The elements below and above a place; `moved` is how it moves. What is outside is 0, unless all are inside."""
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
    """The element at a whole place; and 1 where it is one, else 0, unless all are."""
    last, zero = node.constant(float(size - 1), label="last"), node.constant(0.0, label="zero")
    element = node.add("Clip", place, zero, last, label="element")
    if not is_bounded:
        return element, ""
    same = node.add("Equal", element, place, label="is_inside")
    return element, node.add("Where", same, node.constant(1.0, label="one"), zero, label="inside")


def corners_of(node: Backward, taps: Sequence[Sequence[CornerTap]], sizes: Sequence[int]) -> list[Corner]:
    """One tap of each axis, and where that corner lies in a plane's row of elements: int64."""
    return [(chosen, _index(node, chosen, sizes)) for chosen in itertools.product(*taps)]


def _index(node: Backward, chosen: Sequence[CornerTap], sizes: Sequence[int]) -> str:
    place = chosen[0].element
    for tap, size in zip(chosen[1:], sizes[1:], strict=True):
        row = node.add("Mul", place, node.constant(size, label="size"), label="row")
        place = node.add("Add", row, tap.element, label="place_in_row")
    return node.add("Cast", place, label="index", to=7)


def product(node: Backward, factors: Sequence[str]) -> str:
    """Of those that are not empty; empty of none."""
    made = ""
    for factor in filter(None, factors):
        made = node.add("Mul", made, factor, label="weight") if made else factor
    return made


def weight_of(node: Backward, corner: Corner) -> str:
    """Of its taps together."""
    return product(node, [tap.weight for tap in corner[0]])


def slope_of(node: Backward, corner: Corner, axis: int) -> str:
    """How the corner's weight changes along an axis."""
    taps = corner[0]
    return product(node, [*(other.weight for i, other in enumerate(taps) if i != axis), taps[axis].slope])


def read_at(node: Backward, planes: str, corner: Corner, channels: int) -> str:
    """The elements of `planes` [n, channels, elements] at a corner of every place."""
    there = node.spread(corner[1], (1, channels, 1), label="index_of_channels")
    return node.add("GatherElements", planes, there, label="x_there", axis=2)


def spread_back(node: Backward, dy: str, corners: Sequence[Corner], shape: tuple[int, int, int], places: int) -> str:
    """`dy` [n, c, places] times the weights, added up in zeros [n, c, elements] at the corners."""
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
    """How many there are in a plane."""
    return int(np.prod(sizes))
