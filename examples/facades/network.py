"""The facade generator: a small U-Net in the manner of pix2pix, and its export to ONNX.

Five 4x4 convolutions of stride 2 lead from 128x128 down to 4x4; five nearest-neighbour doublings, each
followed by a 4x4 convolution, lead back up. On the way up each level first takes in the equally large tensor
from the way down, and the last one the label map itself, so that edges stay where the label map has them.
Channel counts are square numbers: drawn as square grids of tiles, these layers have no empty cells.

PyTorch is needed to train the network, never to run it: what the application loads is the exported ONNX file.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from examples.facades.onnx_writer import OnnxWriter

SIDE = 128
SLOPE = 0.2
DOWN_CHANNELS = {1: 16, 2: 36, 3: 64, 4: 100, 5: 144}
UP_CHANNELS = {5: 100, 4: 36, 3: 36, 2: 16, 1: 3}
LABEL_CHANNELS = 3
DEEPEST = 5

# A 4x4 kernel has no centre. On the way up, output pixel x reads x-1, x, x+1 and x+2 of the doubled tensor,
# hence one row and column of zeros before and two after (ONNX order: top, left, bottom, right).
DOWN_PADS = (1, 1, 1, 1)
UP_PADS = (1, 1, 2, 2)


def up_input_channels(level: int) -> int:
    """Return how many channels the convolution `up<level>` reads."""
    if level == DEEPEST:
        return DOWN_CHANNELS[DEEPEST]
    joined = UP_CHANNELS[level + 1] + DOWN_CHANNELS[level]
    return joined + LABEL_CHANNELS if level == 1 else joined


def pad(x: Tensor, pads: tuple[int, int, int, int]) -> Tensor:
    """Add zeros around height and width; `pads` in ONNX order: top, left, bottom, right."""
    top, left, bottom, right = pads
    return functional.pad(x, (left, right, top, bottom))


class Generator(nn.Module):
    """Label maps [n, 3, 128, 128] in [0, 1] to pictures [n, 3, 128, 128] in [0, 1]."""

    def __init__(self) -> None:
        super().__init__()
        self.convs = nn.ModuleDict()
        self.norms = nn.ModuleDict()
        for level, channels in DOWN_CHANNELS.items():
            inputs = DOWN_CHANNELS.get(level - 1, LABEL_CHANNELS)
            self.convs[f"down{level}"] = nn.Conv2d(inputs, channels, 4, stride=2)
        for level, channels in UP_CHANNELS.items():
            self.convs[f"up{level}"] = nn.Conv2d(up_input_channels(level), channels, 4)
        for name, conv in self.convs.items():
            if name not in ("down1", "up1"):
                self.norms[name] = nn.BatchNorm2d(conv.out_channels)

    def _level(self, name: str, x: Tensor, pads: tuple[int, int, int, int]) -> Tensor:
        x = self.convs[name](pad(x, pads))
        return self.norms[name](x) if name in self.norms else x

    def forward(self, labels: Tensor) -> Tensor:
        """Return the picture of each label map."""
        down: dict[int, Tensor] = {}
        x = labels
        for level in DOWN_CHANNELS:
            x = functional.leaky_relu(self._level(f"down{level}", x, DOWN_PADS), SLOPE)
            down[level] = x
        for level in UP_CHANNELS:
            if level < DEEPEST:
                x = torch.cat([x, down[level]], 1)
            x = functional.interpolate(x, scale_factor=2, mode="nearest")
            if level == 1:
                return torch.sigmoid(self._level("up1", torch.cat([x, labels], 1), UP_PADS))
            x = functional.relu(self._level(f"up{level}", x, UP_PADS))
        raise AssertionError("the loop ends at level 1")

    def folded(self, name: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return weight and bias of a convolution with the batch normalisation after it multiplied in."""
        conv = self.convs[name]
        weight, bias = conv.weight.detach().double(), conv.bias.detach().double()
        if name in self.norms:
            norm = self.norms[name]
            scale = norm.weight.detach().double() / torch.sqrt(norm.running_var.double() + norm.eps)
            weight = weight * scale[:, None, None, None]
            bias = (bias - norm.running_mean.double()) * scale + norm.bias.detach().double()
        return weight.float().cpu().numpy(), bias.float().cpu().numpy()


def export_onnx(network: Generator, path: Path) -> None:
    """Write the network as ONNX: input `labels`, output `facade`, both float32 [1, 3, 128, 128] in [0, 1]."""
    writer = OnnxWriter()
    x = "labels"
    for level in DOWN_CHANNELS:
        name = f"down{level}"
        x = writer.conv(name, x, *network.folded(name), stride=2, pads=DOWN_PADS)
        x = writer.node("LeakyRelu", f"{name}_act", [x], alpha=SLOPE)
    for level in UP_CHANNELS:
        name = f"up{level}"
        if level < DEEPEST:
            x = writer.node("Concat", f"{name}_concat", [x, f"down{level}_act"], axis=1)
        x = writer.double(f"{name}_resize", x)
        if level == 1:
            x = writer.node("Concat", "up1_labels", [x, "labels"], axis=1)
        x = writer.conv(name, x, *network.folded(name), stride=1, pads=UP_PADS)
        x = writer.node("Sigmoid", "facade", [x]) if level == 1 else writer.node("Relu", f"{name}_act", [x])
    shape = [1, LABEL_CHANNELS, SIDE, SIDE]
    writer.save(path, "facades", inputs={"labels": shape}, outputs={"facade": shape})
