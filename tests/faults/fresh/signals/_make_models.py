"""Writes the models and the data of the right pipelines: `python -m tests.faults.fresh.signals._make_models`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper, parser

_HERE = Path(__file__).parent
_OPSET = '<ir_version: 9, opset_import: ["": 20]>\n'

_WAVENET = """wavenet (float[1, 3, 53] x) => (float[1, 5, 53] logp)
{
    h0 = Conv <kernel_shape = [2], pads = [1, 0]> (x, wi, bi)
    a0 = Conv <kernel_shape = [3], dilations = [2], pads = [4, 0]> (h0, wg0, bg0)
    f0, g0 = Split <axis = 1, num_outputs = 2> (a0)
    ft0 = Tanh (f0)
    gs0 = Sigmoid (g0)
    z0 = Mul (ft0, gs0)
    r0 = Conv <kernel_shape = [1]> (z0, wr0, br0)
    h1 = Add (r0, h0)
    s0 = Conv <kernel_shape = [1]> (z0, ws0, bs0)
    a1 = Conv <kernel_shape = [3], dilations = [5], pads = [10, 0]> (h1, wg1, bg1)
    f1, g1 = Split <axis = 1, num_outputs = 2> (a1)
    ft1 = Tanh (f1)
    gs1 = Sigmoid (g1)
    z1 = Mul (ft1, gs1)
    s1 = Conv <kernel_shape = [1]> (z1, ws1, bs1)
    s = Add (s1, s0)
    skip = Relu (s)
    logits = Conv <kernel_shape = [1]> (skip, wp, bp)
    logp = LogSoftmax <axis = 1> (logits)
}
"""

_KEYWORDS = """keywords (float[1, 1, 20, 37] power) => (float[1, 6] shares)
<float floor = {0.001}, float eps = {0.02}, int64[1] time = {3}, int64[2] flat = {1, 9}>
{
    raised = Add (power, floor)
    logs = Log (raised)
    mean = ReduceMean (logs, time)
    away = Sub (logs, mean)
    squared = Mul (away, away)
    variance = ReduceMean (squared, time)
    held = Add (variance, eps)
    deviation = Sqrt (held)
    normed = Div (away, deviation)
    c1 = Conv <kernel_shape = [4, 7], strides = [2, 1], pads = [1, 3, 1, 3]> (normed, w1, b1)
    edges = Relu (c1)
    depth = Conv <kernel_shape = [3, 5], dilations = [1, 2], pads = [1, 4, 1, 4], group = 6> (edges, wd, bd)
    point = Conv <kernel_shape = [1, 1]> (depth, wp, bp)
    mixed = HardSwish (point)
    pooled = MaxPool <kernel_shape = [4, 2], strides = [3, 2]> (mixed)
    gap = GlobalAveragePool (pooled)
    vector = Reshape (gap, flat)
    scores = Gemm <transB = 1> (vector, wk, bk)
    shares = Softmax <axis = 1> (scores)
}
"""

_TCN = """tcn (float[1, 10, 1, 45] x) => (float[1, 6, 1, 14] head)
<float eps = {0.01}, int64[1] inner = {2}, int64[1] time = {3}, int64[3] in_groups = {1, 2, 225},
 int64[4] back = {1, 10, 1, 45}>
{
    dc = Conv <kernel_shape = [1, 5], dilations = [1, 2], pads = [0, 8, 0, 0], group = 10> (x, wd, bd)
    dw = PRelu (dc, slope)
    g = Reshape (dw, in_groups)
    mean = ReduceMean (g, inner)
    away = Sub (g, mean)
    squared = Mul (away, away)
    variance = ReduceMean (squared, inner)
    held = Add (variance, eps)
    deviation = Sqrt (held)
    n = Div (away, deviation)
    nb = Reshape (n, back)
    ng = Mul (nb, gamma)
    gn = Add (ng, beta)
    p = Conv <kernel_shape = [1, 1]> (gn, wp, bp)
    pa, pb = Split <axis = 1, num_outputs = 2> (p)
    ps = Sigmoid (pb)
    glu = Mul (pa, ps)
    squeeze = ReduceMean (glu, time)
    e1 = Conv <kernel_shape = [1, 1]> (squeeze, we1, be1)
    hidden = Relu (e1)
    e2 = Conv <kernel_shape = [1, 1]> (hidden, we2, be2)
    excite = HardSigmoid <alpha = 0.25, beta = 0.45> (e2)
    gated = Mul (glu, excite)
    sum = Add (gated, x)
    out = Elu <alpha = 0.8> (sum)
    head = Conv <kernel_shape = [1, 6], strides = [1, 3], pads = [0, 0, 0, 0]> (out, wh, bh)
}
"""

_SHAPES: dict[str, dict[str, tuple[tuple[int, ...], float]]] = {
    "wavenet": {
        "wi": ((7, 3, 2), 0.5), "bi": ((7,), 0.4),
        "wg0": ((14, 7, 3), 0.35), "bg0": ((14,), 0.5),
        "wr0": ((7, 7, 1), 0.5), "br0": ((7,), 0.4),
        "ws0": ((5, 7, 1), 0.7), "bs0": ((5,), 0.4),
        "wg1": ((14, 7, 3), 0.3), "bg1": ((14,), 0.5),
        "ws1": ((5, 7, 1), 0.7), "bs1": ((5,), 0.4),
        "wp": ((5, 5, 1), 0.8), "bp": ((5,), 0.5),
    },
    "keywords": {
        "w1": ((6, 1, 4, 7), 0.3), "b1": ((6,), 0.5),
        "wd": ((6, 1, 3, 5), 0.4), "bd": ((6,), 0.5),
        "wp": ((9, 6, 1, 1), 0.8), "bp": ((9,), 0.6),
        "wk": ((6, 9), 0.5), "bk": ((6,), 0.5),
    },
    "tcn": {
        "wd": ((10, 1, 1, 5), 0.5), "bd": ((10,), 0.4), "slope": ((10, 1, 1), 0.3),
        "gamma": ((10, 1, 1), 0.7), "beta": ((10, 1, 1), 0.4),
        "wp": ((20, 10, 1, 1), 0.5), "bp": ((20,), 0.5),
        "we1": ((5, 10, 1, 1), 0.9), "be1": ((5,), 0.5),
        "we2": ((10, 5, 1, 1), 0.9), "be2": ((10,), 0.4),
        "wh": ((6, 10, 1, 6), 0.3), "bh": ((6,), 0.5),
    },
}  # fmt: skip


def _array(random: np.random.Generator, *shape: int, spread: float = 1.0) -> NDArray[np.float32]:
    return (random.standard_normal(shape) * spread).astype(np.float32)


def _save(name: str, values: NDArray[np.float64] | NDArray[np.float32]) -> None:
    np.save(_HERE / name, values.astype(np.float32))


def _models() -> None:
    for seed, (name, text) in enumerate((("wavenet", _WAVENET), ("keywords", _KEYWORDS), ("tcn", _TCN))):
        random = np.random.default_rng(40 + seed)
        model = parser.parse_model(_OPSET + text)
        model.graph.initializer.extend(
            numpy_helper.from_array(_array(random, *shape, spread=spread), weight)
            for weight, (shape, spread) in _SHAPES[name].items()
        )
        onnx.checker.check_model(model, full_check=True)
        onnx.save(model, _HERE / name / "model.onnx")


def _data() -> None:
    random = np.random.default_rng(50)
    bands = np.linspace(1.2, -1.7, 20)[:, None]
    _save("keywords/power.npy", np.exp(_array(random, 20, 37) * 1.1 + bands).reshape(1, 1, 20, 37))

    time = np.arange(412)
    sound = (
        np.sin(0.31 * time + 0.4) + 0.6 * np.sin(1.13 * time) * np.exp(-time / 200) + 0.3 * _array(random, 412) + 0.1
    )
    _save("melbank/sound.npy", sound[None])
    angle = 2 * np.pi * np.outer(np.arange(60), np.arange(31)) / 60
    _save("melbank/cosines.npy", np.cos(angle))
    _save("melbank/sines.npy", -np.sin(angle))
    edges = np.array([0, 1, 2, 4, 6, 8, 11, 14, 18, 22, 26, 31], dtype=np.float64)
    bins = np.arange(31)[:, None]
    up = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2])
    down = (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    bank = np.maximum(0.0, np.minimum(up, down)) * 2.0 / (edges[2:] - edges[:-2])
    _save("melbank/bank.npy", bank)
    rows = np.arange(10)[:, None]
    _save("melbank/dct.npy", np.sqrt(2 / 10) * np.cos(np.pi * (rows + 0.5) * np.arange(7)[None] / 10))

    _save("ring/history.npy", _array(random, 6, 12))
    _save("ring/frame.npy", _array(random, 6))
    _save("ring/fir_weight.npy", _array(random, 9, 6, 3, spread=0.4))
    _save("ring/fir_bias.npy", _array(random, 9, spread=0.4))
    _save("ring/mean.npy", _array(random, 9, spread=0.5))
    _save("ring/variance.npy", random.random(9) * 1.5 + 0.1)
    _save("ring/taps.npy", _array(random, 9, 2))
    poles = random.random((9, 2)) * 0.5 + 0.2
    sections = np.stack([*_array(random, 3, 9, spread=0.6), -poles.sum(1), poles.prod(1) + 0.05], 1)
    _save("ring/sections.npy", sections)
    _save("ring/query.npy", _array(random, 6, spread=0.6))
    _save("ring/out_weight.npy", _array(random, 7, 15, spread=0.4))
    _save("ring/out_bias.npy", _array(random, 7, spread=0.4))

    _save("stereo/weight.npy", _array(random, 6, 3, 3, 3, spread=0.35))
    _save("stereo/bias.npy", _array(random, 6, spread=0.4))
    left = _array(random, 3, 11, 29)
    left = (left[..., 1:] + left[..., :-1] + np.roll(left, 1, 1)[..., 1:]) * 0.5
    right = np.roll(left, -3, 2) + 0.1 * _array(random, 3, 11, 28)
    _save("stereo/left.npy", left[None, :, :, :19])
    _save("stereo/right.npy", right[None, :, :, :19])


if __name__ == "__main__":
    _models()
    _data()
