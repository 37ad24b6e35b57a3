"""More shaders written by hand, in other styles than those of `seen_subjects`."""

from __future__ import annotations

from functools import cache

from layouts.grid import Grid
from pipeline.plan import UniformValue
from tests.faults import models
from tests.faults.models import Model, Shape
from tests.faults.seen.subjects.convolutions import grid, shapes
from tests.faults.subjects import Bound, Stage, Subject, written

Uniforms = dict[str, UniformValue]


@cache
def conv_getx() -> Subject:
    """Dilated convolution, bias and leaky ReLU as a code generator writes it; one value a texel."""
    model = models.conv((1, 3, 8, 9), 4, 3, dilation=2, activation="LeakyRelu")
    samplers = {name: Bound(tensor, "tfjs_unpacked") for name, tensor in (("x", "x"), ("W", "w"), ("bias", "b"))}
    return written(model, Stage("held_out/conv_getx.frag", samplers, layout="tfjs_unpacked"))


@cache
def conv_blocks(model: Model | None = None, padding: int = 1) -> Subject:
    """Convolution on 2x2 blocks; odd height and width."""
    model = model or models.conv((1, 4, 7, 9), 3, 3)
    known = shapes(model)
    uniforms: Uniforms = {
        "u_input": known["x"][1:],
        "u_result": known["y"][1:],
        "u_kernel": known["w"][2:],
        "u_padding": padding,
    }
    samplers = {
        "t_input": Bound("x", "tfjs_packed"),
        "t_weight": Bound("w", "tfjs_unpacked"),
        "t_offset": Bound("b", "tfjs_unpacked"),
    }
    return written(model, Stage("held_out/conv_blocks.frag", samplers, layout="tfjs_packed", uniforms=uniforms))


@cache
def deconv_fetch(stride: int = 2, kernel: int = 3, crop: int = 1) -> Subject:
    """Depthwise transposed convolution."""
    model = models.conv_transpose((1, 5, 6, 7), 5, kernel, stride=stride, pad=crop, group=5, bias=False)
    known = shapes(model)
    uniforms: Uniforms = {
        "image_size": (7, 6),
        "result_size": known["y"][:1:-1],
        "kernel_size": kernel,
        "stride": stride,
        "crop": crop,
    }
    stage = Stage("held_out/deconv_fetch.frag", {"image": "x", "kernels": "w"}, uniforms=uniforms)
    return written(model, stage)


@cache
def avgpool_rgba() -> Subject:
    """AveragePool 4x4 of stride 2 whose padding counts."""
    model = models.pool("AveragePool", (1, 6, 8, 10), 4, count_include_pad=1)
    known = shapes(model)
    width, height = grid(2)
    uniforms: Uniforms = {
        "u_source_tile": (10.0, 8.0),
        "u_source_texels": (10.0 * width, 8.0 * height),
        "u_tile": (float(known["y"][3]), float(known["y"][2])),
        "u_window": 4.0,
        "u_stride": 2.0,
        "u_pad": 1.0,
    }
    samplers = {"t_source": Bound("x", "channel_tiles_rgba")}
    return written(model, Stage("held_out/avgpool_rgba.frag", samplers, layout="channel_tiles_rgba", uniforms=uniforms))


@cache
def instance_norm(spread: float = 0.05, shift: float = 0.4) -> Subject:
    """Instance normalisation in two sweeps."""
    model = models.instance_norm((1, 5, 6, 7), epsilon=1e-3, spread=spread, shift=shift)
    uniforms: Uniforms = {"u_tile": (7, 6), "u_columns": Grid.of(5).columns}
    samplers = {"t_x": "x", "t_scale": "scale", "t_bias": "shift"}
    return written(model, Stage("held_out/instance_norm.frag", samplers, uniforms=uniforms))


@cache
def gemm_blocks() -> Subject:
    """Matrix product on 2x2 blocks."""
    model = models.gemm(5, 9, 6)
    samplers = {
        name: Bound(tensor, "tfjs_packed") for name, tensor in (("matrixA", "x"), ("matrixB", "w"), ("addend", "b"))
    }
    return written(model, Stage("held_out/gemm_blocks.frag", samplers, layout="tfjs_packed"))


@cache
def lerp_fetch() -> Subject:
    """Bilinear enlargement by three, with integers."""
    model = models.resize((1, 2, 5, 4), mode="linear", scale=3)
    stage = Stage("held_out/lerp_fetch.frag", {"source": "x"}, uniforms={"source_size": (4, 5), "factor": 3})
    return written(model, stage)


@cache
def conv_flat() -> Subject:
    """Convolution 7x7 of stride 2 on flat memory."""
    model = models.conv((1, 3, 11, 9), 5, 7, stride=2, pads=(3, 3, 3, 3))
    known = shapes(model)
    uniforms: Uniforms = {
        "u_in": tuple(float(side) for side in known["x"][1:]),
        "u_out": tuple(float(side) for side in known["y"][1:]),
        "u_kernel": 7.0,
        "u_stride": 2.0,
        "u_pad": 3.0,
    }
    samplers = {
        name: Bound(tensor, "row_major_rgba") for name, tensor in (("memory", "x"), ("filters", "w"), ("biases", "b"))
    }
    return written(model, Stage("held_out/conv_flat.frag", samplers, layout="row_major_rgba", uniforms=uniforms))


@cache
def prelu_tiles(shape: Shape = (1, 6, 6, 6)) -> Subject:
    """PReLU with a slope a channel."""
    model = models.prelu(shape)
    columns = Grid.of(shape[1]).columns
    uniforms: Uniforms = {"tile_size": (shape[3], shape[2]), "tile_columns": columns, "slope_columns": columns}
    samplers = {"features": "x", "slopes": "slope"}
    return written(model, Stage("held_out/prelu_tiles.frag", samplers, uniforms=uniforms))


@cache
def subtract_uv(shape: Shape = (1, 5, 6, 7)) -> Subject:
    """a − b."""
    model = models.binary("Sub", shape)
    stage = Stage("held_out/subtract_uv.frag", {"left": "a", "right": "b"}, vertex="held_out/place.vert")
    return written(model, stage)


@cache
def softmax_tiles(scale: float = 2.0) -> Subject:
    """Softmax over channels."""
    model = models.softmax((1, 7, 5, 6), axis=1, scale=scale)
    uniforms: Uniforms = {"u_tile": (6, 5), "u_columns": Grid.of(7).columns, "u_channels": 7}
    return written(model, Stage("held_out/softmax_tiles.frag", {"t_x": "x"}, uniforms=uniforms))


@cache
def halve_uv() -> Subject:
    """Every second pixel."""
    model = models.resize((1, 3, 8, 10), scale=0.5)
    return written(model, Stage("held_out/halve_uv.frag", {"picture": "x"}))
