"""Defines the base of flat layouts: elements in linear order, one per lane, texels row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.base import Coordinate, Layout, ViewPair
from texelscope.layouts.shapes import as_nchw

# Indices along n, c, h and w.
Indices = tuple[Coordinate, Coordinate, Coordinate, Coordinate]


class Flat(Layout):
    """Places element i in lane i mod lanes of texel t = i div lanes, at (t mod width, t div width).

    The index i is that of the linear order; a derived class may count in another one.
    """

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        _, width = self.texture_shape(shape)
        index = self._index(shape, (n, c, h, w))
        texel = index // self.lanes
        return texel % width, texel // width, index % self.lanes

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        _, width = self.texture_shape(shape)
        texel, lane = ("index", "0") if self.lanes == 1 else (f"index / {self.lanes}", f"index % {self.lanes}")
        return (
            f"ivec3 {name}(ivec4 at) {{\n"
            f"    int index = {self._glsl_index(shape)};\n"
            f"    return ivec3({texel} % {width}, {texel} / {width}, {lane});\n"
            f"}}\n"
        )

    def element_at(
        self, shape: Sequence[int], tx: Coordinate, ty: Coordinate, lane: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        _, width = self.texture_shape(shape)
        return self._element(shape, (ty * width + tx) * self.lanes + lane)

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        _, width = self.texture_shape(shape)
        texel = f"texel.y * {width} + texel.x"
        index = texel if self.lanes == 1 else f"({texel}) * {self.lanes} + texel.z"
        return f"ivec4 {name}(ivec3 texel) {{\n    int index = {index};\n{self._glsl_element(shape)}}}\n"

    def views(self, texels: NDArray[Any], elements: NDArray[Any]) -> Iterator[ViewPair] | None:
        return iter(((texels.reshape(-1)[: elements.size], elements.reshape(-1)),))

    def _index(self, shape: Sequence[int], at: Indices) -> Coordinate:
        """Returns the index of the elements at those places."""
        _, C, H, W = as_nchw(shape)
        n, c, h, w = at
        return ((n * C + c) * H + h) * W + w

    def _glsl_index(self, shape: Sequence[int]) -> str:
        """Returns the same of an `ivec4 at`, an expression in GLSL."""
        _, C, H, W = as_nchw(shape)
        return f"((at.x * {C} + at.y) * {H} + at.z) * {W} + at.w"

    def _element(self, shape: Sequence[int], index: Coordinate) -> Indices:
        """Returns the places of the elements of an index; n is -1 beyond the tensor."""
        N, C, H, W = as_nchw(shape)
        row = index // W
        channel = row // H
        return np.where(channel < N * C, channel // C, -1), channel % C, row % H, index % W

    def _glsl_element(self, shape: Sequence[int]) -> str:
        """Returns the same of an `int index`, statements in GLSL that return an `ivec4`."""
        N, C, H, W = as_nchw(shape)
        return (
            f"    int row = index / {W}, channel = row / {H};\n"
            f"    if (channel >= {N * C}) return ivec4(-1);\n"
            f"    return ivec4(channel / {C}, channel % {C}, row % {H}, index % {W});\n"
        )
