"""Finds the layouts in which texels hold the values of a tensor: *these values are x in layout L*.

Both are known: a captured or recorded texture, or a target that a shader has drawn, and what it should hold. Layouts
are tried as they come, in grids and rows of the texture's size, and in orders of the axes. Most are dismissed after a
few elements.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from texelscope.layouts.base import Layout
from texelscope.layouts.errors import LayoutError
from texelscope.layouts.ordered_flat import OrderedFlat
from texelscope.layouts.registry import all_layouts
from texelscope.layouts.shapes import Dims, as_nchw

# Elements that are compared before all are.
_SAMPLE = 256
# Values may differ by this share of the largest: textures of 8 bits, and half floats.
_SHARE = 0.6 / 255.0
_STEPS = 255.0
# Channels, or outputs and inputs, that engines pack into a block.
_PACKS = (4, 8)
_NAMES = (("n", "c", "y", "x"), ("o", "i", "ky", "kx"))


def layouts_that_fit(
    tensor: ArrayLike, texels: NDArray[Any], *, are_weights: bool = False, most: int = 8
) -> tuple[Layout, ...]:
    """Returns up to `most` layouts in which `texels` hold the tensor, the simplest first, each place once.

    `texels` is [height, width, lanes] with row 0 first: numbers as a shader reads them, or bytes. Layouts may use fewer
    lanes and rows than there are. A tensor that is nearly the same everywhere fits many. `are_weights` names the axes
    of orders o, i, ky and kx. Raises LayoutError for arrays of other forms.
    """
    values, held = np.asarray(tensor), np.asarray(texels)
    if held.ndim != 3:
        got = f"an array of shape {list(held.shape)}"
        raise LayoutError("texels", "an array [height, width, lanes]", got, "Reshape it.")
    dims = as_nchw(values.shape)
    held = held.astype(np.float64) / (_STEPS if held.dtype == np.uint8 else 1.0)
    found: list[Layout] = []
    places: set[bytes] = set()
    search = _Search(values.reshape(dims).astype(np.float64), held)
    if not search.may_hold:
        return ()
    for layout in _candidates(dims, held.shape, _NAMES[are_weights]):
        place = search.fits(layout)
        if place is None or place in places:
            continue
        places.add(place)
        found.append(layout)
        if len(found) == most:
            break
    return tuple(found)


class _Search:
    def __init__(self, values: NDArray[np.float64], texels: NDArray[np.float64]) -> None:
        self._values = values
        self._texels = texels
        finite = np.abs(values[np.isfinite(values)])
        self._off = _SHARE * float(finite.max(initial=0.0))
        count = min(values.size, _SAMPLE)
        sample = np.unique(np.linspace(0, values.size - 1, count).astype(np.int64))
        self._at = np.unravel_index(sample, values.shape)

    @property
    def may_hold(self) -> bool:
        """Whether the texels have enough numbers that are not 0, and, where there are no others, the same ones."""
        got, want = (np.sort(each[~(np.abs(each) <= self._off)]) for each in (self._texels, self._values))
        return got.size > want.size or (got.size == want.size and self._equal(got, want))

    def fits(self, layout: Layout) -> bytes | None:
        """Returns where the layout puts a sample of elements; None if the texels hold others there."""
        dims = as_nchw(self._values.shape)
        try:
            height, width = layout.texture_shape(dims)
        except LayoutError:
            return None
        rows, columns, lanes = self._texels.shape
        if height > rows or width > columns or layout.lanes > lanes:
            return None
        tx, ty, lane = (np.broadcast_to(each, len(self._at[0])) for each in layout.texel_at(dims, *self._at))
        if not self._equal(self._texels[ty, tx, lane], self._values[self._at]):
            return None
        whole = layout.decode(self._texels[:height, :width, : layout.lanes].astype(np.float32), dims)
        if not self._equal(whole.astype(np.float64), self._values):
            return None
        return np.stack([tx, ty, lane]).astype(np.int64).tobytes()

    def _equal(self, got: NDArray[np.float64], want: NDArray[np.float64]) -> bool:
        with np.errstate(invalid="ignore"):
            alike = (np.abs(got - want) <= self._off) | (got == want) | (np.isnan(got) & np.isnan(want))
        return bool(alike.all())


def _candidates(dims: Dims, size: Sequence[int], names: tuple[str, ...]) -> Iterator[Layout]:
    """Yields layouts for a texture of that height, width and lanes, the most usual first."""
    _, width, lanes = size
    kinds = [kind() for kind in all_layouts().values() if kind.lanes <= lanes]
    kinds.sort(key=lambda kind: (isinstance(kind, OrderedFlat), kind.lanes != lanes))
    plain = [kind for kind in kinds if not isinstance(kind, OrderedFlat)]
    yield from plain
    for kind in plain:
        columns, rest = divmod(width, dims[3])
        dealt = kind.with_columns(columns) if columns and not rest else None
        wide = kind.with_width(width)
        yield from (each for each in (dealt, wide) if each is not None)
    for order in _orders(dims, names):
        for kind in (kind for kind in kinds if isinstance(kind, OrderedFlat)):
            yield dataclasses.replace(kind, order=order, width=width)


def _orders(dims: Dims, names: tuple[str, ...]) -> Iterator[str]:
    """Yields orders of the axes: whole axes, then with one and with two of them packed."""
    longer = [axis for axis in range(4) if dims[axis] > 1] or [3]
    outer = list(itertools.permutations(longer))
    yield from (", ".join(names[axis] for axis in order) for order in outer)
    packings = [
        dict(zip(axes, packs, strict=True))
        for count in (1, 2)
        for axes in itertools.permutations(longer, count)
        for packs in itertools.product(_PACKS, repeat=count)
    ]
    for packed, order in itertools.product(packings, outer):
        slow = ", ".join(f"{names[axis]}/{packed[axis]}" if axis in packed else names[axis] for axis in order)
        yield f"{slow}, {' '.join(f'{names[axis]}%{pack}' for axis, pack in packed.items())}"
