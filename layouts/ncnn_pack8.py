"""A blob of ncnn with elempack 8: eight channels in two texels side by side, group after group of them.

Source: ncnn's Mat and VkMat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from texelscope.layouts.ncnn_mat import NcnnMat


@dataclass(frozen=True)
class NcnnPack8(NcnnMat):
    """`NcnnMat` of 8 channels a packed element: texel 2q holds the first four of them, 2q + 1 the others."""

    name: ClassVar[str] = "ncnn_pack8"
    lanes: ClassVar[int] = 4
    pack: ClassVar[int] = 8
