"""More shaders written by hand, in other styles than those of the `seen_` modules."""

from __future__ import annotations

from functools import cache

import numpy as np

from layouts.row_major_rgba import RowMajorRgba
from tests.faults import models
from tests.faults.models import Shape, layer, model, noise
from tests.faults.models_more import conv_of, single, whole
from tests.faults.subjects import Bound, Stage, Subject, written

Samplers = dict[str, str | Bound]


def in_layout(layout: str, **tensors: str) -> Samplers:
    """Samplers of tensors that are all in one layout."""
    return {name: Bound(tensor, layout) for name, tensor in tensors.items()}


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
def avgpool_linear() -> Subject:
    """AveragePool 2x2 by the sampler's filter."""
    made = single("AveragePool", (1, 4, 6, 8), kernel_shape=(2, 2), strides=(2, 2))
    samplers: Samplers = {"u_image": Bound("x", filter="linear")}
    return written(made, Stage("held_out/avgpool_linear.frag", samplers, uniforms={"u_image_texels": (16.0, 12.0)}))


@cache
def stretch_getx() -> Subject:
    """Bilinear, asymmetric."""
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
def layernorm_flat(scale: float = 0.2, shift: float = 0.0) -> Subject:
    """Six rows of eight, of small variance."""
    constants = {"gain": noise(8, seed=1, shift=1.0, scale=0.4), "shift": noise(8, seed=2)}
    made = single("LayerNormalization", (6, 8), constants, scale=scale, shift=shift, axis=-1, epsilon=0.01)
    samplers = in_layout("row_major_rgba", rows="x", gain="gain", shift="shift")
    layout = RowMajorRgba(width=4)
    stage = Stage("held_out/layernorm_flat.frag", samplers, layout=layout, uniforms={"eps": 0.01})
    return written(made, stage)


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
def fold_tiles() -> Subject:
    """SpaceToDepth of two channels."""
    made = single("SpaceToDepth", (1, 2, 6, 8), blocksize=2)
    return written(made, Stage("held_out/fold_tiles.frag", {"u_wide": "x"}))


@cache
def scores_geta(columns: int = 5) -> Subject:
    """Three queries of eight, by default five keys."""
    inputs = {"q": noise(3, 8, seed=1), "k": noise(8, columns, seed=2)}
    constants = {"share": np.array(8**-0.5, dtype=np.float32)}
    layers = [layer("MatMul", "q", "k", to="products"), layer("Mul", "products", "share")]
    made = model(f"Scores 3x8x{columns}", layers, inputs, constants)
    samplers = in_layout("tfjs_unpacked", query="q", key="k")
    return written(made, Stage("held_out/scores_geta.frag", samplers, layout="tfjs_unpacked"))


@cache
def hardswish_uv(shape: Shape = (1, 4, 7, 9)) -> Subject:
    """HardSwish of four channels a texel."""
    stage = Stage(
        "held_out/hardswish_uv.frag", in_layout("channel_tiles_rgba", signal="x"), layout="channel_tiles_rgba",
        vertex="held_out/place_es.vert",
    )  # fmt: skip
    return written(single("HardSwish", shape, scale=2.0), stage)


@cache
def mirror_pad() -> Subject:
    """Pad by two, reflected."""
    made = models.pad((1, 3, 5, 6), (0, 0, 2, 2, 0, 0, 2, 2), "reflect")
    return written(
        made, Stage("held_out/mirror_pad.frag", {"u_picture": "x"}, uniforms={"u_tile": (6, 5), "u_border": 2})
    )


@cache
def column_means() -> Subject:
    """ReduceMean over rows, a batch of two."""
    made = single("ReduceMean", (2, 3, 5, 6), {"axes": whole(2)}, keepdims=1)
    stage = Stage(
        "held_out/column_means.frag", in_layout("row_major_rgba", memory="x"), layout=RowMajorRgba(width=3),
        uniforms={"dims": (6, 5, 6), "texels": 3},
    )  # fmt: skip
    return written(made, stage)


@cache
def conv_relu_unpacked() -> Subject:
    """3x3 and ReLU, a batch of two."""
    made = models.conv((2, 2, 6, 8), 4, activation="Relu")
    samplers = in_layout("tfjs_unpacked", t_x="x", t_w="w", t_b="b")
    return written(made, Stage("held_out/conv_relu_unpacked.frag", samplers, layout="tfjs_unpacked"))
