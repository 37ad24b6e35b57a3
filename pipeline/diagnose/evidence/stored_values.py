"""A tensor as its texture holds it, which can be read at any place, also where it has no element.

A shader that omits a bounds test reads on: in the neighbouring tile, the next row, padding, or past the texture's edge.
The layout's own formula says which texel that is, so that a hypothesis can use it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import Dims, as_nchw
from texelscope.pipeline.plan import StoredTensor, Wrap

# Results of reads beyond the tensor's rows and columns. The first four need no texture: 0, the nearest element, the one
# that far from the other end, the mirrored one. `texel` follows the layout's formula to any texel, and past the
# texture's border its wrap mode; `fetch` does that too, but is 0 past the border.
Beyond = Literal["zero", "edge", "wrap", "reflect", "texel", "fetch"]


@dataclass(frozen=True)
class StoredValues:
    """Holds a tensor's texels, float32 [height, width, lanes], with its layout and the sampler's wrap mode."""

    stored: StoredTensor
    texels: NDArray[np.float32]
    wrap: Wrap = "clamp_to_edge"

    @property
    def dims(self) -> Dims:
        """Returns N, C, H, W of the 4-d view."""
        return as_nchw(self.stored.shape)

    @cached_property
    def elements(self) -> NDArray[np.float32]:
        """Returns the elements, float32 [N, C, H, W]."""
        return self.stored.decode(self.texels).reshape(self.dims)

    def read(self, n: Any, c: Any, h: Any, w: Any, beyond: Beyond) -> NDArray[np.float32]:
        """Reads the values at broadcast coordinates; outside the tensor, `beyond` decides."""
        if beyond in ("texel", "fetch"):
            texels = self._fetch(*self.texel_at(n, c, h, w), beyond)
            quantization = self.stored.quantization
            return texels if quantization is None else quantization.values_at(texels, self.stored.shape, (n, c, h, w))
        return read_array(self.elements, n, c, h, w, beyond)

    def texel_at(self, n: Any, c: Any, h: Any, w: Any) -> tuple[Any, Any, Any]:
        """Returns tx, ty, lane at which an element is read."""
        return self.stored.layout.texel_at(self.dims, n, c, h, w)

    def _fetch(self, tx: Any, ty: Any, lane: Any, beyond: Beyond) -> NDArray[np.float32]:
        height, width, lanes = self.texels.shape
        inside = (tx >= 0) & (tx < width) & (ty >= 0) & (ty < height)
        if self.wrap == "repeat" and beyond == "texel":
            x, y = tx % width, ty % height
        else:
            x, y = np.clip(tx, 0, width - 1), np.clip(ty, 0, height - 1)
        values: NDArray[np.float32] = self.texels[y, x, np.clip(lane, 0, lanes - 1)]
        return values if beyond == "texel" else np.where(inside, values, np.float32(0.0))

    def surrounded(self, margin: tuple[int, int, int, int], beyond: Beyond) -> NDArray[np.float32]:
        """Returns float32 [N, C, H + top + bottom, W + left + right]: each channel with its surroundings.

        `margin` is top, bottom, left, right.
        """
        N, C, H, W = self.dims
        top, bottom, left, right = margin
        return self.read(
            np.arange(N)[:, None, None, None],
            np.arange(C)[:, None, None],
            np.arange(-top, H + bottom)[:, None],
            np.arange(-left, W + right),
            beyond,
        )


@dataclass(frozen=True)
class RearrangedValues(StoredValues):
    """Locates elements of the same texels by another formula: dims, n, c, h, w to tx, ty, lane."""

    formula: Callable[[Dims, Any, Any, Any, Any], tuple[Any, Any, Any]] | None = None

    def texel_at(self, n: Any, c: Any, h: Any, w: Any) -> tuple[Any, Any, Any]:
        """Returns tx, ty, lane by the other formula."""
        assert self.formula is not None
        return self.formula(self.dims, n, c, h, w)


def read_array(values: NDArray[Any], n: Any, c: Any, h: Any, w: Any, beyond: Beyond) -> NDArray[np.float32]:
    """Reads elements of [N, C, H, W] at broadcast coordinates; `beyond` as for an array without a texture."""
    places = [_inside(np.asarray(place), size, beyond) for place, size in zip((n, c, h, w), values.shape, strict=True)]
    found = values[tuple(places)]
    if beyond != "zero":
        return np.asarray(found)
    inside: Any = True
    for place, size in zip((n, c, h, w), values.shape, strict=True):
        inside = inside & (place >= 0) & (place < size)
    return np.where(inside, found, np.float32(0.0))


def _inside(place: NDArray[Any], size: int, beyond: Beyond) -> NDArray[Any]:
    """Moves places into 0 … size - 1."""
    if beyond == "wrap":
        return np.asarray(place % size)
    if beyond == "reflect" and size > 1:
        period = 2 * (size - 1)
        mirrored = np.abs(place) % period
        return np.asarray(np.where(mirrored >= size, period - mirrored, mirrored))
    return np.asarray(np.clip(place, 0, size - 1))
