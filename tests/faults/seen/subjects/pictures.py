"""More shaders written by hand: macros, matrices of four lanes, getX functions, packed blocks."""

from __future__ import annotations

from functools import cache

from layouts.grid import Grid, ceil_div
from layouts.row_major_rgba import RowMajorRgba
from pipeline.plan import UniformValue
from tests.faults import models
from tests.faults.models import layer, noise
from tests.faults.models_more import conv_of, group_norm, single, whole
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


@cache
def depthwise_es() -> Subject:
    """Depthwise 3x3, stride 2, ReLU; odd height and width."""
    model = models.conv((1, 6, 9, 11), 6, stride=2, group=6, activation="Relu")
    samplers: Samplers = {"image": "x", "kernels": Bound("w", "filter_tiles"), "offsets": "b"}
    return written(model, Stage("seen/depthwise_es.frag", samplers))


@cache
def dense_flat() -> Subject:
    """x · wᵀ + b of 12 inputs and 6 outputs."""
    model = single("Gemm", (4, 12), {"w": noise(6, 12, seed=1), "b": noise(6, seed=2, scale=1.5)}, transB=1)
    samplers: Samplers = {name: Bound(name, "row_major_rgba") for name in ("x", "w", "b")}
    return written(model, Stage("seen/dense_flat.frag", samplers, layout=RowMajorRgba(width=3)))


@cache
def softmax_rgba(scale: float = 2.0) -> Subject:
    """Softmax over six channels."""
    model = models.softmax((1, 6, 4, 5), axis=1, scale=scale)
    samplers: Samplers = {"t_scores": Bound("x", "channel_tiles_rgba")}
    return written(model, Stage("seen/softmax_rgba.frag", samplers, layout="channel_tiles_rgba"))


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
def deconv_flat() -> Subject:
    """Transposed convolution 2x2 of stride 2, three inputs and outputs."""
    model = conv_of((1, 3, 4, 5), (3, 3, 2, 2), op_type="ConvTranspose", strides=(2, 2))
    samplers: Samplers = {
        name: Bound(tensor, "row_major_rgba") for name, tensor in (("data", "x"), ("kernels", "w"), ("offsets", "b"))
    }
    return written(model, Stage("seen/deconv_flat.frag", samplers, layout=RowMajorRgba(width=8)))


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
