"""Convolutions and transposed ones, written by hand in several styles."""

from __future__ import annotations

from functools import cache

from tests.faults import models
from tests.faults.models import Model, conv_of
from tests.faults.subjects import Bound, Samplers, Stage, Subject, Uniforms, in_layout, shapes, written
from texelscope.layouts.row_major_rgba import RowMajorRgba


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
def conv_rows_uv() -> Subject:
    """4x4, stride 2, leaky ReLU."""
    made = models.conv((1, 3, 10, 12), 5, 4, stride=2, pads=(1, 1, 1, 1), activation="LeakyRelu")
    samplers: Samplers = {"u_source": "x", "u_filter": Bound("w", "filter_tiles"), "u_offset": "b"}
    return written(made, Stage("held_out/conv_rows_uv.frag", samplers))


@cache
def pointwise_flat() -> Subject:
    """1x1, stride 2, a batch of two."""
    made = conv_of((2, 6, 5, 7), (4, 6, 1, 1), strides=(2, 2))
    samplers = in_layout("row_major_rgba", X="x", W="w", B="b")
    return written(made, Stage("held_out/pointwise_flat.frag", samplers, layout=RowMajorRgba(width=6)))


@cache
def grouped_rgba() -> Subject:
    """3x3 in two groups, padded more above than below."""
    made = conv_of((1, 8, 7, 6), (8, 4, 3, 3), pads=(2, 1, 0, 1), group=2)
    samplers = in_layout("channel_tiles_rgba", uInput="x", uKernel="w", uBias="b")
    return written(made, Stage("held_out/grouped_rgba.frag", samplers, layout="channel_tiles_rgba"))


@cache
def deconv_getdy() -> Subject:
    """3x3, stride 2, a row and a column more at the end."""
    made = conv_of(
        (1, 2, 5, 4), (2, 3, 3, 3), op_type="ConvTranspose", strides=(2, 2), pads=(1, 1, 1, 1), output_padding=(1, 1)
    )
    samplers = in_layout("tfjs_unpacked", dy="x", W="w", bias="b")
    return written(made, Stage("held_out/deconv_getdy.frag", samplers, layout="tfjs_unpacked"))


@cache
def conv_relu_unpacked() -> Subject:
    """3x3 and ReLU, a batch of two."""
    made = models.conv((2, 2, 6, 8), 4, activation="Relu")
    samplers = in_layout("tfjs_unpacked", t_x="x", t_w="w", t_b="b")
    return written(made, Stage("held_out/conv_relu_unpacked.frag", samplers, layout="tfjs_unpacked"))
