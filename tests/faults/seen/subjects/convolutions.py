"""Convolutions and transposed ones, written by hand in several styles."""

from __future__ import annotations

from functools import cache

import numpy as np

from tests.faults import models
from tests.faults.models import Array, Model, conv_of, layer, noise
from tests.faults.subjects import Bound, Samplers, Stage, Subject, Uniforms, grid, shapes, written
from texelscope.layouts.grid import Grid, ceil_div
from texelscope.layouts.row_major_rgba import RowMajorRgba


@cache
def conv_tiles(model: Model | None = None, stride: int = 2, pad: int = 1) -> Subject:
    """The convolution of WebGL demos; by default 4x4, stride 2, as in an image-to-image network."""
    model = model or models.conv((1, 5, 12, 10), 7, 4, stride=2, pads=(1, 1, 1, 1))
    known = shapes(model)
    _, channels, height, width = known["x"]
    outputs, _, kernel, _ = known["w"]
    _, _, out_height, out_width = known["y"]
    uniforms: Uniforms = {
        "u_in_tile": (float(width), float(height)),
        "u_in_grid": grid(channels),
        "u_out_tile": (float(out_width), float(out_height)),
        "u_out_grid": grid(outputs),
        "u_filter_grid": grid(outputs),
        "u_kernel_grid": grid(channels),
        "u_channels": float(channels),
        "u_kernel": float(kernel),
        "u_stride": float(stride),
        "u_pad": float(pad),
    }
    samplers: Samplers = {"u_image": "x", "u_filters": Bound("w", "filter_tiles"), "u_bias": "b"}
    return written(model, Stage("seen/conv_tiles.frag", samplers, uniforms=uniforms))


@cache
def conv_relu_fetch(model: Model | None = None, stride: int = 1, pad: int = 1, dilation: int = 1) -> Subject:
    """Convolution, bias and ReLU in one pass, with integer fetches, batches too."""
    model = model or models.conv((2, 5, 7, 9), 6, 3, activation="Relu")
    known = shapes(model)
    uniforms: Uniforms = {
        "u_x_shape": known["x"],
        "u_y_shape": known["y"],
        "u_w_shape": known["w"],
        "u_stride": (stride, stride),
        "u_pad": (pad, pad),
        "u_dilation": (dilation, dilation),
    }
    samplers: Samplers = {"u_x": "x", "u_w": Bound("w", "filter_tiles"), "u_b": "b"}
    return written(model, Stage("seen/conv_relu_fetch.frag", samplers, uniforms=uniforms))


@cache
def conv_rgba(model: Model | None = None, stride: int = 1, pad: int = 1) -> Subject:
    """Convolution on four channels a texel; neither side a multiple of four."""
    model = model or models.conv((1, 6, 8, 7), 9, 3)
    known = shapes(model)
    _, channels, height, width = known["x"]
    outputs, _, kernel, _ = known["w"]
    _, _, out_height, out_width = known["y"]
    groups = ceil_div(channels, 4)
    uniforms: Uniforms = {
        "u_in_groups": groups,
        "u_in_columns": Grid.of(groups).columns,
        "u_out_columns": Grid.of(ceil_div(outputs, 4)).columns,
        "u_kernel_columns": Grid.of(outputs * groups).columns,
        "u_out_channels": outputs,
        "u_in_size": (width, height),
        "u_out_size": (out_width, out_height),
        "u_taps": kernel,
        "u_step": stride,
        "u_margin": pad,
    }
    samplers: Samplers = {
        "u_src": Bound("x", "channel_tiles_rgba"),
        "u_kernel": Bound("w", "channel_tiles_rgba"),
        "u_bias": Bound("b", "channel_tiles_rgba"),
    }
    return written(model, Stage("seen/conv_rgba.frag", samplers, layout="channel_tiles_rgba", uniforms=uniforms))


@cache
def deconv_tiles() -> Subject:
    """Transposed convolution 4x4 of stride 2."""
    model = models.conv_transpose((1, 5, 6, 5), 3)
    known = shapes(model)
    _, channels, height, width = known["x"]
    _, outputs, out_height, out_width = known["y"]
    uniforms: Uniforms = {
        "u_in_tile": (float(width), float(height)),
        "u_in_grid": grid(channels),
        "u_out_tile": (float(out_width), float(out_height)),
        "u_out_grid": grid(outputs),
        "u_filter_grid": grid(channels),
        "u_kernel_grid": grid(outputs),
        "u_channels": float(channels),
    }
    samplers: Samplers = {"u_image": "x", "u_filters": Bound("w", "filter_tiles"), "u_bias": "b"}
    return written(model, Stage("seen/deconv_tiles.frag", samplers, uniforms=uniforms))


