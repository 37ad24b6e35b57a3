"""Matrix products, softmax and means over rows, written by hand in several styles."""

from __future__ import annotations

from functools import cache

import numpy as np

from tests.faults import models
from tests.faults.models import layer, model, noise, single, whole
from tests.faults.subjects import Bound, Stage, Subject, Uniforms, in_layout, written
from texelscope.layouts.grid import Grid
from texelscope.layouts.row_major_rgba import RowMajorRgba


@cache
def gemm_blocks() -> Subject:
    """Matrix product on 2x2 blocks."""
    model = models.gemm(5, 9, 6)
    samplers = {
        name: Bound(tensor, "tfjs_packed") for name, tensor in (("matrixA", "x"), ("matrixB", "w"), ("addend", "b"))
    }
    return written(model, Stage("held_out/gemm_blocks.frag", samplers, layout="tfjs_packed"))


@cache
def softmax_tiles(scale: float = 2.0) -> Subject:
    """Softmax over channels."""
    model = models.softmax((1, 7, 5, 6), axis=1, scale=scale)
    uniforms: Uniforms = {"u_tile": (6, 5), "u_columns": Grid.of(7).columns, "u_channels": 7}
    return written(model, Stage("held_out/softmax_tiles.frag", {"t_x": "x"}, uniforms=uniforms))


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
def scores_geta(columns: int = 5) -> Subject:
    """Three queries of eight, by default five keys."""
    inputs = {"q": noise(3, 8, seed=1), "k": noise(8, columns, seed=2)}
    constants = {"share": np.array(8**-0.5, dtype=np.float32)}
    layers = [layer("MatMul", "q", "k", to="products"), layer("Mul", "products", "share")]
    made = model(f"Scores 3x8x{columns}", layers, inputs, constants)
    samplers = in_layout("tfjs_unpacked", query="q", key="k")
    return written(made, Stage("held_out/scores_geta.frag", samplers, layout="tfjs_unpacked"))


@cache
def column_means() -> Subject:
    """ReduceMean over rows, a batch of two."""
    made = single("ReduceMean", (2, 3, 5, 6), {"axes": whole(2)}, keepdims=1)
    stage = Stage(
        "held_out/column_means.frag", in_layout("row_major_rgba", memory="x"), layout=RowMajorRgba(width=3),
        uniforms={"dims": (6, 5, 6), "texels": 3},
    )  # fmt: skip
    return written(made, stage)
