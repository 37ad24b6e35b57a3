"""Shaders written by hand, in several styles, with the uniforms that they want for a model's shapes."""

from __future__ import annotations

from functools import cache

import numpy as np

from layouts.grid import Grid, ceil_div
from layouts.row_major_rgba import RowMajorRgba
from pipeline.importers.onnx_model import load
from pipeline.plan import UniformValue
from tests.faults import models
from tests.faults.models import Model, Shape
from tests.faults.subjects import Bound, Stage, Subject, written

Uniforms = dict[str, UniformValue]
Samplers = dict[str, str | Bound]


def shapes(model: Model) -> dict[str, Shape]:
    """Logical shape of every tensor of the model."""
    return {name: info.shape for name, info in load(model.proto).tensors.items()}


def grid(count: int) -> tuple[float, float]:
    """Columns and rows of a grid of `count` tiles."""
    made = Grid.of(count)
    return float(made.columns), float(made.rows)


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
def maxpool_rgba() -> Subject:
    """MaxPool 3x3 of stride 2 on four channels a texel."""
    model = models.pool("MaxPool", (1, 7, 9, 10))
    known = shapes(model)
    uniforms: Uniforms = {
        "u_in_size": known["x"][:1:-1],
        "u_out_size": known["y"][:1:-1],
        "u_window": 3,
        "u_step": 2,
        "u_margin": 1,
    }
    samplers: Samplers = {"u_src": Bound("x", "channel_tiles_rgba")}
    return written(model, Stage("seen/maxpool_rgba.frag", samplers, layout="channel_tiles_rgba", uniforms=uniforms))


@cache
def avgpool_fetch() -> Subject:
    """AveragePool 3x3 of stride 2 whose padding does not count."""
    model = models.pool("AveragePool", (1, 5, 9, 12))
    known = shapes(model)
    uniforms: Uniforms = {"u_x_size": known["x"][:1:-1], "u_y_size": known["y"][:1:-1]}
    return written(model, Stage("seen/avgpool_fetch.frag", {"u_x": "x"}, uniforms=uniforms))


@cache
def upsample_uv(factor: int = 2) -> Subject:
    """Nearest upsampling that leaves it to the sampler."""
    model = models.resize((1, 5, 6, 7), scale=factor)
    width, height = grid(5)
    uniforms: Uniforms = {"u_target_texels": (width * factor * 7.0, height * factor * 6.0)}
    return written(model, Stage("seen/upsample_uv.frag", {"u_picture": "x"}, uniforms=uniforms))


@cache
def upsample_srgb() -> Subject:
    """Nearest upsampling of values from 0 to 1."""
    healthy = upsample_uv()
    x = healthy.inputs["x"]
    return healthy.fed(x=1.0 / (1.0 + np.exp(-x)))


@cache
def batchnorm_tiles(epsilon: float = 1e-3, slope: float = 0.2) -> Subject:
    """Batch normalisation and leaky ReLU."""
    model = models.batch_norm((1, 5, 6, 7), epsilon=epsilon, slope=slope)
    uniforms: Uniforms = {
        "u_size": (7, 6),
        "u_columns": Grid.of(5).columns,
        "u_epsilon": epsilon,
        "u_slope": slope,
    }
    samplers: Samplers = {"u_x": "x", "u_scale": "scale", "u_shift": "shift", "u_mean": "mean", "u_variance": "var"}
    return written(model, Stage("seen/batchnorm_tiles.frag", samplers, uniforms=uniforms))


@cache
def softmax_flat(rows: int = 3, length: int = 10, scale: float = 2.0) -> Subject:
    """Softmax of flat rows."""
    model = models.softmax((rows, length), scale=scale)
    samplers: Samplers = {"A": Bound("x", "row_major_rgba")}
    uniforms: Uniforms = {"u_rows": rows, "u_length": length}
    return written(model, Stage("seen/softmax_flat.frag", samplers, layout="row_major_rgba", uniforms=uniforms))


@cache
def concat_tiles(channels: Shape = (3, 2, 4)) -> Subject:
    """Three pictures joined along the channels."""
    model = models.concat(channels)
    first, second, third = channels
    uniforms: Uniforms = {
        "u_first_channels": first,
        "u_second_channels": second,
        "u_third_channels": third,
        "u_tile": (6, 5),
        "u_columns": Grid.of(sum(channels)).columns,
    }
    samplers: Samplers = {"u_first": "a", "u_second": "b", "u_third": "c"}
    return written(model, Stage("seen/concat_tiles.frag", samplers, uniforms=uniforms))


@cache
def gemm_flat(rows: int = 3, inner: int = 10, columns: int = 7) -> Subject:
    """Matrix product plus a row, all flat; the result three texels wide."""
    model = models.gemm(rows, inner, columns)
    layout = RowMajorRgba(width=3)
    uniforms: Uniforms = {"u_inner": inner, "u_columns": columns, "u_count": rows * columns, "u_width": 3}
    samplers: Samplers = {
        name: Bound(tensor, "row_major_rgba") for name, tensor in (("A", "x"), ("B", "w"), ("C", "b"))
    }
    return written(model, Stage("seen/gemm_flat.frag", samplers, layout=layout, uniforms=uniforms))


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
def bilinear_tiles() -> Subject:
    """Bilinear upsampling by hand."""
    model = models.resize((1, 3, 5, 6), mode="linear")
    return written(model, Stage("seen/bilinear_tiles.frag", {"u_image": "x"}, uniforms={"u_in_tile": (6.0, 5.0)}))


@cache
def leaky_uv(shape: Shape = (1, 5, 6, 7)) -> Subject:
    """Leaky ReLU at interpolated coordinates."""
    model = models.pointwise("LeakyRelu", shape, alpha=0.3)
    return written(model, Stage("seen/leaky_uv.frag", {"u_picture": "x"}, vertex="seen/uv.vert"))


@cache
def leaky_uv_rgba(shape: Shape = (1, 6, 5, 7)) -> Subject:
    """Leaky ReLU on four channels a texel, in GLSL ES."""
    model = models.pointwise("LeakyRelu", shape, alpha=0.3)
    bound = Bound("x", "channel_tiles_rgba")
    stage = Stage(
        "seen/leaky_uv_rgba.frag", {"u_picture": bound}, layout="channel_tiles_rgba", vertex="seen/uv_es.vert"
    )
    return written(model, stage)
