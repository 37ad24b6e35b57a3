"""Moves without arithmetic: where in the input each output element comes from, as one affine function.

Transposing, slicing, repeating and cutting into blocks all read x_flat[offset + Σ_d stride_d · i_d], once the
output's axes are cut finely enough. Strides are in elements; 0 repeats, negative ones run backwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.base import Constant


@dataclass(frozen=True)
class AffineMap:
    """Output element (i₀, i₁, …), row-major over `sizes`, is input element offset + Σ_d strides[d]·i_d."""

    sizes: Shape
    strides: tuple[int, ...]
    offset: int = 0

    def simplified(self) -> AffineMap:
        """The same map with as few axes as possible, at least one."""
        sizes: list[int] = []
        strides: list[int] = []
        for size, stride in zip(self.sizes, self.strides, strict=True):
            if size == 1:
                continue
            if sizes and strides[-1] == stride * size:
                sizes[-1] *= size
                strides[-1] = stride
            else:
                sizes.append(size)
                strides.append(stride)
        return AffineMap(tuple(sizes) or (1,), tuple(strides) or (0,), self.offset)

    def source(self, element: int) -> int:
        """Linear index of the input element that output element `element` comes from."""
        place = np.unravel_index(element, self.sizes) if self.sizes else ()
        return self.offset + sum(int(i) * stride for i, stride in zip(place, self.strides, strict=True))

    def constants(self) -> dict[str, Constant]:
        """The names under which `affine.glsl` knows the map."""
        return {
            "RANK": len(self.sizes),
            "SIZES": self.sizes,
            "STRIDES": self.strides,
            "OFFSET": self.offset,
        }


def strides_of(shape: Sequence[int]) -> tuple[int, ...]:
    """Elements between neighbours along each axis of a row-major tensor."""
    return tuple(math.prod(shape[d + 1 :]) for d in range(len(shape)))


def same_order(shape: Shape) -> AffineMap:
    """Every element where it was."""
    return AffineMap(shape, strides_of(shape))
