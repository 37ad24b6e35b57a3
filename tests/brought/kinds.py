"""Lists shaders in the style of those that people bring, the models that they compute, and what a person fills in.

The shaders are written as their authors write them: cut from JavaScript, printed by a compiler, with the macros, the
names and the orders of weights of an engine.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray

from tests.brought.models import ModelText, columns, numbers
from texelscope.pipeline.atomic_files import write_text_whole

_SHADERS = Path(__file__).with_name("shaders")
# The torus of the automata, and the picture that others read.
# What keeps a driver from rounding what a sampler reads, in GLSL ES.
_HIGHP = ("precision highp float;", "precision highp sampler2D;")
_STATE, _PICTURE = (1, 12, 16, 20), (1, 4, 14, 18)


@dataclass(frozen=True)
class Brought:
    """One kind: its files, the first of which is opened, its model, and fields that are filled in, by name.

    `arrays` are .npy files that a person has beside the shader, and `edit` is a line that is added to the shader behind
    another one.
    """

    name: str
    files: tuple[str, ...]
    model: Callable[[], onnx.ModelProto]
    typed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    arrays: Callable[[], Mapping[str, NDArray[Any]]] = dict
    edit: tuple[str, str] | None = None

    def lay_out(self, folder: Path) -> Path:
        """Puts the files, the model and the arrays into a folder; returns the shader that is opened."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in self.files:
            shutil.copy(_SHADERS / name, folder / name)
        onnx.save(self.model(), folder / "model.onnx")
        for name, values in self.arrays().items():
            np.save(folder / name, values)
        return folder / self.files[0]

    def apply_edit(self, folder: Path) -> None:
        """Adds the line to the shader, if there is one."""
        if self.edit is not None:
            shader, (behind, line) = folder / self.files[0], self.edit
            write_text_whole(shader, shader.read_text().replace(f"{behind}\n", f"{behind}\n{line}\n", 1))


def _perceived() -> onnx.ModelProto:
    kernels = [
        np.array([-1, 0, 1, -2, 0, 2, -1, 0, 1]) / 8,
        np.array([-1, -2, -1, 0, 0, 0, 1, 2, 1]) / 8,
        np.array([1, 2, 1, 2, -12, 2, 1, 2, 1]) / 16,
    ]
    sine, cosine = np.sin(0.5), np.cos(0.5)
    turned = [kernels[0] * cosine - kernels[1] * sine, kernels[0] * sine + kernels[1] * cosine, kernels[2]]
    text = ModelText("state", _STATE)
    padded = text.node("Pad", "state", text.constant([0, 0, 1, 1, 0, 0, 1, 1], "pads", "int64"), mode="wrap")
    weights = [
        text.constant(np.tile(each.reshape(1, 1, 3, 3), (12, 1, 1, 1)), f"w{at}") for at, each in enumerate(turned)
    ]
    bands = [text.node("Conv", padded, weight, group=12) for weight in weights]
    return text.model(text.node("Concat", "state", *bands, axis=1, name="perception"))


def _hexells() -> onnx.ModelProto:
    lists = numbers(_SHADERS / "hexells.frag", "mat4(")
    here, around, change = (columns(each)[:, :, None, None] for each in lists)
    laplacian = np.array([0, 1, 0, 1, -4, 1, 0, 1, 0]).reshape(1, 1, 3, 3)
    text = ModelText("state", (1, 4, 16, 20))
    padded = text.node("Pad", "state", text.constant([0, 0, 1, 1, 0, 0, 1, 1], "pads", "int64"), mode="wrap")
    spread = text.node("Conv", padded, text.constant(np.tile(laplacian, (4, 1, 1, 1)), "laplacian"), group=4)
    first = text.node("Conv", "state", text.constant(here, "here"), text.constant([0.03, -0.06, 0.12, 0.01], "bias"))
    hidden = text.node("Relu", text.node("Add", first, text.node("Conv", spread, text.constant(around, "around"))))
    changed = text.node("Conv", hidden, text.constant(0.5 * change, "change"))
    return text.model(text.node("Add", "state", changed, name="next_state"))


def _atlas_weights() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    random = np.random.default_rng(5)
    return random.normal(0, 0.2, (16, 12, 3, 3)).astype(np.float32), random.normal(0, 0.2, 16).astype(np.float32)


def _atlas() -> onnx.ModelProto:
    weight, bias = _atlas_weights()
    text = ModelText("encoder_7", (1, 12, 10, 10))
    summed = text.node(
        "Conv", "encoder_7", text.constant(weight, "kernel"), text.constant(bias, "offset"), pads=[1, 1, 1, 1]
    )
    return text.model(text.node("LeakyRelu", summed, alpha=0.2, name="encoder_8"))


