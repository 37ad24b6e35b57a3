"""Pools and pictures made larger or smaller, written by hand in several styles."""

from __future__ import annotations

from functools import cache

import numpy as np

from tests.faults import models
from tests.faults.models import layer, noise, single, whole
from tests.faults.subjects import Bound, Samplers, Stage, Subject, Uniforms, grid, shapes, written
from texelscope.layouts.row_major_rgba import RowMajorRgba


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
def bilinear_tiles() -> Subject:
    """Bilinear upsampling by hand."""
    model = models.resize((1, 3, 5, 6), mode="linear")
    return written(model, Stage("seen/bilinear_tiles.frag", {"u_image": "x"}, uniforms={"u_in_tile": (6.0, 5.0)}))


@cache
def maxpool_packed() -> Subject:
    """MaxPool 2x2 of stride 2, three channels."""
    model = single("MaxPool", (1, 3, 8, 12), kernel_shape=(2, 2), strides=(2, 2))
    stage = Stage(
        "seen/maxpool_packed.frag", {"A": Bound("x", "tfjs_packed")}, layout="tfjs_packed",
        uniforms={"u_block_rows": (4, 2)},
    )  # fmt: skip
    return written(model, stage)


@cache
def global_mean_rgba() -> Subject:
    """GlobalAveragePool of six channels."""
    model = single("GlobalAveragePool", (1, 6, 5, 7))
    stage = Stage(
        "seen/global_mean_rgba.frag", {"t_x": Bound("x", "channel_tiles_rgba")}, layout="channel_tiles_rgba",
        uniforms={"u_size": (7, 5)},
    )  # fmt: skip
    return written(model, stage)


@cache
def enlarge_rgba() -> Subject:
    """Twice as wide and high, by a sampler that filters."""
    model = models.resize((1, 4, 5, 6), mode="linear")
    samplers: Samplers = {"t_picture": Bound("x", "channel_tiles_rgba", filter="linear")}
    uniforms: Uniforms = {"u_target": (12.0, 10.0)}
    stage = Stage("seen/enlarge_rgba.frag", samplers, layout="channel_tiles_rgba", uniforms=uniforms)
    return written(model, stage)


@cache
def triple_tiles() -> Subject:
    """Nearest, by three, two pictures of two channels."""
    return written(models.resize((2, 2, 4, 5), scale=3), Stage("seen/triple_tiles.frag", {"u_pixels": "x"}))


@cache
def corners_tiles() -> Subject:
    """Bilinear to 7x9, corners aligned."""
    node = layer("Resize", "x", "", "", "sizes", mode="linear", coordinate_transformation_mode="align_corners")
    model = models.model(
        "Resize 1x3x4x5 to 7x9, corners aligned", [node], {"x": noise(1, 3, 4, 5)}, {"sizes": whole(1, 3, 7, 9)}
    )
    return written(model, Stage("seen/corners_tiles.frag", {"u_image": "x"}))


@cache
def avgpool_uv() -> Subject:
    """AveragePool 3x3 of stride 2 and padding 1, padding not counted; three channels of odd size."""
    model = models.pool("AveragePool", (1, 3, 7, 9))
    stage = Stage("seen/avgpool_uv.frag", {"source": "x"}, uniforms={"u_in": (9.0, 7.0), "u_out": (5.0, 4.0)})
    return written(model, stage)


@cache
def maxpool_lanes() -> Subject:
    """MaxPool 2x2 of stride 2, four channels, on flat memory."""
    model = single("MaxPool", (1, 4, 6, 8), kernel_shape=(2, 2), strides=(2, 2))
    stage = Stage("seen/maxpool_lanes.frag", {"u_data": Bound("x", "row_major_rgba")}, layout=RowMajorRgba(width=3))
    return written(model, stage)
