"""Runs PyTorch as a peer: `python torch_unet.py MODEL_FOLDER cpu|cuda|graph`, with TensorFlow.js's file of weights.

`graph` records a run on the GPU once and plays it again. Numbers have 32 bits: no TF32, as in every other engine.

It needs PyTorch and NumPy alone, so that it runs in an environment that has nothing else of this project.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.peers.serve import serve

Layers = dict[str, tuple[torch.Tensor, torch.Tensor]]


def layers_of(folder: Path, device: str) -> Layers:
    """Returns kernel ([out, in, h, w], of a transposed convolution [in, out, h, w]) and bias by layer."""
    about = json.loads((folder / "about.json").read_text())
    values, at, found = np.fromfile(folder / "weights_channels_last.bin", np.float32), 0, {}
    for layer in about["channels_last"]:
        parts = []
        for shape in layer["shapes"]:
            count = math.prod(shape)
            parts.append(torch.from_numpy(values[at : at + count].reshape(shape)).to(device))
            at += count
        found[layer["name"]] = (parts[0].permute(3, 2, 0, 1).contiguous(), parts[1])
    return found


def unet(layers: Layers, image: torch.Tensor) -> tuple[torch.Tensor, int]:
    """Returns the picture, and how many products were summed for it."""
    depth, x, products = len(layers) // 2, image, 0
    skips = []
    for level in range(depth):
        kernel, bias = layers[f"down{level}"]
        x = functional.conv2d(functional.leaky_relu(x, 0.2) if level else x, kernel, bias, stride=2, padding=1)
        products += math.prod(x.shape[2:]) * kernel.numel()
        skips.append(x)
    for level in reversed(range(depth)):
        kernel, bias = layers[f"up{level}"]
        products += math.prod(x.shape[2:]) * kernel.numel()
        x = functional.conv_transpose2d(functional.relu(x), kernel, bias, stride=2, padding=1)
        if level:
            x = torch.cat([x, skips[level - 1]], 1)
    return torch.tanh(x), products


def recorded(layers: Layers, image: torch.Tensor) -> Callable[[], torch.Tensor]:
    """Returns a function that runs the model by playing a CUDA graph of one run."""
    beside = torch.cuda.Stream()
    beside.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(beside):  # what libraries prepare at first cannot be recorded
        for _ in range(3):
            unet(layers, image)
    torch.cuda.current_stream().wait_stream(beside)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        picture, _ = unet(layers, image)

    def play() -> torch.Tensor:
        graph.replay()
        return picture

    return play


def main() -> None:
    """Loads the weights, runs the model, serves."""
    folder, how = Path(sys.argv[1]), sys.argv[2]
    device = "cpu" if how == "cpu" else "cuda"
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
    layers = layers_of(folder, device)
    side = json.loads((folder / "about.json").read_text())["image_texels"]
    image = torch.from_numpy(np.fromfile(folder / "input.bin", np.float32).reshape(1, 3, side, side)).to(device)

    def about() -> dict[str, object]:
        return {
            "driver": torch.cuda.get_device_name() if device == "cuda" else f"{os.cpu_count()} cores",
            "version": f"PyTorch {torch.__version__}",
            "parameters": sum(part.numel() for parts in layers.values() for part in parts),
            "macs": unet(layers, image)[1],
        }

    with torch.inference_mode():
        compute = recorded(layers, image) if how == "graph" else lambda: unet(layers, image)[0]

        def run() -> NDArray[np.float32]:
            return np.asarray(compute().cpu().numpy())

        serve(about, run)


if __name__ == "__main__":
    main()
