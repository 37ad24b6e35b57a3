"""What a pass has bound, for a symbolic run: texels with the elements that they hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.symbolic.bits import PER_WORD, bits_of, number_of_bits, packed, unpacked
from texelscope.pipeline.symbolic.terms import SymbolicTerm, operation, single, value_of
from texelscope.pipeline.symbolic.values import UnknownTextError

_ADD, _TIMES = operation("+"), operation("*")
# What a fetch outside of a texture returns.
_OUTSIDE = (0.0, 0.0, 0.0, 0.0)


@dataclass(eq=False)
class BoundTexels:
    """A tensor's texels as a shader sees them, float32 [height, width, 4], and what was written.

    `elements` [height, width, 4] are linear indices; padding has numbers below zero, each texel's lane its own.
    `size` is what the shader sees in texels, x first, where that is not the texture's own width and height; `order`
    has then the texture's texel of each of them, where they are in another order. `form` is the sampler's. `beside` are
    other tensors in the same texture.
    """

    stored: StoredTensor
    values: NDArray[np.float32]
    elements: NDArray[np.int64]
    size: tuple[int, ...] = ()
    filter: str = "nearest"
    wrap: str = "clamp_to_edge"
    numbers: str = "float"
    form: str = "2D"
    order: NDArray[np.int64] | None = None
    written: dict[int, Any] = field(default_factory=dict)
    beside: list[BoundTexels] = field(default_factory=list)

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
        return self.texel(number if self.order is None else int(self.order[number]), row)

    def texel(self, number: int, row: int) -> tuple[Any, ...]:
        """Reads a texel by its linear index."""
        y, x = divmod(number, self.values.shape[1])
        if number in self.written:  # a dispatch reads back what it wrote
            written: tuple[Any, ...] = self.written[number]
            return tuple(self._lane(y, x, lane, row) if of is None else of for lane, of in enumerate(written))
        return tuple(self._lane(y, x, lane, row) for lane in range(4))

    def _lane(self, y: int, x: int, lane: int, row: int) -> Any:
        if lane >= self.stored.layout.lanes:
            return (1.0 if lane == 3 else 0.0) if self.numbers == "float" else int(lane == 3)
        value: Any = float(self.values[y, x, lane])
        value = value if self.numbers == "float" else int(value)
        owner = self
        if self.beside and self.elements[y, x, lane] < 0:
            owner = next((each for each in self.beside if each.elements[y, x, lane] >= 0), self)
        return SymbolicTerm("read", (owner.stored.key, int(owner.elements[y, x, lane])), value, row)

    def sample(self, uvw: Sequence[Any], row: int) -> tuple[Any, ...]:
        """Reads at normalised coordinates, nearest or linear; a slice of an array is the nearest one."""
        extents = self.dimensions
        places = self._places(uvw)
        if self.filter == "nearest":
            return self.fetch(
                [self._held(math.floor(place), extent) for place, extent in zip(places, extents, strict=True)], row
            )
        corners: list[tuple[float, list[int]]] = [(1.0, [])]
        for axis, (place, extent) in enumerate(zip(places, extents, strict=True)):
            first = math.floor(place - 0.5)
            share = place - 0.5 - first
            sides = [(first, 1.0 - share), (first + 1, share)]
            if axis == 2 and self.form == "2DArray":
                sides = [(math.floor(place), 1.0)]
            corners = [
                (weight * by, [*at, self._held(side, extent)])
                for side, by in sides for weight, at in corners if weight * by != 0.0
            ]  # fmt: skip
        found: list[Any] = [0.0] * 4
        for weight, at in corners:
            texel = self.fetch(at, row)
            found = [_ADD(a, _TIMES(weight, b, row), row) for a, b in zip(found, texel, strict=True)]
        return tuple(found)

    def _places(self, uvw: Sequence[Any]) -> list[float]:
        """Returns normalised coordinates in texels."""
        places = [float(value_of(each)) for each in uvw[: len(self.dimensions)]]
        if not all(map(math.isfinite, places)):
            raise UnknownTextError("a read at no place")
        found = [single(place * extent) for place, extent in zip(places, self.dimensions, strict=True)]
        if self.form == "2DArray":
            found[2] = min(max(math.floor(places[2] + 0.5), 0), self.dimensions[2] - 1) + 0.5
        return found

    def gather(self, uvw: Sequence[Any], lane: int, row: int) -> tuple[Any, ...]:
        """Reads one lane of the four texels around a place, as `textureGather` orders them."""
        places, extents = self._places(uvw), self.dimensions
        x, y = (math.floor(place - 0.5) for place in places[:2])
        rest = [math.floor(place) for place in places[2:]]
        return tuple(
            self.fetch([self._held(x + dx, extents[0]), self._held(y + dy, extents[1]), *rest], row)[lane]
            for dx, dy in ((0, 1), (1, 1), (1, 0), (0, 0))
        )

    def _held(self, place: int, extent: int) -> int:
        return place % extent if self.wrap == "repeat" else min(max(place, 0), extent - 1)

    @property
    def words(self) -> int:
        """How many numbers of four bytes the tensor is as a buffer."""
        return int(self.values.size) // self._per_word

    @property
    def _per_word(self) -> int:
        if self.stored.storage not in PER_WORD:
            raise UnknownTextError("a block of packed numbers")
        return PER_WORD[self.stored.storage]

    def word(self, index: int, scalar: str, row: int) -> Any:
        """Reads four bytes of a buffer as a scalar of a type."""
        per = self._per_word
        if per == 1:
            value = self.element(index, row)
            return value if scalar == "float" else bits_of(value, scalar, row)
        if scalar == "float":
            raise UnknownTextError("a block of packed numbers")
        return packed(tuple(self.element(index * per + lane, row) for lane in range(per)), row)

    def write_word(self, index: int, value: Any) -> None:
        """Writes four bytes of a buffer."""
        per = self._per_word
        if per == 1:
            self.write_element(index, number_of_bits(value))
            return
        for lane, number in enumerate(unpacked(value, per)):
            self.write_element(index * per + lane, number)

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
