"""Runs of elements that a shader pads where the texture does not, or packs tightly where the texture pads.

A layout of `pack` channels a group starts each batch with a new group; what is left of the last group is padding. A
shader that counts channels on through all batches needs no padding, and reads the second batch too early. The other
way round, a shader may round the channels of a batch, or the elements of a row, up to a pack, in a texture where they
follow each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.base import Layout
from texelscope.layouts.grid import ceil_div
from texelscope.layouts.shapes import Dims

Array = NDArray[Any]
FourIndices = tuple[Array, Array, Array, Array]
# Packs of lanes, and of two texels.
_PACKS = (4, 8)
# This many elements are looked at to see whether a layout is flat.
_SAMPLE = 64
_ROWS, _PLANES, _BATCHES = 3, 2, 1
_CALLED = {_ROWS: "rows", _PLANES: "channels", _BATCHES: "batches"}


@dataclass(frozen=True)
class PaddedRun:
    """A layout's own places with other padding.

    `to_own` maps each element (n, c, h, w) to coordinates whose place in the layout the shader takes for its place;
    `from_own` is the way back, n = -1 where the shader sees padding. `length` is how far apart runs lie for the shader,
    in the unit that `says` and `remedy` name; `has` is what the texture has instead.
    """

    says: str
    has: str
    remedy: str
    length: int
    to_own: Callable[[Dims, Array, Array, Array, Array], FourIndices]
    from_own: Callable[[Dims, Array, Array, Array, Array], FourIndices]


def padded_runs(layout: Layout, dims: Dims) -> Iterator[PaddedRun]:
    """Yields the ways in which a shader may pad a tensor otherwise than its layout; none that changes nothing."""
    N, C, _, _ = dims
    pack = layout.channels_in_group
    if pack > 1:
        if N > 1 and C % pack:
            yield _without_padding(pack, C)
        return
    runs = [(_BATCHES, 2, C, "channels")]
    if _is_flat(layout, dims):
        runs += [(axis, 4, math.prod(dims[axis:]), "elements") for axis in (_ROWS, _PLANES, _BATCHES)]
    for axis, stop, size, unit in (each for each in runs if math.prod(dims[: each[0]]) > 1):
        for length in dict.fromkeys(ceil_div(size, pack) * pack for pack in _PACKS):
            if length != size:
                yield _padded(axis, stop, size, length, unit)


def _without_padding(pack: int, channels: int) -> PaddedRun:
    """Returns the packs of all batches in one sequence, of a layout that starts each batch with a new pack."""

    def to_own(dims: Dims, n: Array, c: Array, h: Array, w: Array) -> FourIndices:
        groups = ceil_div(dims[1], pack)
        number = n * dims[1] + c
        group = number // pack
        return group // groups, group % groups * pack + number % pack, h, w

    def from_own(dims: Dims, n: Array, c: Array, h: Array, w: Array) -> FourIndices:
        number = n * ceil_div(dims[1], pack) * pack + c
        return np.where(number < dims[0] * dims[1], number // dims[1], -1), number % dims[1], h, w

    padded = ceil_div(channels, pack) * pack
    return PaddedRun(
        "whose batches follow each other without padding",
        f"{padded} channels from one batch to the next",
        f"Round the {channels} channels of a batch up to {padded} where the index is computed.",
        channels,
        to_own,
        from_own,
    )


def _padded(axis: int, stop: int, size: int, length: int, unit: str) -> PaddedRun:
    """Returns runs over the axes `axis` to `stop`, padded to a length, of a layout without padding."""

    def to_own(dims: Dims, n: Array, c: Array, h: Array, w: Array) -> FourIndices:
        inner = math.prod(dims[stop:])
        index = _index(dims, n, c, h, w)
        run, rest = index // (size * inner), index % (size * inner)
        return _element(dims, run * length * inner + rest)

    def from_own(dims: Dims, n: Array, c: Array, h: Array, w: Array) -> FourIndices:
        inner = math.prod(dims[stop:])
        index = _index(dims, n, c, h, w)
        run, rest = index // (length * inner), index % (length * inner)
        there = _element(dims, run * size * inner + rest)
        return np.where(rest < size * inner, there[0], -1), there[1], there[2], there[3]

    return PaddedRun(
        f"whose {_CALLED[axis]} are padded to {length} {unit}",
        f"{size} {unit} from one to the next",
        f"Count {size} {unit}, not {length}, where the index is computed.",
        length,
        to_own,
        from_own,
    )


def _index(dims: Dims, n: Array, c: Array, h: Array, w: Array) -> Array:
    _, C, H, W = dims
    return np.asarray(((n * C + c) * H + h) * W + w)


def _element(dims: Dims, index: Array) -> FourIndices:
    """Returns n, c, h, w of a linear index; n goes on beyond the last batch."""
    _, C, H, W = dims
    return index // (C * H * W), index // (H * W) % C, index // W % H, index % W


def _is_flat(layout: Layout, dims: Dims) -> bool:
    """Whether elements lie in linear order, one after the other, by a sample."""
    index = np.unique(np.linspace(0, math.prod(dims) - 1, _SAMPLE).astype(np.int64))
    tx, ty, lane = layout.texel_at(dims, *_element(dims, index))
    place = (ty * layout.texture_shape(dims)[1] + tx) * layout.lanes + lane
    return bool(np.all(place == index))
