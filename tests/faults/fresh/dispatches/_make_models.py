"""Writes the models of the right pipelines: `python -m tests.faults.fresh.dispatches._make_models`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper, parser

_HERE = Path(__file__).parent
_OPSET = '<ir_version: 9, opset_import: ["": 20]>\n'

_PACKED = """packed (float[1, 8, 17, 19] x) => (float[1, 20, 5, 5] excited)
{
    stem_sum = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (x, stem_w, stem_b)
    stem = LeakyRelu <alpha = 0.15> (stem_sum)
    depthwise = Conv <pads = [2, 2, 2, 2], dilations = [2, 2], group = 12> (stem, dw_w, dw_b)
    point_sum = Conv (depthwise, pw_w, pw_b)
    point = Clip (point_sum, low, high)
    pooled = AveragePool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (point)
    squeezed = GlobalAveragePool (point)
    flat = Flatten (squeezed)
    gate_sum = Gemm <transB = 1> (flat, fc_w, fc_b)
    gate = Sigmoid (gate_sum)
    factor = Reshape (gate, factor_shape)
    excited = Mul (pooled, factor)
}
"""

_SLICES = """slices (float[1, 6, 9, 14] x) => (float[1, 14, 7, 5] peak)
{
    grouped_sum = Conv <group = 3, strides = [1, 2], pads = [2, 1, 1, 0]> (x, g_w, g_b)
    grouped = Elu <alpha = 0.8> (grouped_sum)
    deconv = ConvTranspose <strides = [2, 2], pads = [1, 1, 1, 1]> (grouped, d_w, d_b)
    enlarged = Resize <mode = "linear", coordinate_transformation_mode = "align_corners"> (grouped, , , sizes)
    joined = Concat <axis = 1> (deconv, enlarged)
    normal = BatchNormalization <epsilon = 0.02> (joined, bn_scale, bn_shift, bn_mean, bn_var)
    fused = PRelu (normal, slope)
    peak = MaxPool <kernel_shape = [3, 2], strides = [2, 3], pads = [0, 0, 0, 0]> (fused)
}
"""

_TRANSFORMER = """transformer (float[11, 24] x) => (float[11, 40] hidden)
<float eps = {0.04}, float scale = {0.35355339}, int64[1] last = {-1}, int64[3] heads = {11, 3, 8},
 int64[2] rows = {11, 24}>
{
    mean = ReduceMean (x, last)
    away = Sub (x, mean)
    squared = Mul (away, away)
    variance = ReduceMean (squared, last)
    safe = Add (variance, eps)
    deviation = Sqrt (safe)
    inverse = Reciprocal (deviation)
    unit = Mul (away, inverse)
    scaled = Mul (unit, gamma)
    normal = Add (scaled, beta)
    product = MatMul (normal, w_qkv)
    qkv = Add (product, b_qkv)
    q, k, v = Split <axis = 1, num_outputs = 3> (qkv)
    q3 = Reshape (q, heads)
    k3 = Reshape (k, heads)
    v3 = Reshape (v, heads)
    qh = Transpose <perm = [1, 0, 2]> (q3)
    kh = Transpose <perm = [1, 2, 0]> (k3)
    vh = Transpose <perm = [1, 0, 2]> (v3)
    dots = MatMul (qh, kh)
    scaled_dots = Mul (dots, scale)
    scores = Add (scaled_dots, relative)
    top = ReduceMax (scores, last)
    lowered = Sub (scores, top)
    powers = Exp (lowered)
    total = ReduceSum (powers, last)
    shares = Div (powers, total)
    mixed = MatMul (shares, vh)
    merged = Transpose <perm = [1, 0, 2]> (mixed)
    context = Reshape (merged, rows)
    out_product = MatMul (context, w_out)
    out_sum = Add (out_product, b_out)
    attended = Add (out_sum, x)
    up_product = MatMul (attended, w_up)
    up_sum = Add (up_product, b_up)
    hidden = Gelu <approximate = "tanh"> (up_sum)
}
"""

_SAMPLING = """sampling (float[1, 5, 9, 13] x, float[1, 7, 11, 2] grid) => (float[1, 5, 7, 11] warped,
    float[1, 5, 6, 9] cubic, float[1, 5, 13, 8] linear, float[1, 5, 9, 13] response)
{
    linear = Resize <mode = "linear", coordinate_transformation_mode = "half_pixel"> (x, , , linear_sizes)
    cubic = Resize <mode = "cubic", coordinate_transformation_mode = "half_pixel", cubic_coeff_a = -0.5>
        (x, , , cubic_sizes)
    warped = GridSample <mode = "linear", padding_mode = "zeros", align_corners = 0> (x, grid)
    response = LRN <size = 3, alpha = 0.6, beta = 0.75, bias = 1.3> (x)
}
"""


def _write(folder: str, text: str, weights: dict[str, np.ndarray]) -> None:
    model = parser.parse_model(_OPSET + text)
    model.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in weights.items())
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, _HERE / folder / "model.onnx")


def _noise(random: np.random.Generator, shape: tuple[int, ...], scale: float, middle: float = 0.0) -> np.ndarray:
    return (middle + scale * random.standard_normal(shape)).astype(np.float32)


def _write_convolutions(random: np.random.Generator) -> None:
    _write(
        "packed",
        _PACKED,
        {
            "stem_w": _noise(random, (12, 8, 3, 3), 0.13),
            "stem_b": _noise(random, (12,), 0.4),
            "dw_w": _noise(random, (12, 1, 3, 3), 0.4),
            "dw_b": _noise(random, (12,), 0.4),
            "pw_w": _noise(random, (20, 12, 1, 1), 0.3),
            "pw_b": _noise(random, (20,), 0.4),
            "fc_w": _noise(random, (20, 20), 0.5),
            "fc_b": _noise(random, (20,), 0.5),
            "low": np.array(-0.45, np.float32),
            "high": np.array(1.1, np.float32),
            "factor_shape": np.array([1, 20, 1, 1], np.int64),
        },
    )
    _write(
        "slices",
        _SLICES,
        {
            "g_w": _noise(random, (9, 2, 5, 3), 0.2),
            "g_b": _noise(random, (9,), 0.4),
            "d_w": _noise(random, (9, 5, 3, 4), 0.25),
            "d_b": _noise(random, (5,), 0.4),
            "sizes": np.array([1, 9, 15, 14], np.int64),
            "bn_scale": _noise(random, (14,), 0.4, 1.0),
            "bn_shift": _noise(random, (14,), 0.4),
            "bn_mean": _noise(random, (14,), 0.4),
            "bn_var": random.uniform(0.1, 1.5, 14).astype(np.float32),
            "slope": random.uniform(0.05, 0.5, (14, 1, 1)).astype(np.float32),
        },
    )


def _write_transformer(random: np.random.Generator) -> None:
    _write(
        "transformer",
        _TRANSFORMER,
        {
            "gamma": _noise(random, (24,), 0.4, 1.0),
            "beta": _noise(random, (24,), 0.4),
            "w_qkv": _noise(random, (24, 72), 0.25),
            "b_qkv": _noise(random, (72,), 0.4),
            "relative": _noise(random, (3, 11, 11), 0.8),
            "w_out": _noise(random, (24, 24), 0.25),
            "b_out": _noise(random, (24,), 0.4),
            "w_up": _noise(random, (24, 40), 0.25),
            "b_up": _noise(random, (40,), 0.4),
        },
    )


def main() -> None:
    """Writes every model, and the grid that the warp samples at."""
    random = np.random.default_rng(92)
    _write_convolutions(random)
    _write_transformer(random)
    _write(
        "sampling",
        _SAMPLING,
        {
            "linear_sizes": np.array([1, 5, 13, 8], np.int64),
            "cubic_sizes": np.array([1, 5, 6, 9], np.int64),
        },
    )
    grid = random.uniform(-1.15, 1.15, (1, 7, 11, 2)).astype(np.float32)
    np.save(_HERE / "sampling" / "grid.npy", grid)


if __name__ == "__main__":
    main()
