"""What a pass has bound, for a symbolic run: texels with the elements that they hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.symbolic.terms import SymbolicTerm, operation, single, value_of
from texelscope.pipeline.symbolic.values import UnknownTextError

_ADD, _TIMES = operation("+"), operation("*")
# What a fetch outside of a texture returns.
_OUTSIDE = (0.0, 0.0, 0.0, 0.0)


@dataclass(eq=False)
class BoundTexels:
    """A tensor's texels as a shader sees them, float32 [height, width, 4], and what was written.

    `elements` [height, width, 4] are linear indices; padding has numbers below zero, each texel's lane its own.
    `size` is what the shader sees in texels, x first, where that is not the texture's own width and height.
    """

    stored: StoredTensor
    values: NDArray[np.float32]
    elements: NDArray[np.int64]
    size: tuple[int, ...] = ()
    filter: str = "nearest"
    wrap: str = "clamp_to_edge"
    numbers: str = "float"
    written: dict[int, Any] = field(default_factory=dict)

    @property
    def dimensions(self) -> tuple[int, ...]:
        """Width, height and perhaps depth as the shader sees them."""
        return self.size or (self.values.shape[1], self.values.shape[0])

    def texel_number(self, at: Sequence[Any]) -> int | None:
        """Returns the linear index of a texel at whole coordinates; None outside."""
        number, step = 0, 1
        for place, extent in zip(at, self.dimensions, strict=True):
            place = int(value_of(place))
            if not 0 <= place < extent:
                return None
            number, step = number + place * step, step * extent
        return number

    def fetch(self, at: Sequence[Any], row: int) -> tuple[Any, ...]:
        """Reads a texel at whole coordinates; zeros outside."""
        number = self.texel_number(at[: len(self.dimensions)])
        if number is None:
            return _OUTSIDE if self.numbers == "float" else (0, 0, 0, 0)
        return self.texel(number, row)

    def texel(self, number: int, row: int) -> tuple[Any, ...]:
        """Reads a texel by its linear index."""
        if number in self.written:  # a dispatch reads back what it wrote
            found: tuple[Any, ...] = self.written[number]
            return found
        y, x = divmod(number, self.values.shape[1])
        return tuple(self._lane(y, x, lane, row) for lane in range(4))

    def _lane(self, y: int, x: int, lane: int, row: int) -> Any:
        if lane >= self.stored.layout.lanes:
            return (1.0 if lane == 3 else 0.0) if self.numbers == "float" else int(lane == 3)
        value: Any = float(self.values[y, x, lane])
        value = value if self.numbers == "float" else int(value)
        return SymbolicTerm("read", (self.stored.key, int(self.elements[y, x, lane])), value, row)

    def sample(self, uv: Sequence[Any], row: int) -> tuple[Any, ...]:
        """Reads at normalised coordinates, nearest or linear."""
        width, height = self.dimensions[:2]
        u, v = (float(value_of(each)) for each in uv[:2])
        if not (math.isfinite(u) and math.isfinite(v)):
            raise UnknownTextError("a read at no place")
        x, y = single(u * width), single(v * height)
        if self.filter == "nearest":
            return self.fetch((self._held(math.floor(x), width), self._held(math.floor(y), height)), row)
        left, top = math.floor(x - 0.5), math.floor(y - 0.5)
        by_x, by_y = x - 0.5 - left, y - 0.5 - top
        found: list[Any] = [0.0] * 4
        for dy, wy in ((0, 1.0 - by_y), (1, by_y)):
            for dx, wx in ((0, 1.0 - by_x), (1, by_x)):
                if wx * wy == 0.0:
                    continue
                texel = self.fetch((self._held(left + dx, width), self._held(top + dy, height)), row)
                found = [_ADD(a, _TIMES(wx * wy, b, row), row) for a, b in zip(found, texel, strict=True)]
        return tuple(found)

    def _held(self, place: int, extent: int) -> int:
        return place % extent if self.wrap == "repeat" else min(max(place, 0), extent - 1)

    def element(self, index: int, row: int) -> Any:
        """Reads one lane as an element of a buffer."""
        lanes = self.stored.layout.lanes
        number, lane = divmod(index, lanes)
        if not 0 <= number < self.values.shape[0] * self.values.shape[1]:
            return 0.0 if self.numbers == "float" else 0
        return self.texel(number, row)[lane]

    def write(self, number: int, texel: Sequence[Any]) -> None:
        """Writes a texel by its linear index."""
        self.written[number] = (*texel, *_OUTSIDE)[:4]

    def write_element(self, index: int, value: Any) -> None:
        """Writes one lane as an element of a buffer."""
        number, lane = divmod(index, self.stored.layout.lanes)
        before = list(self.written.get(number, (None,) * 4))
        before[lane] = value
        self.written[number] = tuple(before)

    def begin(self) -> None:
        """Forgets what was written."""
        self.written.clear()


def texels_of(stored: StoredTensor, texels: NDArray[Any], **how: Any) -> BoundTexels:
    """Returns a bound tensor. `texels` are float32 [height, width, lanes], as the texture holds them."""
    height, width = stored.texture_shape
    lanes = stored.layout.lanes
    ty, tx, lane = np.ogrid[:height, :width, :lanes]
    elements = stored.layout.indices_at(stored.shape, tx, ty, lane)
    padding = -1 - np.arange(elements.size).reshape(elements.shape)
    elements = np.where(elements < 0, padding, elements)
    return BoundTexels(stored, np.asarray(texels, dtype=np.float32), elements, **how)
