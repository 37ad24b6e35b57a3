"""Stores a blob of ncnn with elempack 8: groups of eight channels, each in two texels side by side.

Source: ncnn's Mat and VkMat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from layouts.ncnn_mat import NcnnMat


@dataclass(frozen=True)
class NcnnPack8(NcnnMat):
    """This layout is `NcnnMat` with 8 channels per packed element: texel 2q holds the first four of them, 2q + 1 the others."""

    name: ClassVar[str] = "ncnn_pack8"
    lanes: ClassVar[int] = 4
    pack: ClassVar[int] = 8
