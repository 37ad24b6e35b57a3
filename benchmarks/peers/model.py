"""Writes the model to disk, as every engine reads it: one set of weights, one input, and the amount of work."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from benchmarks import unet
from benchmarks.peers.channels_last import steps_of
from benchmarks.peers.macs import macs

DEPTH, IMAGE_TEXELS = 8, 256
# The operators mean the same since opset 11, and some engines know no newer one.
OPSET = 12


@dataclass(frozen=True)
class About:
    """The contents of `about.json`: what is run, the names of its input and output, and its amount of work."""

    title: str
    given: str
    given_shape: tuple[int, ...]
    made: str
    parameters: int
    macs: int


@dataclass(frozen=True)
class UNetLayers:
    """More contents of `about.json`, for those who build the U-Net in their own layers.

    `channels_last` names the layers in the order of `weights_channels_last.bin`, each with the shapes of its kernel
    [height, width, in, out], of a transposed convolution [height, width, out, in], and of its bias.
    """

    widths: tuple[int, ...]
    image_texels: int
    channels_last: tuple[dict[str, object], ...]


def write_unet(folder: Path, ngf: int) -> About:
    """Writes the U-Net generator as `write_network` does another network, and its layers in place of steps."""
    model = unet.build(ngf=ngf, depth=DEPTH, image_texels=IMAGE_TEXELS)
    model.opset_import[0].version = OPSET
    onnx.checker.check_model(model, full_check=True)
    about = _write(folder, model, f"U-Net generator, ngf {ngf}, {IMAGE_TEXELS}x{IMAGE_TEXELS}")
    weights = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    layers = [node.name for node in model.graph.node if f"{node.name}.weight" in weights]
    with (folder / "weights_channels_last.bin").open("wb") as file:
        for name in layers:
            # Conv [out, in, h, w] and ConvTranspose [in, out, h, w] alike: there the first two come last, turned.
            file.write(np.ascontiguousarray(weights[f"{name}.weight"].transpose(2, 3, 1, 0)).tobytes())
            file.write(weights[f"{name}.bias"].tobytes())
    widths = tuple(min(ngf * 2**level, ngf * 8) for level in range(DEPTH))
    shapes = tuple(_channels_last(name, weights) for name in layers)
    more = asdict(UNetLayers(widths, IMAGE_TEXELS, shapes))
    (folder / "about.json").write_text(json.dumps(asdict(about) | more), encoding="utf-8")
    return about


def write_network(folder: Path, title: str, model: onnx.ModelProto) -> About:
    """Writes `model.onnx`, `input.bin` (float32), and the steps with weights for those who read no ONNX.

    `about.json` tells of it; `steps.json` and `weights_channels_last.bin` are what `channels_last` makes.
    """
    about = _write(folder, model, title)
    steps, weights = steps_of(model)
    (folder / "steps.json").write_text(json.dumps(asdict(steps)), encoding="utf-8")
    with (folder / "weights_channels_last.bin").open("wb") as file:
        for array in weights:
            file.write(array.tobytes())
    (folder / "about.json").write_text(json.dumps(asdict(about)), encoding="utf-8")
    return about


def _write(folder: Path, model: onnx.ModelProto, title: str) -> About:
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    given = model.graph.input[0]
    shape = tuple(size.dim_value for size in given.type.tensor_type.shape.dim)
    random = np.random.default_rng(1)
    # Pictures are positive; embedded tokens are around zero.
    values = random.random(shape, np.float32) if len(shape) == 4 else random.standard_normal(shape, np.float32)
    (folder / "input.bin").write_bytes(values.tobytes())
    parameters = sum(math.prod(each.dims) for each in model.graph.initializer)
    return About(title, given.name, shape, model.graph.output[0].name, parameters, macs(model))


def _channels_last(name: str, weights: Mapping[str, NDArray[np.float32]]) -> dict[str, object]:
    first, second, height, width = weights[f"{name}.weight"].shape
    return {"name": name, "shapes": [[height, width, second, first], list(weights[f"{name}.bias"].shape)]}