def _atlas_texture() -> Mapping[str, NDArray[Any]]:
    weight, bias = _atlas_weights()
    return {"weights.npy": np.concatenate([weight.reshape(16, 108), bias[:, None]], axis=1)}


_FIRST_SIREN = (
    (-2.31, 1.93, 0.62), (1.07, -2.76, -1.15), (3.42, 0.44, 0.27), (-0.58, 3.18, 2.04),
    (0.91, -1.48, -0.83), (-3.05, 0.37, 1.39), (1.66, 2.9, 0.05), (2.23, -2.02, -1.72),
)  # fmt: skip


def _siren() -> onnx.ModelProto:
    left, right = (columns(each) for each in numbers(_SHADERS / "siren.fs", "mat4("))
    first = np.array(_FIRST_SIREN)
    text = ModelText("coords", (1, 2, 24, 32))
    f = text.node("Conv", "coords", text.constant(first[:, :2, None, None], "w0"), text.constant(first[:, 2], "b0"))
    second = np.concatenate([left, right], axis=1)[:, :, None, None]
    f = text.node("Sin", f)
    g = text.node("Sin", text.node(
        "Conv", f, text.constant(second, "w1"), text.constant([0.12, -0.34, 0.56, -0.08], "b1")
    ))  # fmt: skip
    last = np.array([0.43, -0.71, 0.28, 0.59]).reshape(1, 4, 1, 1)
    return text.model(text.node("Conv", g, text.constant(last, "w2"), text.constant([-0.17], "b2"), name="distance"))


def _siren_places() -> Mapping[str, NDArray[Any]]:
    x, y = (np.arange(32) + 0.5) / 32 * 2 - 1, (np.arange(24) + 0.5) / 24 * 2 - 1
    return {"coords.npy": np.stack(np.broadcast_arrays(x[None, :], y[:, None]))[None].astype(np.float32)}


def _view_dependence() -> onnx.ModelProto:
    lists = [columns(each) for each in numbers(_SHADERS / "view_dependence.frag", " mat4(")]
    zero = np.block([[lists[0], lists[2]], [lists[1], lists[3]]])
    one = np.concatenate(lists[4:6], axis=1)[:3]
    text = ModelText("feature0", (1, 4, 20, 24), "feature1")
    both = text.node("Concat", "feature0", "feature1", axis=1)
    scaled = text.node("Sub", text.node("Mul", both, text.constant(2, "two")), text.constant(1, "one"))
    bias = text.constant([0.05, -0.12, 0.2, 0.03, -0.08, 0.15, 0.01, -0.22], "bias0")
    hidden = text.node("Relu", text.node("Conv", scaled, text.constant(zero[:, :, None, None], "w0"), bias))
    last = text.node(
        "Conv", hidden, text.constant(one[:, :, None, None], "w1"), text.constant([-0.1, 0.04, 0.17], "bias1")
    )
    return text.model(text.node("Sigmoid", last, name="colour"))


def _engine_convolution() -> onnx.ModelProto:
    random = np.random.default_rng(7)
    text = ModelText("data", (1, 8, 13, 17))
    weight = text.constant(random.normal(0, 0.2, (12, 8, 3, 3)), "conv_w")
    bias = text.constant(random.normal(0, 0.2, 12), "conv_b")
    summed = text.node("Conv", "data", weight, bias, pads=[1, 1, 1, 1])
    return text.model(text.node("Relu", summed, name="conv_out"))


def _vulkan_relu() -> onnx.ModelProto:
    text = ModelText("blob", (1, 8, 20, 18))
    return text.model(text.node("LeakyRelu", "blob", alpha=0.25, name="activated"))


def _depthwise() -> onnx.ModelProto:
    random = np.random.default_rng(9)
    text = ModelText("x", _PICTURE)
    weight = text.constant(random.normal(0, 0.3, (4, 1, 3, 3)), "dw.weight")
    bias = text.constant(random.normal(0, 0.3, 4), "dw.bias")
    summed = text.node("Conv", "x", weight, bias, pads=[1, 1, 1, 1], group=4)
    return text.model(text.node("LeakyRelu", summed, alpha=0.1, name="y"))


def _im2col() -> onnx.ModelProto:
    random = np.random.default_rng(11)
    text = ModelText("input_1", (1, 6, 7, 9))
    weight = text.constant(random.normal(0, 0.2, (10, 6, 3, 3)), "conv2d_1/kernel")
    bias = text.constant(random.normal(0, 0.2, 10), "conv2d_1/bias")
    return text.model(text.node("Conv", "input_1", weight, bias, pads=[1, 1, 1, 1], name="conv2d_1"))


