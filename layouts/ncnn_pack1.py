"""A blob of ncnn with elempack 1: channel after channel, each beginning at a multiple of 16 bytes.

Source: ncnn's Mat and VkMat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from texelscope.layouts.ncnn_mat import NcnnMat


@dataclass(frozen=True)
class NcnnPack1(NcnnMat):
    """`NcnnMat` of single channels."""

    name: ClassVar[str] = "ncnn_pack1"
    lanes: ClassVar[int] = 1
    pack: ClassVar[int] = 1
