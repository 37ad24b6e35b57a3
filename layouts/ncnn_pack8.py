"""Stores a blob of ncnn with elempack 8: groups of eight channels, each in two texels side by side.

Source: ncnn's Mat and VkMat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from texelscope.layouts.ncnn_mat import NcnnMat


@dataclass(frozen=True)
class NcnnPack8(NcnnMat):
    """Stores packed elements of 8 channels in `NcnnMat`'s order: four in texel 2q, the others in texel 2q + 1."""

    name: ClassVar[str] = "ncnn_pack8"
    lanes: ClassVar[int] = 4
    pack: ClassVar[int] = 8
