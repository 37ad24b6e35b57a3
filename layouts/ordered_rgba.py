"""Stores elements in any order of their axes, four per texel, row by row: `order = "o/4, i/4, ky, kx, o%4 i%4"`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from texelscope.layouts.ordered_flat import OrderedFlat


@dataclass(frozen=True)
class OrderedRgba(OrderedFlat):
    """Stores elements in the `order` of their axes (`layouts.axis_order`), four per texel.

    `width` is in texels; 0 makes the texture near-square.
    """

    name: ClassVar[str] = "ordered_rgba"
    lanes: ClassVar[int] = 4
