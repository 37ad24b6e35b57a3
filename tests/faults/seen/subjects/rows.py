"""Matrix products, softmax and means over rows, written by hand in several styles."""

from __future__ import annotations

from functools import cache

import numpy as np

from tests.faults import models
from tests.faults.models import layer, noise, single, whole
from tests.faults.subjects import Bound, Samplers, Stage, Subject, Uniforms, written
from texelscope.layouts.row_major_rgba import RowMajorRgba


@cache
def softmax_flat(rows: int = 3, length: int = 10, scale: float = 2.0) -> Subject:
    """Softmax of flat rows."""
    model = models.softmax((rows, length), scale=scale)
    samplers: Samplers = {"A": Bound("x", "row_major_rgba")}
    uniforms: Uniforms = {"u_rows": rows, "u_length": length}
    return written(model, Stage("seen/softmax_flat.frag", samplers, layout="row_major_rgba", uniforms=uniforms))


@cache
def gemm_flat(rows: int = 3, inner: int = 10, columns: int = 7) -> Subject:
    """Matrix product plus a row, all flat; the result three texels wide."""
    model = models.gemm(rows, inner, columns)
    layout = RowMajorRgba(width=3)
    uniforms: Uniforms = {"u_inner": inner, "u_columns": columns, "u_count": rows * columns, "u_width": 3}
    samplers: Samplers = {
        name: Bound(tensor, "row_major_rgba") for name, tensor in (("A", "x"), ("B", "w"), ("C", "b"))
    }
    return written(model, Stage("seen/gemm_flat.frag", samplers, layout=layout, uniforms=uniforms))


@cache
def layernorm_getx() -> Subject:
    """Layer normalisation of rows whose variance is small."""
    constants = {"gamma": noise(10, seed=1, shift=1.0, scale=0.4), "beta": noise(10, seed=2)}
    model = single("LayerNormalization", (2, 3, 10), constants, scale=0.1, axis=-1, epsilon=0.001)
    samplers: Samplers = {name: Bound(name, "tfjs_unpacked") for name in ("x", *constants)}
    return written(model, Stage("seen/layernorm_getx.frag", samplers, layout="tfjs_unpacked"))


@cache
def layernorm_nodes() -> Subject:
    """The same of the nodes that exporters write for it."""
    constants = {
        "gamma": noise(10, seed=1, shift=1.0, scale=0.4), "beta": noise(10, seed=2),
        "epsilon": np.full((), 0.001, np.float32), "two": np.full((), 2.0, np.float32),
        "last": whole(-1),
    }  # fmt: skip
    nodes = [
        layer("ReduceMean", "x", "last", to="mean"),
        layer("Sub", "x", "mean", to="away"),
        layer("Pow", "away", "two", to="squares"),
        layer("ReduceMean", "squares", "last", to="variance"),
        layer("Add", "variance", "epsilon", to="sum"),
        layer("Sqrt", "sum", to="deviation"),
        layer("Div", "away", "deviation", to="normal"),
        layer("Mul", "normal", "gamma", to="scaled"),
        layer("Add", "scaled", "beta"),
    ]
    model = models.model("Layer normalisation in nodes", nodes, {"x": noise(2, 3, 10, scale=0.1)}, constants)
    samplers: Samplers = {name: Bound(name, "tfjs_unpacked") for name in ("x", "gamma", "beta")}
    return written(model, Stage("seen/layernorm_getx.frag", samplers, layout="tfjs_unpacked"))


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
