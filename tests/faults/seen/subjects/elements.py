"""Normalisations, activations and joins, written by hand in several styles."""

from __future__ import annotations

from functools import cache

import numpy as np

from tests.faults import models
from tests.faults.models import Shape, group_norm, layer, noise
from tests.faults.subjects import Bound, Samplers, Stage, Subject, Uniforms, written
from texelscope.layouts.grid import Grid, ceil_div


@cache
def batchnorm_tiles(epsilon: float = 1e-3, slope: float = 0.2) -> Subject:
    """Builds batch normalisation and leaky ReLU."""
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
def concat_tiles(channels: Shape = (3, 2, 4)) -> Subject:
    """Builds three pictures joined along the channels."""
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
def crelu_rgba() -> Subject:
    """Builds four channels above zero and, turned round, below it."""
    layers = [
        layer("Relu", "x", to="p"),
        layer("Neg", "x", to="n"),
        layer("Relu", "n", to="q"),
        layer("Concat", "p", "q", axis=1),
    ]
    model = models.model("Concatenated ReLU 1x4x5x6", layers, {"x": noise(1, 4, 5, 6, scale=1.5)}, {})
    bound = Bound("x", "channel_tiles_rgba")
    return written(model, Stage("seen/crelu_rgba.frag", {"features": bound}, layout="channel_tiles_rgba"))


@cache
def flipped_batches(batch: int = 3, channels: int = 5) -> Subject:
    """Builds batches in reverse, negated, with four channels in a texel."""
    layers = [layer("Gather", "x", "last_first", to="g", axis=0), layer("Neg", "g")]
    weights = {"last_first": np.arange(batch)[::-1].copy()}
    inputs = {"x": noise(batch, channels, 4, 6)}
    model = models.model(f"Batches in reverse {batch}x{channels}x4x6", layers, inputs, weights)
    columns = Grid.of(batch * ceil_div(channels, 4)).columns
    uniforms: Uniforms = {"u_size": (6, 4), "u_columns": columns, "u_batch": batch, "u_channels": channels}
    samplers: Samplers = {"t_x": Bound("x", "channel_tiles_rgba")}
    stage = Stage("seen/flipped_batches.frag", samplers, layout="channel_tiles_rgba", uniforms=uniforms)
    return written(model, stage)


@cache
def leaky_uv(shape: Shape = (1, 5, 6, 7)) -> Subject:
    """Builds leaky ReLU at interpolated coordinates."""
    model = models.pointwise("LeakyRelu", shape, alpha=0.3)
    return written(model, Stage("seen/leaky_uv.frag", {"u_picture": "x"}, vertex="seen/uv.vert"))


@cache
def leaky_uv_rgba(shape: Shape = (1, 6, 5, 7)) -> Subject:
    """Builds leaky ReLU on four channels a texel, in GLSL ES."""
    model = models.pointwise("LeakyRelu", shape, alpha=0.3)
    bound = Bound("x", "channel_tiles_rgba")
    stage = Stage(
        "seen/leaky_uv_rgba.frag", {"u_picture": bound}, layout="channel_tiles_rgba", vertex="seen/uv_es.vert"
    )
    return written(model, stage)


@cache
def group_norm_tiles(scale: float = 0.3, shift: float = 0.0) -> Subject:
    """Two groups of three channels, of small variance."""
    model = group_norm((1, 6, 5, 4), 2, epsilon=0.01, scale=scale, shift=shift)
    samplers: Samplers = {"t_x": "x", "t_scale": "scale", "t_shift": "shift"}
    return written(model, Stage("seen/group_norm_tiles.frag", samplers))


@cache
def scale_shift_es() -> Subject:
    """Two pictures of five channels, times a factor and plus a shift a channel."""
    constants = {"factor": noise(5, 1, 1, seed=1), "shift": noise(5, 1, 1, seed=2)}
    layers = [layer("Mul", "x", "factor", to="scaled"), layer("Add", "scaled", "shift")]
    model = models.model("Scale and shift 2x5x4x7", layers, {"x": noise(2, 5, 4, 7, scale=1.5)}, constants)
    samplers: Samplers = {"pictures": "x", "factors": "factor", "shifts": "shift"}
    return written(model, Stage("seen/scale_shift_es.frag", samplers))


@cache
def residual_prelu() -> Subject:
    """Builds two pictures: 1x1 convolution of four to six channels, a second input added, PRelu."""
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
