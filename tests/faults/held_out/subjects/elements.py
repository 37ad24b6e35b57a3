"""Normalisations, activations and joins, written by hand in several styles."""

from __future__ import annotations

from functools import cache

import numpy as np

from tests.faults import models
from tests.faults.models import Shape, layer, model, noise, single
from tests.faults.subjects import Stage, Subject, Uniforms, in_layout, written
from texelscope.layouts.grid import Grid


@cache
def instance_norm(spread: float = 0.05, shift: float = 0.4) -> Subject:
    """Instance normalisation in two sweeps."""
    model = models.instance_norm((1, 5, 6, 7), epsilon=1e-3, spread=spread, shift=shift)
    uniforms: Uniforms = {"u_tile": (7, 6), "u_columns": Grid.of(5).columns}
    samplers = {"t_x": "x", "t_scale": "scale", "t_bias": "shift"}
    return written(model, Stage("held_out/instance_norm.frag", samplers, uniforms=uniforms))


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
def lrn_tiles() -> Subject:
    """Over five of seven channels."""
    made = single("LRN", (1, 7, 4, 5), scale=2.0, size=5, alpha=0.6, beta=0.75, bias=2.0)
    return written(made, Stage("held_out/lrn_tiles.frag", {"t_map": "x"}))


@cache
def batchnorm_rgba() -> Subject:
    """Two pictures of six channels, ReLU."""
    source = models.batch_norm((2, 6, 4, 5), epsilon=0.01, slope=0.0)
    constants = {
        "scale": noise(6, seed=1, scale=0.6, shift=0.5),
        "shift": noise(6, seed=2),
        "mean": noise(6, seed=3, scale=0.5),
        "var": (0.05 * (0.5 + np.random.default_rng(6).random(6))).astype(np.float32),
    }
    layers = [
        layer("BatchNormalization", "x", *constants, to="normal", epsilon=0.01),
        layer("Relu", "normal"),
    ]
    made = model("BatchNormalization and Relu 2x6x4x5", layers, source.inputs, constants)
    samplers = in_layout("channel_tiles_rgba", image="x", gamma="scale", beta="shift", average="mean", spread="var")
    return written(made, Stage("held_out/batchnorm_rgba.frag", samplers, layout="channel_tiles_rgba"))


@cache
def join_unpacked() -> Subject:
    """Three channels and two."""
    made = models.concat((3, 2), (4, 5))
    stage = Stage("held_out/join_unpacked.frag", in_layout("tfjs_unpacked", A="a", B="b"), layout="tfjs_unpacked")
    return written(made, stage)


@cache
def hardswish_uv(shape: Shape = (1, 4, 7, 9)) -> Subject:
    """HardSwish of four channels a texel."""
    stage = Stage(
        "held_out/hardswish_uv.frag", in_layout("channel_tiles_rgba", signal="x"), layout="channel_tiles_rgba",
        vertex="held_out/place_es.vert",
    )  # fmt: skip
    return written(single("HardSwish", shape, scale=2.0), stage)