def _index_maps() -> Mapping[str, NDArray[Any]]:
    height, width, channels = 7, 9, 6
    y, x, ky, kx, c = np.meshgrid(*(np.arange(n) for n in (height, width, 3, 3, channels)), indexing="ij")
    row, column = y + ky - 1, x + kx - 1
    is_inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
    rows, channel = np.where(is_inside, row * width + column, -1), np.where(is_inside, c, -1)
    return {
        "rows.npy": rows.reshape(height * width, -1).astype(np.int32),
        "cols.npy": channel.reshape(height * width, -1).astype(np.int32),
    }


def _godot() -> onnx.ModelProto:
    random = np.random.default_rng(13)
    text = ModelText("frame", (1, 3, 19, 21))
    weight = text.constant(random.normal(0, 0.2, (3, 3, 3, 3)), "kernel")
    bent = text.node("Tanh", text.node("Conv", "frame", weight, pads=[1, 1, 1, 1]))
    return text.model(text.node("Mul", bent, text.constant(1.5, "gain"), name="styled"))


def _four_buffers() -> onnx.ModelProto:
    edge = columns(numbers(_SHADERS / "common.glsl", "mat4(")[0])
    wide = np.repeat(edge[:, :, None] / 9, 9, axis=2).reshape(4, 4, 3, 3)
    text = ModelText("feed", (1, 4, 22, 26))
    wide_name, point = text.constant(wide, "edge9"), text.constant(edge[:, :, None, None], "edge")
    a = text.node("Conv", "feed", wide_name, pads=[1, 1, 1, 1], name="buffer_a")
    low = text.node("Sub", text.node("Conv", a, wide_name, pads=[1, 1, 1, 1]), text.constant(0.02, "floor"))
    b = text.node("Relu", low, name="buffer_b")
    c = text.node("Add", a, text.node("Mul", b, text.constant(0.5, "half")), name="buffer_c")
    return text.model(text.node("Tanh", text.node("Conv", c, point), name="buffer_d"))


KINDS = (
    Brought("webgl1_automaton", ("perceive.frag",), _perceived, {
        "perceive.uniforms.u_angle": "0.5",
        "pipeline.model": "model.onnx",
    }),
    Brought("automaton_of_literals", ("hexells.frag",), _hexells, {
        "pipeline.model": "model.onnx",
        "hexells.uniforms.u_frame": "frame + 1",
    }, edit=_HIGHP),
    Brought("atlas_network", ("atlas_layer.frag",), _atlas, {
        "atlas_layer.textures.Weights": "weights.npy",
        "atlas_layer.uniforms.SourceRect": "[0, 0, 80, 20]",
        "atlas_layer.uniforms.TileSide": "10",
        "pipeline.model": "model.onnx",
    }, _atlas_texture),
    Brought("siren", ("siren.fs",), _siren, {
        "pipeline.model": "model.onnx",
        "coords.source": "coords.npy",
    }, _siren_places),
    Brought("baked_radiance", ("view_dependence.frag",), _view_dependence, {
        "pipeline.model": "model.onnx",
        "feature0.dtype": "uint8",
        "feature1.dtype": "uint8",
    }, edit=_HIGHP),
    Brought("engine_gl_kernel", ("conv_kernel.comp",), _engine_convolution, {
        "conv_kernel.defines.RELU": "true",
        "pipeline.model": "model.onnx",
    }),
    Brought("engine_vulkan_kernel", ("vulkan_relu.comp",), _vulkan_relu, {
        "pipeline.model": "model.onnx",
    }),
    Brought("hlsl_through_spirv", ("spirv_cross.frag",), _depthwise, {
        "pipeline.model": "model.onnx",
    }),
    Brought("index_maps", ("im2col.frag",), _im2col, {
        "im2col.textures.rowIndexMap": "rows.npy",
        "im2col.textures.colIndexMap": "cols.npy",
        "im2col.uniforms.use_bias": "true",
        "pipeline.model": "model.onnx",
    }, _index_maps, _HIGHP),
    Brought("godot_compute", ("godot_layer.glsl",), _godot, {
        "godot_layer.push.gain": "1.5",
        "pipeline.model": "model.onnx",
    }),
    Brought("shadertoy_buffers", (
        "buffer_a.glsl", "buffer_b.glsl", "buffer_c.glsl", "buffer_d.glsl", "common.glsl"
    ), _four_buffers, {
        "pipeline.shaders": "buffer_a.glsl buffer_b.glsl buffer_c.glsl buffer_d.glsl",
        "pipeline.model": "model.onnx",
    }),
)  # fmt: skip
