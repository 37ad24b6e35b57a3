"""Builds MobileNetV2 (Sandler et al. 2018, table 2), with random weights, as an ONNX model.

Its blocks widen the channels by a 1x1 convolution, convolve each channel by itself, and narrow them again; a block
that keeps the shape adds its input. There is no normalisation: at inference it is folded into the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import onnx

from benchmarks.network_parts import NetworkParts

# The variance that a block adds to its input's: with more, the sums of many blocks would grow large.
_BLOCK_GAIN = 0.5
_FIRST, _LAST = 32, 1280


@dataclass(frozen=True)
class Stage:
    """Describes `repeats` blocks of `channels`: the first has `stride`, each widens channels `expansion` times."""

    expansion: int
    channels: int
    repeats: int
    stride: int


STAGES = (
    Stage(1, 16, 1, 1),
    Stage(6, 24, 2, 2),
    Stage(6, 32, 3, 2),
    Stage(6, 64, 4, 2),
    Stage(6, 96, 3, 1),
    Stage(6, 160, 3, 2),
    Stage(6, 320, 1, 1),
)


def build(
    *, image_texels: int = 224, stages: Sequence[Stage] = STAGES, classes: int = 1000, seed: int = 0
) -> onnx.ModelProto:
    """Builds a classifier from `image`, float32 [1, 3, image_texels, image_texels], to `scores` [1, classes]."""
    parts = NetworkParts(seed)
    tensor = parts.convolution("image", "first", (_FIRST, 3, 3), stride=2, rectifier="relu6")
    channels = _FIRST
    for at, stage in enumerate(stages):
        for repeat in range(stage.repeats):
            stride = 1 if repeat else stage.stride
            tensor = _block(parts, tensor, f"block{at}.{repeat}", channels, stage, stride)
            channels = stage.channels
    tensor = parts.convolution(tensor, "last", (_LAST, channels, 1), rectifier="relu6")
    parts.classify(tensor, _LAST, classes)
    return parts.model("mobilenet", ("image", [1, 3, image_texels, image_texels]), ("scores", [1, classes]))


def _block(parts: NetworkParts, given: str, name: str, channels: int, stage: Stage, stride: int) -> str:
    wide, tensor = channels * stage.expansion, given
    if stage.expansion > 1:
        tensor = parts.convolution(tensor, f"{name}.widen", (wide, channels, 1), rectifier="relu6")
    tensor = parts.convolution(tensor, f"{name}.each", (wide, wide, 3), stride=stride, group=wide, rectifier="relu6")
    is_added = stride == 1 and channels == stage.channels
    gain = _BLOCK_GAIN if is_added else 1.0
    tensor = parts.convolution(tensor, f"{name}.narrow", (stage.channels, wide, 1), gain=gain)
    return parts.add("Add", [given, tensor], f"{name}.sum") if is_added else tensor
