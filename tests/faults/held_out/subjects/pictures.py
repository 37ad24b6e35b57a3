"""Pools and pictures made larger or smaller, written by hand in several styles."""

from __future__ import annotations

from functools import cache

import numpy as np

from tests.faults import models
from tests.faults.models import layer, model, noise, single
from tests.faults.subjects import Bound, Samplers, Stage, Subject, Uniforms, grid, in_layout, shapes, written


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
def lerp_fetch() -> Subject:
    """Builds bilinear enlargement by three, with integers."""
    model = models.resize((1, 2, 5, 4), mode="linear", scale=3)
    stage = Stage("held_out/lerp_fetch.frag", {"source": "x"}, uniforms={"source_size": (4, 5), "factor": 3})
    return written(model, stage)


@cache
def halve_uv() -> Subject:
    """Builds every second pixel."""
    model = models.resize((1, 3, 8, 10), scale=0.5)
    return written(model, Stage("held_out/halve_uv.frag", {"picture": "x"}))


@cache
def avgpool_linear() -> Subject:
    """Builds AveragePool 2x2 by the sampler's filter."""
    made = single("AveragePool", (1, 4, 6, 8), kernel_shape=(2, 2), strides=(2, 2))
    samplers: Samplers = {"u_image": Bound("x", filter="linear")}
    return written(made, Stage("held_out/avgpool_linear.frag", samplers, uniforms={"u_image_texels": (16.0, 12.0)}))


@cache
def stretch_getx() -> Subject:
    """Builds bilinear, asymmetric."""
    node = layer("Resize", "x", "", "scales", mode="linear", coordinate_transformation_mode="asymmetric")
    scales = {"scales": np.array([1, 1, 2, 2], dtype=np.float32)}
    made = model("Resize 1x3x4x5 linear asymmetric", [node], {"x": noise(1, 3, 4, 5)}, scales)
    stage = Stage("held_out/stretch_getx.frag", in_layout("tfjs_unpacked", x="x"), layout="tfjs_unpacked")
    return written(made, stage)


@cache
def triple_rgba() -> Subject:
    """Nearest, by three, two groups of channels."""
    made = models.resize((1, 6, 4, 5), scale=3)
    stage = Stage(
        "held_out/triple_rgba.frag", in_layout("channel_tiles_rgba", picture="x"), layout="channel_tiles_rgba"
    )
    return written(made, stage)


@cache
def fold_tiles() -> Subject:
    """Builds SpaceToDepth of two channels."""
    made = single("SpaceToDepth", (1, 2, 6, 8), blocksize=2)
    return written(made, Stage("held_out/fold_tiles.frag", {"u_wide": "x"}))


@cache
def mirror_pad() -> Subject:
    """Pad by two, reflected."""
    made = models.pad((1, 3, 5, 6), (0, 0, 2, 2, 0, 0, 2, 2), "reflect")
    return written(
        made, Stage("held_out/mirror_pad.frag", {"u_picture": "x"}, uniforms={"u_tile": (6, 5), "u_border": 2})
    )
