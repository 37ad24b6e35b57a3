"""Writes the models and weights of the right pipelines: `python -m tests.faults.fresh.heads._make_models`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper, parser

_HERE = Path(__file__).parent
_OPSET = '<ir_version: 11, opset_import: ["": 23]>\n'

_DECODER = """decoder (float[9, 18] x) => (float[9, 18] y)
<int64[1] zero = {0}, int64[1] qk_end = {36}, int64[1] all_end = {48}, int64[1] q_end = {24}, int64[1] one = {1},
 int64[3] six = {9, 6, 6}, int64[2] flat_qk = {9, 36}, int64[3] as_q = {9, 4, 6}, int64[3] as_kv = {9, 2, 6},
 int64[4] shared = {0, 0, 1, 1}, float scaling = {0.40824829}, float away = {-10000.0}, int64[2] flat_q = {9, 24}>
{
    n = RMSNormalization <axis = -1, epsilon = 0.03> (x, g1)
    qkv = Gemm <transB = 1> (n, Wqkv, bqkv)
    qk = Slice (qkv, zero, qk_end, one)
    qk6 = Reshape (qk, six)
    a, b = Split <axis = 2, num_outputs = 2> (qk6)
    ac = Mul (a, cosine)
    bs = Mul (b, sine)
    bc = Mul (b, cosine)
    as = Mul (a, sine)
    ra = Sub (ac, bs)
    rb = Add (bc, as)
    rab = Concat <axis = 2> (ra, rb)
    rot = Reshape (rab, flat_qk)
    q = Slice (rot, zero, q_end, one)
    k = Slice (rot, q_end, qk_end, one)
    q4 = Reshape (q, as_q)
    k2 = Reshape (k, as_kv)
    k4 = Gather <axis = 1> (k2, shared)
    qt = Transpose <perm = [1, 0, 2]> (q4)
    kt = Transpose <perm = [1, 2, 0]> (k4)
    dots = MatMul (qt, kt)
    scaled = Mul (dots, scaling)
    s = Where (causal, scaled, away)
    p = Softmax <axis = -1> (s)
    v = Slice (qkv, qk_end, all_end, one)
    v2 = Reshape (v, as_kv)
    v4 = Gather <axis = 1> (v2, shared)
    vt = Transpose <perm = [1, 0, 2]> (v4)
    pv = MatMul (p, vt)
    pvt = Transpose <perm = [1, 0, 2]> (pv)
    ctx = Reshape (pvt, flat_q)
    o = Gemm <transB = 1> (ctx, Wo)
    h = Add (x, o)
    m = RMSNormalization <axis = -1, epsilon = 0.03> (h, g2)
    gate = Gemm <transB = 1> (m, W1)
    up = Gemm <transB = 1> (m, W3)
    share = Sigmoid (gate)
    silu = Mul (gate, share)
    ff = Mul (silu, up)
    down = Gemm <transB = 1> (ff, W2)
    y = Add (h, down)
}
"""

_CROSS = """cross (float[7, 12] y, float[11, 10] memory, float[1, 11] keep) => (float[7, 12] out)
<int64[3] as_q = {7, 3, 4}, int64[3] as_k = {11, 3, 4}, float half = {0.5}, float away = {-10000.0},
 float middle = {0.5}, int64[2] flat = {7, 12}>
{
    pre = LayerNormalization <axis = -1, epsilon = 0.02> (y, g1, b1)
    q = Gemm <transB = 1> (pre, Wq, bq)
    k = Gemm <transB = 1> (memory, Wk, bk)
    v = Gemm <transB = 1> (memory, Wv, bv)
    q3 = Reshape (q, as_q)
    k3 = Reshape (k, as_k)
    v3 = Reshape (v, as_k)
    qt = Transpose <perm = [1, 0, 2]> (q3)
    kt = Transpose <perm = [1, 2, 0]> (k3)
    vt = Transpose <perm = [1, 0, 2]> (v3)
    dots = MatMul (qt, kt)
    scaled = Mul (dots, half)
    kept = Greater (keep, middle)
    score = Where (kept, scaled, away)
    share = Softmax <axis = -1> (score)
    pv = MatMul (share, vt)
    pvt = Transpose <perm = [1, 0, 2]> (pv)
    ctx = Reshape (pvt, flat)
    o = Gemm <transB = 1> (ctx, Wo, bo)
    sum = Add (y, o)
    mixed = LayerNormalization <axis = -1, epsilon = 0.02> (sum, g2, b2)
    both = Gemm <transB = 1> (mixed, Wi, bi)
    value, gate = Split <axis = 1, num_outputs = 2> (both)
    curve = Gelu <approximate = "tanh"> (gate)
    geglu = Mul (value, curve)
    down = Gemm <transB = 1> (geglu, Wd, bd)
    out = Add (mixed, down)
}
"""

_BANDED = """banded (float[13, 10] x) => (float[13, 18] ctx)
<int64[4] as_heads = {1, 13, 5, 6}, int64[3] parts = {3, 1, 1}, float scaling = {0.8}, float cap = {2.5},
 float away = {-10000.0}, int64[2] flat = {13, 18}, int64[1] zero = {0},
 int64[1] keys = {13}, int64[1] last = {3}>
{
    all = Gemm <transB = 1> (x, W)
    all4 = Reshape (all, as_heads)
    heads = Transpose <perm = [0, 2, 1, 3]> (all4)
    q, k, v = Split <axis = 1> (heads, parts)
    qn = RMSNormalization <axis = -1, epsilon = 0.01> (q, gq)
    kn = RMSNormalization <axis = -1, epsilon = 0.01> (k, gk)
    unit = Concat <axis = 1> (qn, kn)
    kt = Transpose <perm = [0, 1, 3, 2]> (kn)
    dots = MatMul (qn, kt)
    scaled = Mul (dots, scaling)
    small = Div (scaled, cap)
    bent = Tanh (small)
    capped = Mul (bent, cap)
    biased = Add (capped, alibi)
    scores = Where (band, biased, away)
    longer = Concat <axis = 3> (scores, sink)
    shares = Softmax <axis = 3> (longer)
    probs = Slice (shares, zero, keys, last)
    pv = MatMul (probs, v)
    pvt = Transpose <perm = [0, 2, 1, 3]> (pv)
    merged = Reshape (pvt, flat)
    opening = Gemm <transB = 1> (x, Wg, bg)
    open = Sigmoid (opening)
    ctx = Mul (merged, open)
}
"""


def _write(folder: str, text: str, weights: dict[str, np.ndarray]) -> None:
    model = parser.parse_model(_OPSET + text)
    model.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in weights.items())
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, _HERE / folder / "model.onnx")


def _noise(random: np.random.Generator, shape: tuple[int, ...], scale: float, middle: float = 0.0) -> np.ndarray:
    return (middle + scale * random.standard_normal(shape)).astype(np.float32)


def _decoder(random: np.random.Generator) -> None:
    places = np.arange(4, 13, dtype=np.float64)[:, None, None]
    angles = places * 60.0 ** (-np.arange(3) / 3.0)
    _write(
        "decoder",
        _DECODER,
        {
            "g1": _noise(random, (18,), 0.3, 1.1),
            "Wqkv": _noise(random, (48, 18), 0.35),
            "bqkv": _noise(random, (48,), 0.4),
            "cosine": np.cos(angles).astype(np.float32),
            "sine": np.sin(angles).astype(np.float32),
            "causal": np.tril(np.ones((9, 9), bool)),
            "Wo": _noise(random, (18, 24), 0.3),
            "g2": _noise(random, (18,), 0.3, 0.9),
            "W1": _noise(random, (26, 18), 0.3),
            "W3": _noise(random, (26, 18), 0.3),
            "W2": _noise(random, (18, 26), 0.3),
        },
    )


def _cross(random: np.random.Generator) -> None:
    _write(
        "cross",
        _CROSS,
        {
            "g1": _noise(random, (12,), 0.3, 1.1),
            "b1": _noise(random, (12,), 0.3),
            "Wq": _noise(random, (12, 12), 0.4),
            "bq": _noise(random, (12,), 0.4),
            "Wk": _noise(random, (12, 10), 0.4),
            "bk": _noise(random, (12,), 0.4),
            "Wv": _noise(random, (12, 10), 0.4),
            "bv": _noise(random, (12,), 0.4),
            "Wo": _noise(random, (12, 12), 0.4),
            "bo": _noise(random, (12,), 0.4),
            "g2": _noise(random, (12,), 0.3, 0.9),
            "b2": _noise(random, (12,), 0.3),
            "Wi": _noise(random, (28, 12), 0.4),
            "bi": _noise(random, (28,), 0.4),
            "Wd": _noise(random, (12, 14), 0.3),
            "bd": _noise(random, (12,), 0.4),
        },
    )
    keep = np.ones((1, 11), np.float32)
    keep[0, [3, 7, 10]] = 0.0
    np.save(_HERE / "cross" / "keep.npy", keep)


def _banded(random: np.random.Generator) -> None:
    ago = np.arange(13)[:, None] - np.arange(13)
    slopes = 2.0 ** (-8.0 * (np.arange(3) + 1) / 3.0)
    _write(
        "banded",
        _BANDED,
        {
            "W": _noise(random, (30, 10), 0.4),
            "gq": _noise(random, (6,), 0.3, 1.2),
            "gk": _noise(random, (6,), 0.3, 0.9),
            "alibi": (-slopes[None, :, None, None] * ago).astype(np.float32),
            "band": (ago >= 0) & (ago < 5),
            "sink": np.repeat(_noise(random, (1, 3, 1, 1), 0.6, 0.4), 13, axis=2),
            "Wg": _noise(random, (18, 10), 0.4),
            "bg": _noise(random, (18,), 0.4),
        },
    )


def _save(folder: str, weights: dict[str, np.ndarray]) -> None:
    for name, array in weights.items():
        np.save(_HERE / folder / f"{name}.npy", array)


def main() -> None:
    """Writes every model."""
    random = np.random.default_rng(23)
    _decoder(random)
    _cross(random)
    _banded(random)
    _save(
        "shifted",
        {
            "gamma": _noise(random, (1, 10), 0.3, 1.0),
            "beta": _noise(random, (1, 10), 0.3),
            "wqkv": _noise(random, (30, 10), 0.45),
            "bqkv": _noise(random, (1, 30), 0.4),
            "table": _noise(random, (15, 2), 0.7),
            "wo": _noise(random, (10, 10), 0.4),
            "bo": _noise(random, (1, 10), 0.4),
        },
    )
    _save(
        "vit",
        {
            "wp": _noise(random, (14, 36), 0.3),
            "bp": _noise(random, (1, 14), 0.4),
            "cls": _noise(random, (1, 14), 0.8),
            "pos": _noise(random, (16, 14), 0.5),
            "ln": _noise(random, (2, 14), 0.3, 0.8),
            "wqkv": _noise(random, (42, 14), 0.3),
            "wo": _noise(random, (14, 14), 0.4),
            "bo": _noise(random, (1, 14), 0.3),
            "ls": _noise(random, (1, 14), 0.3, 0.7),
            "w1": _noise(random, (22, 14), 0.3),
            "b1": _noise(random, (1, 22), 0.3),
            "w2": _noise(random, (14, 22), 0.3),
            "b2": _noise(random, (1, 14), 0.3),
        },
    )


if __name__ == "__main__":
    main()
