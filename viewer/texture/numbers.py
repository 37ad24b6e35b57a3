"""Reads back the numbers behind a picture on request: of a texel, of a region, those not finite."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texelscope.viewer.app import App
from texelscope.viewer.canvas.readout import LaneReadout, read_out
from texelscope.viewer.state import View, ViewMode
from texelscope.viewer.texture.shown import ShownTensor

# Left, top, right and bottom in texels; right and bottom are exclusive.
Region = tuple[int, int, int, int]


def picked_lanes(app: App, view: View, texel: tuple[int, int]) -> tuple[LaneReadout, ...]:
    """Returns what is known about a texel's elements, for the visible lanes that hold one."""
    stored = app.shown_in(view)
    readout = read_out(app.document, stored, *texel, chained=app.state.chained) if stored is not None else None
    lanes = readout.lanes if readout is not None else ()
    return tuple(lane for lane in lanes if lane.element >= 0 and view.lanes[lane.lane])


def exact(value: float) -> str:
    """Returns the shortest text that identifies the float32 number."""
    return str(np.float32(value))


def values_of(app: App, shown: ShownTensor) -> NDArray[np.float32] | None:
    """Returns the numbers shown, in linear order: actual, oracle's, or differences; None while they are missing."""
    actual = app.document.values(shown.own.key)
    if (
        actual is None
        or shown.mode not in (ViewMode.ORACLE, ViewMode.DIFFERENCE, ViewMode.RATIO)
        or shown.expected is None
    ):
        return None if actual is None else actual.reshape(-1)
    with np.errstate(over="ignore", invalid="ignore"):
        oracle = np.asarray(shown.expected.value, dtype=np.float32).reshape(-1)
        if shown.mode is ViewMode.ORACLE:
            return oracle
        have = actual.reshape(-1)
        alike = (have == oracle) | (np.isnan(have) & np.isnan(oracle))
        return np.where(alike, np.float32(0.0), have - oracle)


def next_odd(values: NDArray[np.float32], after: int) -> int | None:
    """Returns the next NaN or infinite element after `after`, wrapping around; None if there is none."""
    odd = np.flatnonzero(~np.isfinite(values))
    if not odd.size:
        return None
    return int(odd[np.searchsorted(odd, after, side="right") % odd.size])


def finite_range(
    values: NDArray[np.float32], shown: ShownTensor, view: View, region: Region
) -> tuple[float, float] | None:
    """Returns the least and greatest finite number of a region, in the visible lanes; None if it has none."""
    left, top, right, bottom = region
    stored = shown.stored
    lanes = np.array([lane for lane in range(stored.layout.lanes) if view.lanes[lane]], dtype=np.int64)
    if right <= left or bottom <= top or not lanes.size:
        return None
    tx, ty = (
        np.arange(left, right, dtype=np.int64)[None, :, None],
        np.arange(top, bottom, dtype=np.int64)[:, None, None],
    )
    held = stored.layout.indices_at(stored.shape, tx, ty, lanes[None, None, :])
    found = values[held[held >= 0]]
    finite = found[np.isfinite(found)]
    return (float(finite.min()), float(finite.max())) if finite.size else None


def tile_region(shown: ShownTensor, texel: tuple[int, int]) -> Region | None:
    """Returns the region of the tile that a texel belongs to; None between tiles."""
    stored = shown.stored
    number = stored.layout.tile_index(stored.shape, *texel)
    if number < 0:
        return None
    tile = stored.layout.tile(stored.shape, number)
    return tile.tx, tile.ty, tile.tx + tile.width, tile.ty + tile.height


def region_in_sight(shown: ShownTensor, view: View, width_pixels: float, height_pixels: float) -> Region:
    """Returns the texels that a view of that size shows, partly visible ones too."""
    height, width = shown.stored.texture_shape
    half = width_pixels / view.zoom / 2.0, height_pixels / view.zoom / 2.0
    (left, right), (top, bottom) = (
        (max(int(centre - reach), 0), min(int(centre + reach) + 1, side))
        for centre, reach, side in zip(view.centre, half, (width, height), strict=True)
    )
    return left, top, right, bottom
