"""Writes the model to disk, as every engine reads it: one set of weights, one picture, and the amount of work."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper, shape_inference

from benchmarks import unet

DEPTH, IMAGE_TEXELS = 8, 256
# The operators mean the same since opset 11, and some engines know no newer one.
OPSET = 12


@dataclass(frozen=True)
class About:
    """The contents of `about.json`. `macs` are the products summed in one run, those with padding counted in.

    `channels_last` names the layers in the order of `weights_channels_last.bin`, each with the shapes of its kernel
    [height, width, in, out], of a transposed convolution [height, width, out, in], and of its bias.
    """

    ngf: int
    widths: tuple[int, ...]
    image_texels: int
    parameters: int
    macs: int
    channels_last: tuple[dict[str, object], ...]


def write_model(folder: Path, ngf: int) -> About:
    """Writes `model.onnx`, `image.bin` (float32 [1, 3, h, w]), the weights for those who read no ONNX, `about.json`."""
    model = unet.build(ngf=ngf, depth=DEPTH, image_texels=IMAGE_TEXELS)
    model.opset_import[0].version = OPSET
    onnx.checker.check_model(model, full_check=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    picture = np.random.default_rng(1).random((1, 3, IMAGE_TEXELS, IMAGE_TEXELS), np.float32)
    (folder / "image.bin").write_bytes(picture.tobytes())
    weights = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    layers = [node.name for node in model.graph.node if f"{node.name}.weight" in weights]
    with (folder / "weights_channels_last.bin").open("wb") as file:
        for name in layers:
            # Conv [out, in, h, w] and ConvTranspose [in, out, h, w] alike: there the first two come last, turned.
            file.write(np.ascontiguousarray(weights[f"{name}.weight"].transpose(2, 3, 1, 0)).tobytes())
            file.write(weights[f"{name}.bias"].tobytes())
    about = About(
        ngf,
        tuple(min(ngf * 2**level, ngf * 8) for level in range(DEPTH)),
        IMAGE_TEXELS,
        sum(array.size for array in weights.values()),
        macs(model),
        tuple(_channels_last(name, weights[f"{name}.weight"].shape, weights[f"{name}.bias"].shape) for name in layers),
    )
    (folder / "about.json").write_text(json.dumps(asdict(about)), encoding="utf-8")
    return about


def _channels_last(name: str, kernel: tuple[int, ...], bias: tuple[int, ...]) -> dict[str, object]:
    first, second, height, width = kernel
    return {"name": name, "shapes": [[height, width, second, first], list(bias)]}


def macs(model: onnx.ModelProto) -> int:
    """Counts the convolutions' products: a kernel at every place of the output (transposed ones: of the input)."""
    graph = shape_inference.infer_shapes(model).graph
    known = (*graph.input, *graph.output, *graph.value_info)
    shapes = {each.name: [size.dim_value for size in each.type.tensor_type.shape.dim] for each in known}
    shapes |= {each.name: list(each.dims) for each in graph.initializer}
    total = 0
    for node in graph.node:
        if node.op_type in ("Conv", "ConvTranspose"):
            places = shapes[node.output[0] if node.op_type == "Conv" else node.input[0]]
            total += math.prod(places[2:]) * math.prod(shapes[node.input[1]])
    return total
