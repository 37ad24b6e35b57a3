"""Stores a blob of ncnn with elempack 4: groups of four channels, each group in RGBA.

Source: ncnn's Mat and VkMat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from texelscope.layouts.ncnn_mat import NcnnMat


@dataclass(frozen=True)
class NcnnPack4(NcnnMat):
    """Stores packed elements of 4 channels in RGBA, in `NcnnMat`'s order."""

    name: ClassVar[str] = "ncnn_pack4"
    lanes: ClassVar[int] = 4
    pack: ClassVar[int] = 4
