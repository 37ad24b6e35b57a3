"""Stores a blob of ncnn with elempack 4: groups of four channels, each group in RGBA.

Source: ncnn's Mat and VkMat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from layouts.ncnn_mat import NcnnMat


@dataclass(frozen=True)
class NcnnPack4(NcnnMat):
    """This layout is `NcnnMat` with 4 channels per packed element."""

    name: ClassVar[str] = "ncnn_pack4"
    lanes: ClassVar[int] = 4
    pack: ClassVar[int] = 4
