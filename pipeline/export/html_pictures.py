"""Textures as pictures inside a page: PNG in data URIs, with the tile grid drawn over them as SVG."""

from __future__ import annotations

import base64
import io
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from texelscope.layouts.outside_text import in_html
from texelscope.pipeline.export import colour_maps
from texelscope.pipeline.export.snapshots import picture
from texelscope.pipeline.plan import StoredTensor

Texels = NDArray[np.float32]

# A picture has at most so many texels a side; larger textures are shown smaller.
MOST_TEXELS = 768
_THUMBNAIL_TEXELS = 64
# More tiles than these are a texture of their own, and labels below this many picture points cannot be read.
MOST_TILES = 1024
_LABEL_POINTS = 22.0
# About as wide as a picture is shown.
_SHOWN_POINTS = 380.0


@dataclass(frozen=True)
class HtmlPicture:
    """A picture of a texture: `uri` as a source of <img>; `low` and `high` are its black and white points."""

    uri: str
    low: float
    high: float


def shown(texels: Texels, limits: tuple[float, float]) -> HtmlPicture:
    """Texels [height, width, lanes] in a range; a large texture is thinned out."""
    step = _step(texels)
    pixels, low, high = picture(texels[::step, ::step], limits)
    return HtmlPicture(_uri(pixels), low, high)


def thumbnail(texels: Texels) -> str:
    """A small picture of texels, as a source of <img>."""
    step = max(1, math.ceil(max(int(side) for side in texels.shape[:2]) / _THUMBNAIL_TEXELS))
    return _uri(picture(texels[::step, ::step])[0])


def shown_difference(difference: Texels) -> HtmlPicture:
    """A difference in its own range about zero: of several lanes or texels that share a point, the largest."""
    largest = _farthest_from_zero(difference, _step(difference))
    finite = np.abs(largest[np.isfinite(largest)])
    reach = float(finite.max(initial=0.0)) or 1.0
    pixels, low, high = picture(largest[:, :, None], (-reach, reach))
    return HtmlPicture(_uri(pixels), low, high)


def colour_bar(name: str) -> str:
    """CSS of a colour map from left to right."""
    steps = colour_maps.table(name)[:: colour_maps.STEPS // 8]
    stops = ",".join(f"rgb({','.join(str(round(255 * float(part))) for part in colour)})" for colour in steps)
    return f"linear-gradient(to right,{stops})"


def overlay(stored: StoredTensor, worst: int | None) -> str:
    """The tile grid with labels and, around the element with index `worst`, a circle; in texels."""
    height, width = stored.texture_shape
    parts = [f'<svg viewBox="0 0 {width} {height}" preserveAspectRatio="none" aria-hidden="true">', *_tiles(stored)]
    if worst is not None:
        tx, ty, _ = stored.layout.texel_of(stored.shape, worst)
        radius = max(width, height) / 40 + 1
        for kind in ("worst under", "worst"):
            parts.append(f'<circle class="{kind}" cx="{tx + 0.5}" cy="{ty + 0.5}" r="{radius:.2f}"/>')
    return "".join([*parts, "</svg>"])


def _tiles(stored: StoredTensor) -> list[str]:
    if not 1 < stored.layout.tile_count(stored.shape) <= MOST_TILES:
        return []
    points = _SHOWN_POINTS / stored.texture_shape[1]
    parts = ['<g class="grid">']
    for tile in stored.layout.tiles(stored.shape):
        place = f'x="{tile.tx}" y="{tile.ty}" width="{tile.width}" height="{tile.height}"'
        parts.append(f'<rect class="tile" {place}/>')
        if tile.label and tile.width * points >= _LABEL_POINTS:
            letters = 11.0 / points
            at = f'x="{tile.tx + letters * 0.3:.2f}" y="{tile.ty + letters:.2f}" font-size="{letters:.2f}"'
            parts.append(f'<text class="label" {at}>{in_html(tile.label)}</text>')
    return [*parts, "</g>"]


def _step(texels: Texels) -> int:
    return max(1, math.ceil(max(int(side) for side in texels.shape[:2]) / MOST_TEXELS))


def _farthest_from_zero(texels: Texels, step: int) -> NDArray[np.float32]:
    """[height, width]: of each block of step x step texels with all lanes, the number farthest from zero; NaN first."""
    height, width, lanes = texels.shape
    padded = np.zeros((-(-height // step) * step, -(-width // step) * step, lanes), np.float32)
    padded[:height, :width] = texels
    blocks = padded.reshape(padded.shape[0] // step, step, padded.shape[1] // step, step, lanes)
    flat = blocks.transpose(0, 2, 1, 3, 4).reshape(blocks.shape[0], blocks.shape[2], -1)
    size = np.where(np.isnan(flat), np.inf, np.abs(flat))
    return np.take_along_axis(flat, size.argmax(axis=2)[:, :, None], axis=2)[:, :, 0]


def _uri(pixels: NDArray[np.uint8]) -> str:
    buffer = io.BytesIO()
    Image.fromarray(pixels, "RGB").save(buffer, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
