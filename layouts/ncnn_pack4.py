"""A blob of ncnn with elempack 4: four channels in RGBA, group after group of them.

Source: ncnn's Mat and VkMat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from texelscope.layouts.ncnn_mat import NcnnMat


@dataclass(frozen=True)
class NcnnPack4(NcnnMat):
    """`NcnnMat` of 4 channels a packed element."""

    name: ClassVar[str] = "ncnn_pack4"
    lanes: ClassVar[int] = 4
    pack: ClassVar[int] = 4
