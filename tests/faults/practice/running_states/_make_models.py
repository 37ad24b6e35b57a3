"""Writes the models of the right pipelines: `python -m tests.faults.practice.running_states._make_models`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper, parser

_HERE = Path(__file__).parent
_OPSET = '<ir_version: 9, opset_import: ["": 20]>\n'

_GRU = """gru (float[3, 7] x, float[3, 10] h) => (float[3, 6] choice)
<float one = {1}>
{
    gx = Gemm <transB = 1> (x, W, bw)
    gh = Gemm <transB = 1> (h, R, br)
    gx_rz, gx_n = Split <axis = 1> (gx, parts)
    gh_rz, gh_n = Split <axis = 1> (gh, parts)
    rz = Add (gx_rz, gh_rz)
    gates = Sigmoid (rz)
    r, z = Split <axis = 1, num_outputs = 2> (gates)
    scaled = Mul (r, gh_n)
    inner = Add (gx_n, scaled)
    candidate = Tanh (inner)
    keep = Mul (z, h)
    rest = Sub (one, z)
    take = Mul (rest, candidate)
    state = Add (take, keep)
    scores = Gemm (state, V, c)
    choice = Softmax <axis = 1> (scores)
}
"""

_LSTM = """convlstm (float[1, 3, 9, 7] x, float[1, 6, 9, 7] h, float[1, 6, 9, 7] c)
    => (float[1, 6, 9, 7] cell, float[1, 6, 9, 7] hidden)
{
    xh = Concat <axis = 1> (x, h)
    gates = Conv <pads = [1, 1, 1, 1]> (xh, weight, bias)
    i, f, o, g = Split <axis = 1, num_outputs = 4> (gates)
    fs = Sigmoid (f)
    is = Sigmoid (i)
    gt = Tanh (g)
    kept = Mul (fs, c)
    taken = Mul (is, gt)
    cell = Add (kept, taken)
    os = Sigmoid (o)
    ct = Tanh (cell)
    hidden = Mul (os, ct)
}
"""

_NORMS = """norms (float[2, 10, 7, 9] x) => (float[2, 5, 7, 9] gated)
<float eps = {0.01}, int64[2] axes = {2, 3}, int64[3] in_groups = {2, 2, -1}, float[2] ones = {1, 1},
 float[2] zeros = {0, 0}>
{
    mean = ReduceMean (x, axes)
    away = Sub (x, mean)
    squared = Mul (away, away)
    variance = ReduceMean (squared, axes)
    safe = Add (variance, eps)
    deviation = Sqrt (safe)
    unit = Div (away, deviation)
    scaled = Mul (unit, scale)
    shifted = Add (scaled, shift)
    instance = LeakyRelu <alpha = 0.1> (shifted)
    folded = Reshape (instance, in_groups)
    groups = InstanceNormalization <epsilon = 0.02> (folded, ones, zeros)
    shape = Shape (instance)
    unfolded = Reshape (groups, shape)
    by_gamma = Mul (unfolded, gamma)
    grouped = Add (by_gamma, beta)
    response = LRN <size = 5, alpha = 0.3, beta = 0.75, bias = 1.5> (grouped)
    value, gate = Split <axis = 1, num_outputs = 2> (response)
    share = Sigmoid (gate)
    gated = Mul (value, share)
}
"""


def _write(folder: str, text: str, weights: dict[str, np.ndarray]) -> None:
    model = parser.parse_model(_OPSET + text)
    model.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in weights.items())
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, _HERE / folder / "model.onnx")


def _noise(random: np.random.Generator, shape: tuple[int, ...], scale: float, middle: float = 0.0) -> np.ndarray:
    return (middle + scale * random.standard_normal(shape)).astype(np.float32)


def main() -> None:
    """Writes every model."""
    random = np.random.default_rng(14)
    _write(
        "gru",
        _GRU,
        {
            "W": _noise(random, (30, 7), 0.5),
            "R": _noise(random, (30, 10), 0.4),
            "bw": _noise(random, (30,), 0.3),
            "br": _noise(random, (30,), 0.3),
            "V": _noise(random, (10, 6), 0.8),
            "c": _noise(random, (6,), 0.3),
            "parts": np.array([20, 10], np.int64),
        },
    )
    _write(
        "convlstm",
        _LSTM,
        {"weight": _noise(random, (24, 9, 3, 3), 0.2), "bias": _noise(random, (24,), 0.4)},
    )
    _write(
        "norms",
        _NORMS,
        {
            "scale": _noise(random, (10, 1, 1), 0.4, 1.0),
            "shift": _noise(random, (10, 1, 1), 0.4),
            "gamma": _noise(random, (10, 1, 1), 0.4, 1.0),
            "beta": _noise(random, (10, 1, 1), 0.4),
        },
    )


if __name__ == "__main__":
    main()