@cache
def grouped_fetch() -> Subject:
    """Convolution 3x3 in two groups."""
    model = models.conv((1, 6, 7, 8), 4, 3, group=2, bias=False)
    per_group = Grid.of(3)
    uniforms: Uniforms = {
        "u_size": (8, 7),
        "u_x_columns": Grid.of(6).columns,
        "u_y_columns": Grid.of(4).columns,
        "u_groups": 2,
        "u_in_channels": 6,
        "u_out_channels": 4,
        "u_w_grid": (Grid.of(4).columns, per_group.columns),
        "u_w_rows": per_group.rows,
    }
    samplers: Samplers = {"u_x": "x", "u_w": Bound("w", "filter_tiles")}
    return written(model, Stage("seen/grouped_fetch.frag", samplers, uniforms=uniforms))


@cache
def conv_macros() -> Subject:
    """Two pictures, 3x3, bias and leaky ReLU."""
    model = models.conv((2, 3, 6, 7), 4, activation="LeakyRelu")
    samplers: Samplers = {"u_x": "x", "u_w": Bound("w", "filter_tiles"), "u_b": "b"}
    return written(model, Stage("seen/conv_macros.frag", samplers))


@cache
def pointwise_rgba(channels: int = 7, outputs: int = 8) -> Subject:
    """1x1 convolution; outputs in fours, inputs by default not."""
    model = conv_of((1, channels, 5, 6), (outputs, channels, 1, 1))
    groups = ceil_div(channels, 4)
    columns = tuple(Grid.of(count).columns for count in (groups, outputs * groups, outputs // 4))
    uniforms: Uniforms = {"u_size": (6, 5), "u_groups": groups, "u_columns": columns}
    samplers: Samplers = {
        name: Bound(tensor, "channel_tiles_rgba") for name, tensor in (("t_x", "x"), ("t_w", "w"), ("t_b", "b"))
    }
    stage = Stage("seen/pointwise_rgba.frag", samplers, layout="channel_tiles_rgba", uniforms=uniforms)
    return written(model, stage)


@cache
def depthwise_es() -> Subject:
    """Depthwise 3x3, stride 2, ReLU; odd height and width."""
    model = models.conv((1, 6, 9, 11), 6, stride=2, group=6, activation="Relu")
    samplers: Samplers = {"image": "x", "kernels": Bound("w", "filter_tiles"), "offsets": "b"}
    return written(model, Stage("seen/depthwise_es.frag", samplers))


@cache
def deconv_flat() -> Subject:
    """Transposed convolution 2x2 of stride 2, three inputs and outputs."""
    model = conv_of((1, 3, 4, 5), (3, 3, 2, 2), op_type="ConvTranspose", strides=(2, 2))
    samplers: Samplers = {
        name: Bound(tensor, "row_major_rgba") for name, tensor in (("data", "x"), ("kernels", "w"), ("offsets", "b"))
    }
    return written(model, Stage("seen/deconv_flat.frag", samplers, layout=RowMajorRgba(width=8)))


@cache
def depthwise_unrolled() -> Subject:
    """Depthwise 3x3 of eight channels, bias, Clip to 0 … 6."""
    constants: dict[str, Array] = {
        "w": noise(8, 1, 3, 3, seed=1, scale=0.7),
        "b": noise(8, seed=2, scale=1.5, shift=1.0),
        "low": np.array(0.0, dtype=np.float32),
        "high": np.array(6.0, dtype=np.float32),
    }
    layers = [
        layer("Conv", "x", "w", "b", to="sum", pads=(1, 1, 1, 1), group=8, kernel_shape=(3, 3)),
        layer("Clip", "sum", "low", "high"),
    ]
    model = models.model("Depthwise 3x3 of 8, ReLU6", layers, {"x": noise(1, 8, 6, 7, scale=2.5)}, constants)
    samplers: dict[str, str | Bound] = {
        "u_image": Bound("x", "channel_tiles_rgba"), "u_kernels": Bound("w", "channel_tiles_rgba"),
        "u_bias": Bound("b", "row_major_rgba"),
    }  # fmt: skip
    return written(model, Stage("seen/depthwise_unrolled.frag", samplers, layout="channel_tiles_rgba"))


@cache
def deconv_gather() -> Subject:
    """ConvTranspose 3x3 of stride 3, padding 1, two groups of three inputs and two outputs."""
    model = conv_of(
        (1, 6, 4, 5), (6, 2, 3, 3), bias=False, op_type="ConvTranspose", strides=(3, 3), pads=(1, 1, 1, 1), group=2
    )
    samplers: dict[str, str | Bound] = {"u_x": "x", "u_w": Bound("w", "filter_tiles")}
    return written(model, Stage("seen/deconv_gather.frag", samplers))
