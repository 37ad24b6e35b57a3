"""Maps the numbers of a tensor to the steps of 8 bits that its texture holds, and back.

As in ONNX's QuantizeLinear: step q, from 0 to 255, stands for scale · (q - zero_point). A shader reads q / 255 of a
normalised texture, or q itself through an integer sampler; to undo the mapping is the shader's work.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.errors import TexelscopeError

STEPS = 255.0
# Roundings of a shader that undoes the mapping in float32: the division by 255, a product and a sum or two.
_ROUNDINGS = 4.0
# Up to which distance a step is a whole number: some roundings of q / 255 in float32.
_WHOLE = 1e-4
_UNIT = float(np.finfo(np.float32).eps) / 2.0


@dataclass(frozen=True)
class Quantization:
    """Has one scale and zero point for a tensor, or one for each index along `axis` of its logical shape."""

    scales: tuple[float, ...]
    zero_points: tuple[float, ...]
    axis: int = 1

    def check(self, shape: Sequence[int]) -> None:
        """Raises TexelscopeError if lists do not have a number for each index along the axis."""
        for key, numbers in (("scale", self.scales), ("zero_point", self.zero_points)):
            if len(numbers) == 1:
                continue
            if not -len(shape) <= self.axis < len(shape):
                raise TexelscopeError(
                    key, f"an axis of {list(shape)}", f"axis {self.axis}", "Write the axis that the list is along."
                )
            if len(numbers) != shape[self.axis]:
                expected = f"a number, or {shape[self.axis]} for axis {self.axis} of {list(shape)}"
                raise TexelscopeError(key, expected, f"{len(numbers)}", "Correct the list, or write 'axis = …'.")

    def texels(self, values: NDArray[Any]) -> NDArray[np.float32]:
        """Returns what a shader reads for values in the logical shape, not rounded to steps yet."""
        scale, zero = self._along(np.shape(values))
        with np.errstate(over="ignore", invalid="ignore"):
            steps = np.asarray(values, dtype=np.float64) / scale + zero
            return np.asarray(steps / STEPS, dtype=np.float32)

    def in_texels(
        self, values: NDArray[np.float64], bound: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns values, and their bounds, as numbers that a shader reads and writes."""
        return self.texels(values).astype(np.float64), bound / (self.step(values.shape) * STEPS)

    def values(self, texels: NDArray[Any]) -> NDArray[np.float32]:
        """Returns the values, in the logical shape, for which a shader reads `texels`."""
        scale, zero = self._along(np.shape(texels))
        return np.asarray((_steps(texels) - zero) * scale, dtype=np.float32)

    def values_at(self, texels: NDArray[Any], shape: Sequence[int], at: Sequence[Any]) -> NDArray[np.float32]:
        """Returns the values of texels that are read in place of elements at n, c, h, w, which broadcast."""
        numbers = [np.broadcast_to(each, shape).reshape(as_nchw(shape)) for each in self._along(tuple(shape))]
        places = tuple(np.clip(place, 0, size - 1) for place, size in zip(at, as_nchw(shape), strict=True))
        scale, zero = (each[places] for each in numbers)
        return np.asarray((_steps(texels) - zero) * scale, dtype=np.float32)

    def step(self, shape: Sequence[int]) -> NDArray[np.float64]:
        """Returns the size of a step at each element: the scale."""
        return np.broadcast_to(self._along(tuple(shape))[0], tuple(shape))

    def reading_error(self, shape: Sequence[int]) -> NDArray[np.float64]:
        """Returns how far the value that a shader computes from a texel may be off by its own rounding."""
        scale, zero = self._along(tuple(shape))
        return np.broadcast_to(_ROUNDINGS * _UNIT * (STEPS + np.abs(zero)) * scale, tuple(shape))

    def _along(self, shape: tuple[int, ...]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns scales and zero points, as they broadcast to the shape."""
        return self._spread(self.scales, shape), self._spread(self.zero_points, shape)

    def _spread(self, numbers: tuple[float, ...], shape: tuple[int, ...]) -> NDArray[np.float64]:
        if len(numbers) == 1:
            return np.asarray(numbers[0], dtype=np.float64)
        sides = [1] * len(shape)
        sides[self.axis] = len(numbers)
        return np.asarray(numbers, dtype=np.float64).reshape(sides)


def _steps(texels: NDArray[Any]) -> NDArray[np.float64]:
    """Returns texels in steps: whole numbers but for the rounding of float32 where a texture of 8 bits held them."""
    steps = np.asarray(texels, dtype=np.float64) * STEPS
    whole = np.rint(steps)
    return np.where(np.abs(steps - whole) < _WHOLE, whole, steps)


def is_number(value: Any) -> bool:
    """Whether a value of a file is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
