"""A picture of a wrong tensor: actual, expected and difference side by side, enlarged, with the tiles outlined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from texelscope.layouts import layout
from texelscope.pipeline.export.snapshots import picture, span
from texelscope.pipeline.plan import StoredTensor

Texels = NDArray[np.float32]
Pixels = NDArray[np.uint8]

PANEL_PIXELS = 216  # a panel's longer side, at most
MOST_PIXELS = 16  # of a texel
GAP_PIXELS = 18
BAND_PIXELS = 20  # for the words above and below
PAPER, INK, SOFT, GRID, PADDING = "#ffffff", "#1d2530", "#5b6675", "#ffffff", (213, 218, 225)
# Two colours that a person tells apart: this far in one of red, green, blue.
_SEEN = 24


@dataclass(frozen=True)
class Wrong:
    """A tensor as stored: what the GPU made and what it should have, texels [height, width, lanes]."""

    stored: StoredTensor
    actual: Texels
    expected: Texels

    @classmethod
    def as_tiles(cls, stored: StoredTensor, actual: Texels, expected: Texels) -> Wrong:
        """With channels as tiles, whatever the layout that `stored` has."""
        tiles = layout("channel_tiles")
        if stored.layout == tiles:
            return cls(stored, actual, expected)
        decoded = (stored.layout.decode(texels, stored.shape) for texels in (actual, expected))
        return cls(replace(stored, layout=tiles), *(tiles.encode(tensor) for tensor in decoded))

    @property
    def difference(self) -> Texels:
        """[height, width, 1]: actual less expected, of several lanes that farthest from zero; 0 in padding."""
        with np.errstate(invalid="ignore", over="ignore"):
            each = self.actual - self.expected
        each[self.actual == self.expected] = 0.0
        each[self.stored.layout.address(self.stored.shape) < 0] = 0.0
        size = np.where(np.isnan(each), np.inf, np.abs(each))
        return np.take_along_axis(each, size.argmax(axis=2)[:, :, None], axis=2)

    def clarity(self, pictures: Sequence[NDArray[np.float32]]) -> float:
        """How much is seen to be wrong, times how like the right one is to the `pictures` [N, C, H, W] fed in."""
        right = self.stored.layout.decode(self.expected, self.stored.shape)
        if right.ndim != 4 or not pictures:
            return self._visible()
        channels = np.nan_to_num(right, posinf=0.0, neginf=0.0).reshape(-1, *right.shape[2:])
        like = [max(_likeness(channel, picture) for picture in pictures) for channel in channels]
        return self._visible() * float(np.mean(like)) ** 2

    def _visible(self) -> float:
        """Share of the texels whose colour is seen to be another one than expected."""
        limits = span(self.actual, self.expected)
        colours = [picture(texels, limits)[0].astype(int) for texels in (self.actual, self.expected)]
        return float(((np.abs(colours[0] - colours[1]) > _SEEN).any(axis=2) & ~self._padding()).mean())

    def is_legible(self) -> bool:
        """Whether letters can be read: tiles large enough, neither side dark beside the other, nor all one colour."""
        tile = self.stored.layout.tile(self.stored.shape, 0)
        low, high = span(self.actual, self.expected)
        ranges = [_range(side) for side in (self.actual, self.expected)]
        return min(tile.width, tile.height) >= 6 and min(ranges) > 0.15 * (high - low)

    def _padding(self) -> NDArray[np.bool_]:
        return np.asarray((self.stored.layout.address(self.stored.shape) < 0).all(axis=2))

    def panels(self) -> list[tuple[str, Pixels, float, float]]:
        """Title, RGB pixels [height, width, 3], and the range, of the three panels; the first two share theirs."""
        limits = span(self.actual, self.expected)
        reach = float(np.abs(self.difference[np.isfinite(self.difference)]).max(initial=0.0)) or 1.0
        made = [
            ("actual", *picture(self.actual, limits)),
            ("expected", *picture(self.expected, limits)),
            ("difference", *picture(self.difference, (-reach, reach))),
        ]
        for _, pixels, _, _ in made:
            pixels[self._padding()] = PADDING
        return made


def _range(values: NDArray[np.float32]) -> float:
    """From the least to the greatest of the finite ones."""
    finite = values[np.isfinite(values)]
    return float(np.ptp(finite)) if finite.size else 0.0


def _likeness(channel: NDArray[np.float32], picture: NDArray[np.float32]) -> float:
    """The largest correlation of [H, W] with a channel of a picture [N, C, h, w], enlarged or thinned out."""
    ys, xs = (np.arange(to) * size // to for to, size in zip(channel.shape, picture.shape[2:], strict=True))
    others = picture[:, :, ys][..., xs].reshape(-1, channel.size)
    both = np.corrcoef(np.vstack([channel.reshape(1, -1), others])) if np.ptp(channel) > 0.0 else np.zeros((1, 2))
    return float(np.abs(both[0, 1:]).max())


def draw(wrong: Wrong, path: Path) -> None:
    """Write the picture as a PNG of few colours."""
    height, width = wrong.stored.texture_shape
    side = max(1, min(PANEL_PIXELS // max(height, width), MOST_PIXELS))
    panel = (max(width * side, 96), height * side)  # wide enough for the words
    size = (3 * panel[0] + 2 * GAP_PIXELS, panel[1] + 2 * BAND_PIXELS)
    image = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(image)
    for number, (title, pixels, low, high) in enumerate(wrong.panels()):
        left, top = number * (panel[0] + GAP_PIXELS), BAND_PIXELS
        enlarged = Image.fromarray(pixels, "RGB").resize((width * side, height * side), Image.Resampling.NEAREST)
        image.paste(enlarged, (left, top))
        for tile in wrong.stored.layout.tiles(wrong.stored.shape):
            if tile.height > 1:
                x, y = left + tile.tx * side, top + tile.ty * side
                pen.rectangle((x - 1, y - 1, x + tile.width * side, y + tile.height * side), outline=GRID, width=2)
        pen.text((left, top - 5), title, fill=INK, font=ImageFont.load_default(13), anchor="ls")
        words = f"{low:.3g} to {high:.3g}"
        pen.text((left, top + panel[1] + 4), words, fill=SOFT, font=ImageFont.load_default(11), anchor="lt")
    image.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)
