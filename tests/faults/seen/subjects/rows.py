"""Shaders written by hand for `tests.faults.seen_styles`: unrolled taps, helper functions, shares of the texture."""

from __future__ import annotations

from functools import cache

import numpy as np

from layouts.row_major_rgba import RowMajorRgba
from tests.faults import models
from tests.faults.models import Array, layer, noise
from tests.faults.models_more import conv_of, single
from tests.faults.subjects import Bound, Stage, Subject, written


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
def attention_getx() -> Subject:
    """Two heads of four queries and five keys, six long."""
    inputs = {"q": noise(2, 4, 6, seed=1), "k": noise(2, 6, 5, seed=2)}
    layers = [layer("MatMul", "q", "k", to="product"), layer("Mul", "product", "scale")]
    model = models.model("Scores 2x4x5", layers, inputs, {"scale": np.array(0.40824829, dtype=np.float32)})
    samplers: dict[str, str | Bound] = {name: Bound(name, "tfjs_unpacked") for name in ("q", "k")}
    return written(model, Stage("seen/attention_getx.frag", samplers, layout="tfjs_unpacked"))


@cache
def flatten_dense() -> Subject:
    """Flatten and Gemm of 60 to 7, leaky ReLU."""
    constants = {"w": noise(60, 7, seed=1, scale=0.4), "b": noise(7, seed=2)}
    layers = [
        layer("Flatten", "x", to="flat"),
        layer("Gemm", "flat", "w", "b", to="sum"),
        layer("LeakyRelu", "sum", alpha=0.05),
    ]
    model = models.model("Flatten and dense 3x4x5 to 7", layers, {"x": noise(1, 3, 4, 5)}, constants)
    samplers: dict[str, str | Bound] = {
        "t_features": "x", "t_w": Bound("w", "tfjs_unpacked"), "t_b": Bound("b", "tfjs_unpacked"),
    }  # fmt: skip
    return written(model, Stage("seen/flatten_dense.frag", samplers, layout="tfjs_unpacked"))


@cache
def residual_prelu() -> Subject:
    """Two pictures: 1x1 convolution of four to six channels, a second input added, PRelu."""
    constants = {
        "w": noise(6, 4, 1, 1, seed=1), "b": noise(6, seed=2, scale=1.5),
        "slope": noise(6, 1, 1, seed=3, scale=0.3, shift=0.2),
    }  # fmt: skip
    layers = [
        layer("Conv", "x", "w", "b", to="conv"),
        layer("Add", "conv", "skip", to="sum"),
        layer("PRelu", "sum", "slope"),
    ]
    inputs = {"x": noise(2, 4, 5, 6, scale=1.5), "skip": noise(2, 6, 5, 6, seed=4, scale=1.5)}
    model = models.model("Residual block 2x4x5x6, PRelu", layers, inputs, constants)
    samplers: dict[str, str | Bound] = {
        "u_inner": "x", "u_skip": "skip", "u_w": Bound("w", "filter_tiles"), "u_b": "b", "u_slope": "slope",
    }  # fmt: skip
    return written(model, Stage("seen/residual_prelu.frag", samplers))


@cache
def avgpool_uv() -> Subject:
    """AveragePool 3x3 of stride 2 and padding 1, padding not counted; three channels of odd size."""
    model = models.pool("AveragePool", (1, 3, 7, 9))
    stage = Stage("seen/avgpool_uv.frag", {"source": "x"}, uniforms={"u_in": (9.0, 7.0), "u_out": (5.0, 4.0)})
    return written(model, stage)


@cache
def deconv_gather() -> Subject:
    """ConvTranspose 3x3 of stride 3, padding 1, two groups of three inputs and two outputs."""
    model = conv_of(
        (1, 6, 4, 5), (6, 2, 3, 3), bias=False, op_type="ConvTranspose", strides=(3, 3), pads=(1, 1, 1, 1), group=2
    )
    samplers: dict[str, str | Bound] = {"u_x": "x", "u_w": Bound("w", "filter_tiles")}
    return written(model, Stage("seen/deconv_gather.frag", samplers))


@cache
def maxpool_lanes() -> Subject:
    """MaxPool 2x2 of stride 2, four channels, on flat memory."""
    model = single("MaxPool", (1, 4, 6, 8), kernel_shape=(2, 2), strides=(2, 2))
    stage = Stage("seen/maxpool_lanes.frag", {"u_data": Bound("x", "row_major_rgba")}, layout=RowMajorRgba(width=3))
    return written(model, stage)
