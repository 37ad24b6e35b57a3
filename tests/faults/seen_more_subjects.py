"""More shaders written by hand: macros, matrices of four lanes, getX functions, packed blocks."""

from __future__ import annotations

from functools import cache

from layouts.grid import Grid, ceil_div
from pipeline.plan import UniformValue
from tests.faults import models
from tests.faults.models import noise
from tests.faults.models_more import conv_of, single
from tests.faults.subjects import Bound, Stage, Subject, written

Uniforms = dict[str, UniformValue]
Samplers = dict[str, str | Bound]


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
def layernorm_getx() -> Subject:
    """Layer normalisation of rows whose variance is small."""
    constants = {"gamma": noise(10, seed=1, shift=1.0, scale=0.4), "beta": noise(10, seed=2)}
    model = single("LayerNormalization", (2, 3, 10), constants, scale=0.1, axis=-1, epsilon=0.001)
    samplers: Samplers = {name: Bound(name, "tfjs_unpacked") for name in ("x", *constants)}
    return written(model, Stage("seen/layernorm_getx.frag", samplers, layout="tfjs_unpacked"))


@cache
def maxpool_packed() -> Subject:
    """MaxPool 2x2 of stride 2, three channels."""
    model = single("MaxPool", (1, 3, 8, 12), kernel_shape=(2, 2), strides=(2, 2))
    stage = Stage(
        "seen/maxpool_packed.frag", {"A": Bound("x", "tfjs_packed")}, layout="tfjs_packed",
        uniforms={"u_block_rows": (4, 2)},
    )  # fmt: skip
    return written(model, stage)
