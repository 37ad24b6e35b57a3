"""Differentiates DeformConv, a convolution of reads between elements, by all of its inputs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.gradients.derivatives.sampling import (
    Corner,
    corners_of,
    linear_taps,
    product,
    read_at,
    slope_of,
    spread_back,
    weight_of,
)


def deform_conv(node: Backward) -> None:
    """Uses Y = W · V · m + b with V the reads at every tap's place: a factor gets the sum of dY times the others.

    With U = Wᵀ · dY: dV = U · m, which is spread to the corners; dm = Σ U · V; and a place gets
    Σ dV · x · (slopes of the corners' weights).
    """
    conv = _Deformed(node)
    if node.wants(0):
        places = conv.taps * conv.places
        added = spread_back(node, conv.dv, conv.corners, conv.planes_shape, places)
        node.result(0, node.to_shape(added, node.shape(0), label="dx"))
    if node.wants(1):
        conv.of_weights()
    if node.wants(2):
        conv.of_offsets()
    if node.wants(3):
        node.result(3, node.reduced("ReduceSum", node.dy(), (0, 2, 3), keep=False, label="db"))
    if node.wants(4):
        both = node.add("Mul", conv.u, conv.read, label="du_v")
        summed = node.reduced("ReduceSum", both, (1,), label="over_channels")
        node.result(4, node.to_shape(summed, node.shape(4), label="dm"))


@dataclass(frozen=True)
class _Deformed:
    """Has tensors [n · offset groups, channels of one, taps · places], or with a convolution's groups side by side."""

    node: Backward

    @property
    def groups(self) -> int:
        return int(self.node.attribute("group", 1))

    @property
    def offset_groups(self) -> int:
        return int(self.node.attribute("offset_group", 1))

    @property
    def taps(self) -> int:
        return math.prod(self.node.shape(1)[2:])

    @property
    def places(self) -> int:
        return math.prod(self.node.y_info().shape[2:])

    @property
    def planes_shape(self) -> tuple[int, int, int]:
        n, c, *sizes = self.node.shape(0)
        return n * self.offset_groups, c // self.offset_groups, math.prod(sizes)

    @property
    def _columns(self) -> tuple[int, int, int, int]:
        """Returns batch, groups, elements that a group's filter reads, places."""
        n, c = self.node.shape(0)[:2]
        return n, self.groups, c // self.groups * self.taps, self.places

    def _per_tap(self) -> tuple[int, int, int]:
        return self.planes_shape[0], self.planes_shape[1], self.taps * self.places

    @cached_property
    def _filters(self) -> tuple[int, int, int]:
        outputs = self.node.shape(1)[0]
        return self.groups, outputs // self.groups, self._columns[2]

    @cached_property
    def _dy(self) -> str:
        n, groups, _, places = self._columns
        return self.node.to_shape(self.node.dy(), (n, groups, self._filters[1], places), label="dy_of_groups")

    @cached_property
    def u(self) -> str:
        """Wᵀ · dY."""
        filters = self.node.to_shape(self.node.x(1), self._filters, label="filters")
        turned = self.node.transposed(filters, (0, 2, 1), label="filters_turned")
        made = self.node.add("MatMul", turned, self._dy, label="columns_back")
        return self.node.to_shape(made, self._per_tap(), label="u")

    @cached_property
    def _mask(self) -> str:
        if not self.node.has(4):
            return ""
        return self.node.to_shape(self.node.x(4), (self.planes_shape[0], 1, self.taps * self.places), label="mask")

    @cached_property
    def dv(self) -> str:
        """Returns the gradient of the reads."""
        return product(self.node, [self.u, self._mask])

    @cached_property
    def _planes(self) -> str:
        return self.node.to_shape(self.node.x(0), self.planes_shape, label="x_in_a_row")

    @cached_property
    def corners(self) -> Sequence[Corner]:
        """The four elements around every tap's place."""
        node, sizes = self.node, self.node.shape(0)[2:]
        count = self.planes_shape[0]
        given = node.to_shape(node.x(2), (count, self.taps, 2, self.places), label="offsets_of_taps")
        taps = []
        for axis, (size, start) in enumerate(zip(sizes, self._starts(), strict=True)):
            which = node.constant(axis, "int64", "which")
            offset = node.add("Gather", given, which, label="offset", axis=2)
            row = node.to_shape(offset, (count, 1, self.taps * self.places), label="offset_row")
            place = node.add("Add", row, node.constant(start[None, None], label="starts"), label="place")
            taps.append(linear_taps(node, place, node.constant(1.0, label="moved"), size, is_bounded=True))
        return corners_of(node, taps, sizes)

    def _starts(self) -> list[np.ndarray[tuple[int], np.dtype[np.float64]]]:
        """Returns along each axis, by tap and place, the place of a tap without an offset."""
        node, kernel, sizes = self.node, self.node.shape(1)[2:], self.node.y_info().shape[2:]
        strides = node.attribute("strides", None) or (1, 1)
        dilations = node.attribute("dilations", None) or (1, 1)
        pads = node.attribute("pads", None) or (0, 0, 0, 0)
        steps = np.indices((*kernel, *sizes)).reshape(4, -1).astype(np.float64)
        return [steps[2 + axis] * strides[axis] - pads[axis] + steps[axis] * dilations[axis] for axis in (0, 1)]

    @cached_property
    def _there(self) -> Sequence[str]:
        return [read_at(self.node, self._planes, corner, self.planes_shape[1]) for corner in self.corners]

    @cached_property
    def read(self) -> str:
        """Returns V, the reads."""
        node = self.node
        parts = [
            node.add("Mul", x, weight_of(node, corner), label="part")
            for x, corner in zip(self._there, self.corners, strict=True)
        ]
        return node.add("Sum", *parts, label="v")

    def of_weights(self) -> None:
        """Computes dW = Σ dY · (V · m)ᵀ over the batch."""
        node = self.node
        columns = node.to_shape(product(node, [self.read, self._mask]), self._columns, label="columns")
        turned = node.transposed(columns, (0, 1, 3, 2), label="columns_turned")
        summed = node.reduced(
            "ReduceSum", node.add("MatMul", self._dy, turned, label="dw_of_each"), (0,), label="dw_sum"
        )
        node.result(1, node.to_shape(summed, node.shape(1), label="dw"))

    def of_offsets(self) -> None:
        """Computes Σ dV · x · slope over corners and channels, along each axis."""
        node = self.node
        terms: list[list[str]] = [[], []]
        for x, corner in zip(self._there, self.corners, strict=True):
            reached = node.add("Mul", self.dv, x, label="dv_x")
            summed = node.reduced("ReduceSum", reached, (1,), label="over_channels")
            for axis, each in enumerate(terms):
                each.append(node.add("Mul", summed, slope_of(node, corner, axis), label="term"))
        shape = (self.planes_shape[0], self.taps, 1, self.places)
        along = [node.to_shape(node.add("Sum", *each, label="d_place"), shape, label="d_places") for each in terms]
        node.result(
            2, node.to_shape(node.add("Concat", *along, label="d_both", axis=2), node.shape(2), label="d_offset")
        )


DERIVATIVES = {"DeformConv": deform_conv}
