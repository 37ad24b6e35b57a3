"""Where something happened, said in few numbers: some pictures, channels, rows and columns, all combinations of them.

Or some columns, rows and lanes of the texture. A choice element by element fits anything; what is chosen here is a
place along each axis at most, and counted.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Places = tuple[int, ...]
_OF_VIEW = ("picture", "channel", "row", "column")
_OF_TEXTURE = ("texel row", "texel column", "lane")
_SHOWN = 6


@dataclass(frozen=True)
class Region:
    """`mask` says which elements lie in it, bool [N, C, H, W]; `numbers` how many numbers it takes to say so.

    In words it completes "in …".
    """

    mask: NDArray[np.bool_]
    numbers: int
    says: str

    def __str__(self) -> str:
        return self.says


def regions(elements: NDArray[np.bool_], address: NDArray[np.integer[Any]]) -> Iterator[Region]:
    """The smallest that take in all of `elements`, bool [N, C, H, W]: by one axis, and by all, of view and texture.

    `address` [height, width, lanes] says which element, in linear order, lies where, -1 for none. What takes in
    everything is no region; those that fewer numbers say come first.
    """
    there = address >= 0
    texels = np.zeros(address.shape, dtype=bool)
    texels[there] = elements.reshape(-1)[address[there]]
    found = []
    for inside, names in ((elements, _OF_VIEW), (texels, _OF_TEXTURE)):
        every = tuple(tuple(range(size)) for size in inside.shape)
        box = _box(inside)
        limited = [axis for axis in range(inside.ndim) if len(box[axis]) < inside.shape[axis]]
        for axes in dict.fromkeys((*((axis,) for axis in limited), tuple(limited))):
            places = tuple(box[axis] if axis in axes else every[axis] for axis in range(inside.ndim))
            mask = np.zeros(inside.shape, dtype=bool)
            mask[np.ix_(*places)] = True
            if inside is texels:
                flat = np.zeros(elements.size, dtype=bool)
                flat[address[mask & there]] = True
                mask = flat.reshape(elements.shape)
            numbers = sum(_numbers(each, size) for each, size in zip(places, inside.shape, strict=True))
            if axes and not mask.all():
                found.append(Region(mask, numbers, _told(places, inside.shape, names)))
    found += _border(elements)
    yield from sorted(found, key=lambda region: region.numbers) if elements.any() else ()


def _border(elements: NDArray[np.bool_]) -> list[Region]:
    """The rows and columns around the innermost rectangle that has none of the elements, if they are as many all round.

    One that reaches the middle is no border.
    """
    rows, columns = elements.shape[2:]
    y, x = np.arange(rows)[:, None], np.arange(columns)
    away = np.minimum(np.minimum(y, rows - 1 - y), np.minimum(x, columns - 1 - x))
    widest = int(away[elements.any(axis=(0, 1))].max(initial=-1)) + 1
    mask = np.broadcast_to(away < widest, elements.shape)
    if not widest or mask.all():
        return []
    return [Region(mask, 1, "the border" if widest == 1 else f"the border of {widest}")]


def _told(places: tuple[Places, ...], shape: Places, names: tuple[str, ...]) -> str:
    parts = [
        f"{name}{'s' if len(each) > 1 else ''} {_listed(each)} of {size}"
        for name, each, size in zip(names, places, shape, strict=True)
        if len(each) < size
    ]
    return ", ".join(parts)


def _box(inside: NDArray[np.bool_]) -> tuple[Places, ...]:
    """For each axis the places at which something is set, in order."""
    every = range(inside.ndim)
    return tuple(
        tuple(np.flatnonzero(inside.any(axis=tuple(other for other in every if other != axis))).tolist())
        for axis in every
    )


def _numbers(places: Places, size: int) -> int:
    """Of places along an axis: none for all, one for a beginning or an end, two for any at one distance, else each."""
    if len(places) == size:
        return 0
    if len(places) == 1 or places in (tuple(range(len(places))), tuple(range(size - len(places), size))):
        return 1
    regular = len({later - place for place, later in itertools.pairwise(places)}) == 1
    return 2 if regular else min(len(places), size - len(places))


def _listed(places: Places) -> str:
    return ", ".join(map(str, places[:_SHOWN])) + (" …" if len(places) > _SHOWN else "")
