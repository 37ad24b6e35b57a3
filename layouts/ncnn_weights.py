"""Weights of ncnn's packed convolutions and inner products: blocks of `out_pack` x `pack`, inputs innermost.

Source: the weight transforms of ncnn's Vulkan layers: "src = kw-kh-inch-outch, dst = pa-pb-kw-kh-inch/pa-outch/pb".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.base import Coordinate, Layout, Tile, ViewPair
from texelscope.layouts.errors import LayoutError
from texelscope.layouts.grid import ceil_div, ceil_sqrt
from texelscope.layouts.shapes import as_nchw


@dataclass(frozen=True)
class NcnnWeights(Layout):
    """Number (((o div pb)·⌈I/pa⌉ + i div pa)·K + k)·pb·pa + (o mod pb)·pa + i mod pa, four a texel, k = h·W + w.

    pa is `pack`, the channels that one packed element of the input has, pb is `out_pack`, K = H·W; o, i are the
    n and c of the 4-d view, and of a matrix [O, I] its h and w, K being 1.
    """

    name: ClassVar[str] = "ncnn_weights"
    lanes: ClassVar[int] = 4
    pack: int = 1
    out_pack: int = 1

    def __post_init__(self) -> None:
        for parameter, value in (("pack", self.pack), ("out_pack", self.out_pack)):
            given: object = value  # it may come from a file
            if isinstance(given, bool) or given not in (1, 4, 8):
                raise LayoutError(
                    f"layout '{self.name}'", f"{parameter} 1, 4 or 8", repr(given), "ncnn packs no other numbers."
                )

    def texture_shape(self, shape: Sequence[int]) -> tuple[int, int]:
        width = ceil_sqrt(self._texels(shape))
        return ceil_div(self._texels(shape), width), width

    def texel_at(
        self, shape: Sequence[int], n: Coordinate, c: Coordinate, h: Coordinate, w: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate]:
        _, ins, K = _sizes(shape)
        _, _, _, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        o, i, k = (h, w, 0) if _is_matrix(shape) else (n, c, h * W + w)
        block = (o // self.out_pack * ceil_div(ins, self.pack) + i // self.pack) * K + k
        number = (block * self.out_pack + o % self.out_pack) * self.pack + i % self.pack
        return number // 4 % width, number // 4 // width, number % 4

    def glsl_texel_of(self, shape: Sequence[int], name: str) -> str:
        _, ins, K = _sizes(shape)
        _, _, _, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        pa, pb = self.pack, self.out_pack
        oik = "at.z, i = at.w, k = 0" if _is_matrix(shape) else f"at.x, i = at.y, k = at.z * {W} + at.w"
        return (
            f"ivec3 {name}(ivec4 at) {{\n"
            f"    int o = {oik};\n"
            f"    int block = (o / {pb} * {ceil_div(ins, pa)} + i / {pa}) * {K} + k;\n"
            f"    int number = (block * {pb} + o % {pb}) * {pa} + i % {pa};\n"
            f"    return ivec3(number / 4 % {width}, number / 4 / {width}, number % 4);\n"
            f"}}\n"
        )

    def element_at(
        self, shape: Sequence[int], tx: Coordinate, ty: Coordinate, lane: Coordinate
    ) -> tuple[Coordinate, Coordinate, Coordinate, Coordinate]:
        outs, ins, K = _sizes(shape)
        _, _, _, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        pa, pb = self.pack, self.out_pack
        number = (ty * width + tx) * 4 + lane
        block, groups = number // (pa * pb), ceil_div(ins, pa)
        k, o = block % K, block // K // groups * pb + number // pa % pb
        i = block // K % groups * pa + number % pa
        inside = (o < outs) & (i < ins)
        if _is_matrix(shape):
            return np.where(inside, 0, -1), 0, o, i
        return np.where(inside, o, -1), i, k // W, k % W

    def glsl_element_at(self, shape: Sequence[int], name: str) -> str:
        outs, ins, K = _sizes(shape)
        _, _, _, W = as_nchw(shape)
        _, width = self.texture_shape(shape)
        pa, pb, groups = self.pack, self.out_pack, ceil_div(ins, self.pack)
        element = "ivec4(0, 0, o, i)" if _is_matrix(shape) else f"ivec4(o, i, k / {W}, k % {W})"
        return (
            f"ivec4 {name}(ivec3 texel) {{\n"
            f"    int number = (texel.y * {width} + texel.x) * 4 + texel.z;\n"
            f"    int block = number / {pa * pb}, k = block % {K};\n"
            f"    int o = block / {K * groups} * {pb} + number / {pa} % {pb};\n"
            f"    int i = block / {K} % {groups} * {pa} + number % {pa};\n"
            f"    if (o >= {outs} || i >= {ins}) return ivec4(-1);\n"
            f"    return {element};\n"
            f"}}\n"
        )

    def views(self, texels: NDArray[Any], elements: NDArray[Any]) -> Iterator[ViewPair]:
        outs, ins, K = _sizes(elements.shape)
        pa, pb = self.pack, self.out_pack
        out_groups, groups = ceil_div(outs, pb), ceil_div(ins, pa)
        blocks = texels.reshape(-1)[: out_groups * groups * K * pb * pa].reshape(out_groups, groups, K, pb, pa)
        kernels = elements.reshape(outs, ins, K)
        for o in range(min(pb, outs)):
            for i in range(min(pa, ins)):
                source = kernels[o::pb, i::pa]
                yield blocks[: source.shape[0], : source.shape[1], :, o, i], source

    def tile_count(self, shape: Sequence[int]) -> int:
        """One tile a texture row: a row holds a run of numbers, a kernel is no rectangle here."""
        return self.texture_shape(shape)[0]

    def tile(self, shape: Sequence[int], index: int) -> Tile:
        _, width = self.texture_shape(shape)
        return Tile(index, 0, index, min(width, self._texels(shape) - index * width), 1, f"texels {index * width}-")

    def tile_index(self, shape: Sequence[int], tx: int, ty: int) -> int:
        self._check_inside(shape, tx, ty, 0)
        return ty if tx < self.tile(shape, ty).width else -1

    def _texels(self, shape: Sequence[int]) -> int:
        outs, ins, K = _sizes(shape)
        blocks = ceil_div(outs, self.out_pack) * ceil_div(ins, self.pack) * K
        return ceil_div(blocks * self.out_pack * self.pack, 4)


def _is_matrix(shape: Sequence[int]) -> bool:
    """Whether it is one of [O, I]; a single kernel of a single channel is the same either way."""
    N, C, _, _ = as_nchw(shape)
    return N == 1 and C == 1


def _sizes(shape: Sequence[int]) -> tuple[int, int, int]:
    """O, I and K."""
    dims = as_nchw(shape)
    return (dims[2], dims[3], 1) if _is_matrix(dims) else (dims[0], dims[1], math.prod(dims[2:]))
