"""Builds ResNet-50 (He et al. 2015, table 1), with random weights, as an ONNX model.

Its blocks narrow the channels by a 1x1 convolution, convolve them by 3x3, widen them again and add their input. The
3x3 convolution has the stride, as in today's libraries. There is no normalisation: at inference it is folded into the
weights.
"""

from __future__ import annotations

from collections.abc import Sequence

import onnx

from benchmarks.network_parts import NetworkParts

# The variance that a block adds to its input's: with more, the sums of many blocks would grow large.
_BLOCK_GAIN = 0.5
_WIDENING = 4


def build(
    *,
    image_texels: int = 224,
    width: int = 64,
    blocks: Sequence[int] = (3, 4, 6, 3),
    classes: int = 1000,
    seed: int = 0,
) -> onnx.ModelProto:
    """Builds a classifier from `image`, float32 [1, 3, image_texels, image_texels], to `scores` [1, classes].

    Stage i has blocks[i] blocks, whose 3x3 convolutions have width·2^i channels.
    """
    parts = NetworkParts(seed)
    tensor = parts.convolution("image", "first", (width, 3, 7), stride=2, rectifier="relu")
    tensor = parts.add("MaxPool", [tensor], "pool", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    channels = width
    for stage, repeats in enumerate(blocks):
        for repeat in range(repeats):
            stride = 2 if stage and not repeat else 1
            tensor = _block(parts, tensor, f"block{stage}.{repeat}", channels, width * 2**stage, stride)
            channels = width * 2**stage * _WIDENING
    parts.classify(tensor, channels, classes)
    return parts.model("resnet50", ("image", [1, 3, image_texels, image_texels]), ("scores", [1, classes]))


def _block(parts: NetworkParts, given: str, name: str, channels: int, narrow: int, stride: int) -> str:
    wide = narrow * _WIDENING
    tensor = parts.convolution(given, f"{name}.narrow", (narrow, channels, 1), rectifier="relu")
    tensor = parts.convolution(tensor, f"{name}.middle", (narrow, narrow, 3), stride=stride, rectifier="relu")
    tensor = parts.convolution(tensor, f"{name}.widen", (wide, narrow, 1), gain=_BLOCK_GAIN)
    if channels != wide or stride > 1:
        given = parts.convolution(given, f"{name}.beside", (wide, channels, 1), stride=stride)
    return parts.add("Relu", [parts.add("Add", [tensor, given], f"{name}.sum")], f"{name}.relu")
