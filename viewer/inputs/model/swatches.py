"""Finds the colours of an input, to paint with: what a map of labels is made of."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.viewer.inputs.model.brush import Colour
from texelscope.viewer.inputs.model.painting import Planes, as_rgb

MOST_COLOURS = 15
# Of a larger input every so many pixels are looked at that about so many are left on each side.
_LOOKED_AT = 256
# Colours that differ by less than this, of 255 in each channel, are one.
_ALIKE = 12
_LEAST_SHARE = 1e-4


@dataclass(frozen=True)
class Swatch:
    """A colour of an input, and the share of pixels that have it, 0 to 1."""

    colour: Colour
    share: float

    @property
    def name(self) -> str:
        """The colour as a web page writes it."""
        return "#" + "".join(f"{round(each * 255):02x}" for each in self.colour)


def frequent_colours(planes: Planes, most: int = MOST_COLOURS) -> tuple[Swatch, ...]:
    """Returns the most frequent colours of planes (float32 C, H, W, 0 to 1), the most frequent first."""
    every = max(1, -(-max(planes.shape[1:]) // _LOOKED_AT))
    pixels = as_rgb(planes[:, ::every, ::every]).reshape(-1, 3)
    packed = pixels.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], dtype=np.uint32)
    values, counts = np.unique(packed, return_counts=True)
    found: list[tuple[int, int, int]] = []
    shares: list[float] = []
    for number in np.argsort(-counts, kind="stable"):
        value, share = int(values[number]), float(counts[number]) / len(packed)
        rgb = value >> 16, value >> 8 & 255, value & 255
        if len(found) >= most or share < _LEAST_SHARE:
            break
        if all(max(abs(a - b) for a, b in zip(rgb, other, strict=True)) >= _ALIKE for other in found):
            found.append(rgb)
            shares.append(share)
    colours = ((red / 255, green / 255, blue / 255) for red, green, blue in found)
    return tuple(Swatch(colour, share) for colour, share in zip(colours, shares, strict=True))


@dataclass
class InputSwatches:
    """Keeps the colours of each input while strokes are painted on it: swatches stay where they are."""

    _known: dict[str, tuple[NDArray[np.float32], tuple[Swatch, ...]]] = field(default_factory=dict)

    def of(self, name: str, values: NDArray[np.float32] | None, *, is_painted: bool) -> tuple[Swatch, ...]:
        """Returns the colours of an input with these values, of a shape that `is_paintable`.

        They are those from before, if it `is_painted` on since; without values, as while the network runs on others,
        those that were known last.
        """
        known = self._known.get(name)
        if known is not None:
            is_same = values is None or values is known[0]
            if is_same or (is_painted and values is not None and values.shape == known[0].shape):
                return known[1]
        if values is None:
            return ()
        self._known[name] = values, frequent_colours(values.reshape(as_nchw(values.shape)[1:]))
        return self._known[name][1]

    def forget(self) -> None:
        """Drops the colours of another target."""
        self._known.clear()
