"""Builds the 256x256 U-Net of pix2pix (Isola et al. 2017, section 6.1.1), with random weights, as an ONNX model.

Eight stride-2 convolutions of 4x4 go down to one pixel, eight transposed ones come back up, and each level
hands its activations across (Concat). There is no normalisation: at inference it is folded into the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, helper, numpy_helper

_WINDOW: dict[str, list[int]] = {"kernel_shape": [4, 4], "strides": [2, 2], "pads": [1, 1, 1, 1]}


def build(*, ngf: int = 16, depth: int = 8, image_texels: int = 256, seed: int = 0) -> onnx.ModelProto:
    """Builds a generator from `image` to `picture`, both float32 [1, 3, image_texels, image_texels].

    Level i is min(ngf·2^i, 8·ngf) channels wide. `image_texels` must be a multiple of 2^depth. The weights
    keep the activations near unit variance, so that no level saturates or vanishes.
    """
    if image_texels % 2**depth:
        raise ValueError(f"image_texels must be a multiple of {2**depth}, got {image_texels}")
    widths = [min(ngf * 2**level, ngf * 8) for level in range(depth)]
    parts = _Parts(np.random.default_rng(seed))
    top = parts.down(widths)
    parts.up(top, widths)
    shape = [1, 3, image_texels, image_texels]
    graph = helper.make_graph(
        parts.nodes,
        f"unet{image_texels}_ngf{ngf}",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("picture", TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(array, name) for name, array in parts.weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


class _Parts:
    """Collects nodes and weights while the two halves are laid out."""

    def __init__(self, random: np.random.Generator) -> None:
        self.nodes: list[NodeProto] = []
        self.weights: dict[str, NDArray[np.float32]] = {}
        self._random = random

    def down(self, widths: Sequence[int]) -> str:
        """Adds the encoder; returns the name of the innermost tensor. Level i's tensor is `down{i}`."""
        tensor, channels = "image", 3
        for level, width in enumerate(widths):
            if level:
                tensor = self._add("LeakyRelu", [tensor], f"leaky{level}", alpha=0.2)
            weight = self._weight(f"down{level}", (width, channels), fan_in=channels * 16, bias_count=width)
            tensor, channels = self._add("Conv", [tensor, *weight], f"down{level}", **_WINDOW), width
        return tensor

    def up(self, tensor: str, widths: Sequence[int]) -> None:
        """Adds the decoder, ending in the tensor `picture`."""
        channels = widths[-1]
        for level in reversed(range(len(widths))):
            width = widths[level - 1] if level else 3
            tensor = self._add("Relu", [tensor], f"relu{level}")
            weight = self._weight(f"up{level}", (channels, width), fan_in=channels * 4, bias_count=width)
            tensor, channels = self._add("ConvTranspose", [tensor, *weight], f"up{level}", **_WINDOW), width
            if level:
                tensor, channels = self._add("Concat", [tensor, f"down{level - 1}"], f"skip{level}", axis=1), 2 * width
        self._add("Tanh", [tensor], "picture")

    def _add(self, operator: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def _weight(self, name: str, channels: tuple[int, int], *, fan_in: int, bias_count: int) -> tuple[str, str]:
        deviation = (2 / fan_in) ** 0.5
        kernel = self._random.normal(0, deviation, (*channels, 4, 4)).astype(np.float32)
        bias = self._random.normal(0, 0.05, bias_count).astype(np.float32)
        self.weights |= {f"{name}.weight": kernel, f"{name}.bias": bias}
        return f"{name}.weight", f"{name}.bias"
