"""Writes the models and weights of the right pipelines: `python -m tests.faults.fresh.sequences._make_models`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper, parser

_HERE = Path(__file__).parent
_OPSET = '<ir_version: 9, opset_import: ["": 20]>\n'

_LSTM = """lstm (float[4, 9] x, float[4, 11] h, float[4, 11] c) => (float[4, 11] hidden, float[4, 7] logp)
<float lo = {-1.25}, float hi = {1.25}, int64[1] one = {1}>
{
    gx = Gemm <transB = 1> (x, W, b)
    gh = Gemm <transB = 1> (h, R)
    gates = Add (gx, gh)
    i, f, g, o = Split <axis = 1, num_outputs = 4> (gates)
    ic = Mul (pi, c)
    fc = Mul (pf, c)
    ip = Add (i, ic)
    fp = Add (f, fc)
    is = Sigmoid (ip)
    fs = Sigmoid (fp)
    gt = Tanh (g)
    kept = Mul (fs, c)
    taken = Mul (is, gt)
    cell = Add (kept, taken)
    oc = Mul (po, cell)
    op = Add (o, oc)
    os = Sigmoid (op)
    ct = Tanh (cell)
    hidden = Mul (os, ct)
    sums = Gemm <transB = 1> (hidden, V, d)
    proj = Clip (sums, lo, hi)
    lse = ReduceLogSumExp (proj, one)
    logp = Sub (proj, lse)
}
"""

_CONVGRU = """convgru (float[1, 5, 6, 9] x, float[1, 8, 6, 9] h) => (float[1, 8, 6, 9] normed)
<int64[2] grouped = {2, -1}, int64[4] whole = {1, 8, 6, 9}, int64[1] last = {1}, float eps = {0.02},
 float one = {1}>
{
    zx = Conv <pads = [1, 1, 1, 1]> (x, Wx, b_zr)
    zh = Conv <pads = [1, 1, 1, 1]> (h, Wh)
    zr_sum = Add (zx, zh)
    zr = Sigmoid (zr_sum)
    z, r = Split <axis = 1, num_outputs = 2> (zr)
    nx = Conv <pads = [1, 1, 1, 1]> (x, Ux, b_n)
    rh = Mul (r, h)
    nh = Conv <pads = [1, 1, 1, 1]> (rh, Uh)
    n_sum = Add (nx, nh)
    cand = Tanh (n_sum)
    step = Sub (cand, h)
    moved = Mul (z, step)
    hnew = Add (h, moved)
    groups = Reshape (hnew, grouped)
    mu = ReduceMean (groups, last)
    away = Sub (groups, mu)
    squared = Mul (away, away)
    variance = ReduceMean (squared, last)
    held = Add (variance, eps)
    deviation = Sqrt (held)
    rstd = Div (one, deviation)
    moments = Concat <axis = 1> (mu, rstd)
    m, s = Split <axis = 1, num_outputs = 2> (moments)
    centred = Sub (groups, m)
    unit = Mul (centred, s)
    unit4 = Reshape (unit, whole)
    scaled = Mul (unit4, gamma)
    normed = Add (scaled, beta)
}
"""

_TCN = """tcn (float[1, 6, 41] frames, float[12, 6, 3] v, float[12, 1, 1] g) => (float[1, 14] pooled)
<int64[2] inner = {1, 2}, int64[1] time = {2}, float floor = {0.001}>
{
    squares = Mul (v, v)
    norm2 = ReduceSum (squares, inner)
    norm = Sqrt (norm2)
    weight_scale = Div (g, norm)
    weight = Mul (v, weight_scale)
    causal = Conv <pads = [8, 0], dilations = [4]> (frames, weight, bias1)
    signal, gate = Split <axis = 1, num_outputs = 2> (causal)
    signal_t = Tanh (signal)
    gate_s = Sigmoid (gate)
    gated = Mul (signal_t, gate_s)
    mixed = Conv (gated, w2, bias2)
    residual = Add (mixed, frames)
    spliced = Conv <dilations = [3], strides = [2]> (residual, w3, bias3)
    active = Relu (spliced)
    tdnn = BatchNormalization <epsilon = 0.005> (active, bn_gain, bn_shift, running_mean, running_var)
    mean3 = ReduceMean (tdnn, time)
    apart = Sub (tdnn, mean3)
    apart2 = Mul (apart, apart)
    var3 = ReduceMean (apart2, time)
    held = Add (var3, floor)
    std3 = Sqrt (held)
    both = Concat <axis = 1> (mean3, std3)
    pooled = Flatten (both)
}
"""

_NORMS = """norms (float[2, 9, 7, 5] x) => (float[2, 9, 7, 5] rms)
<int64[1] width = {3}, int64[3] all = {0, 2, 3}, int64[2] rows = {0, 2}, float eps = {0.01}, float five = {5},
 int64[1] channels = {1}, float small = {0.003}>
{
    rowsum = ReduceSum (x, width)
    rowmean = ReduceMean (rowsum, rows)
    mean = Div (rowmean, five)
    away = Sub (x, mean)
    away2 = Mul (away, away)
    var = ReduceMean (away2, all)
    held = Add (var, eps)
    std = Sqrt (held)
    unit = Div (away, std)
    scaled = Mul (unit, gamma)
    shifted = Add (scaled, beta)
    bn = LeakyRelu <alpha = 0.15> (shifted)
    lrn = LRN <size = 5, alpha = 0.6, beta = 0.75, bias = 1.5> (bn)
    lrn2 = Mul (lrn, lrn)
    power = ReduceMean (lrn2, channels)
    power_held = Add (power, small)
    root = Sqrt (power_held)
    level = Div (lrn, root)
    rms = Mul (level, rms_weight)
}
"""

_Random = np.random.Generator


def _normal(random: _Random, *shape: int, scale: float) -> NDArray[np.float32]:
    return (scale * random.standard_normal(shape)).astype(np.float32)


def _around(random: _Random, *shape: int) -> NDArray[np.float32]:
    """Gains: of either sign of change around one, none near zero."""
    return random.uniform(0.5, 1.7, shape).astype(np.float32)


def _save(text: str, weights: dict[str, NDArray[np.float32]], folder: str) -> None:
    model = parser.parse_model(_OPSET + text)
    model.graph.initializer.extend(numpy_helper.from_array(values, name) for name, values in weights.items())
    onnx.save(onnx.shape_inference.infer_shapes(model, strict_mode=True), str(_HERE / folder / "model.onnx"))


def _save_cells(random: _Random) -> None:
    _save(
        _LSTM,
        {
            "W": _normal(random, 44, 9, scale=0.4),
            "R": _normal(random, 44, 11, scale=0.35),
            "b": _normal(random, 44, scale=0.5),
            "pi": _normal(random, 11, scale=0.6),
            "pf": _normal(random, 11, scale=0.6),
            "po": _normal(random, 11, scale=0.6),
            "V": _normal(random, 7, 11, scale=0.9),
            "d": _normal(random, 7, scale=0.5),
        },
        "lstm",
    )
    _save(
        _CONVGRU,
        {
            "Wx": _normal(random, 16, 5, 3, 3, scale=0.2),
            "Wh": _normal(random, 16, 8, 3, 3, scale=0.15),
            "b_zr": _normal(random, 16, scale=0.6),
            "Ux": _normal(random, 8, 5, 3, 3, scale=0.2),
            "Uh": _normal(random, 8, 8, 3, 3, scale=0.2),
            "b_n": _normal(random, 8, scale=0.5),
            "gamma": _around(random, 8, 1, 1),
            "beta": _normal(random, 8, 1, 1, scale=0.5),
        },
        "convgru",
    )


def _save_moments(random: _Random) -> None:
    _save(
        _TCN,
        {
            "bias1": _normal(random, 12, scale=0.4),
            "w2": _normal(random, 6, 6, 1, scale=0.8),
            "bias2": _normal(random, 6, scale=0.4),
            "w3": _normal(random, 7, 6, 3, scale=0.3),
            "bias3": _normal(random, 7, scale=0.5),
            "running_mean": _normal(random, 7, scale=0.5),
            "running_var": random.uniform(0.05, 0.9, 7).astype(np.float32),
            "bn_gain": _around(random, 7),
            "bn_shift": _normal(random, 7, scale=0.5),
        },
        "tcn",
    )
    _save(
        _NORMS,
        {
            "gamma": _around(random, 9, 1, 1),
            "beta": _normal(random, 9, 1, 1, scale=0.6),
            "rms_weight": _around(random, 9, 1, 1),
        },
        "norms",
    )


def main() -> None:
    """Writes all of them beside this module."""
    random = np.random.default_rng(2207)
    _save_cells(random)
    _save_moments(random)
    arrays = {
        "tcn/v": _normal(random, 12, 6, 3, scale=0.7),
        "tcn/g": _around(random, 12, 1, 1),
        "ssm/Wd": _normal(random, 10, 10, scale=0.3),
        "ssm/bd": _normal(random, 10, scale=0.6),
        "ssm/Alog": random.uniform(-1.5, 0.9, (10, 5)).astype(np.float32),
        "ssm/Dskip": _normal(random, 10, scale=0.9),
        "ssm/Wzc": _normal(random, 20, 10, scale=0.35),
        "linattn/wo": _normal(random, 15, 8, scale=0.5),
        "linattn/bo": _normal(random, 8, scale=0.5),
        "linattn/decay": random.uniform(0.4, 0.95, 3).astype(np.float32),
    }
    for name, values in arrays.items():
        np.save(_HERE / f"{name}.npy", values)


if __name__ == "__main__":
    main()
