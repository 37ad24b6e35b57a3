"""Names the networks that the engines run, beside the U-Net generator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import onnx

from benchmarks import encoder, mobilenet, resnet50

UNET = "unet"


@dataclass(frozen=True)
class Network:
    """Describes a network in a few words, and builds it."""

    title: str
    build: Callable[[], onnx.ModelProto]


NETWORKS = {
    "mobilenet": Network("MobileNetV2, 224x224", mobilenet.build),
    "resnet50": Network("ResNet-50, 224x224", resnet50.build),
    "encoder": Network("Transformer encoder, 12 layers, 256 wide, 4 heads, 128 tokens", encoder.build),
}
