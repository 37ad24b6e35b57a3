"""Writes the models of the right pipelines: `python -m tests.faults.fresh.filters._make_models`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper, parser

_HERE = Path(__file__).parent
_OPSET = '<ir_version: 9, opset_import: ["": 20]>\n'

_CRELU = """crelu (float[1, 3, 11, 14] MAIN) => (float[1, 1, 22, 28] upscaled)
<int64[8] around = {0, 0, 1, 1, 0, 0, 1, 1}, float[4] twice = {1, 1, 2, 2}>
{
    MAIN_p = Pad <mode = "edge"> (MAIN, around)
    conv2d = Conv (MAIN_p, w0, b0)
    pos0 = Relu (conv2d)
    minus0 = Neg (conv2d)
    neg0 = Relu (minus0)
    both0 = Concat <axis = 1> (pos0, neg0)
    both0_p = Pad <mode = "edge"> (both0, around)
    conv2d_1 = Conv (both0_p, w1, b1)
    pos1 = Relu (conv2d_1)
    minus1 = Neg (conv2d_1)
    neg1 = Relu (minus1)
    both1 = Concat <axis = 1> (pos1, neg1)
    all = Concat <axis = 1> (both0, both1)
    conv2d_last = Conv (all, w2, b2)
    shuffled = DepthToSpace <blocksize = 2> (conv2d_last)
    luma = Conv (MAIN, to_luma)
    large = Resize <mode = "linear"> (luma, , twice)
    upscaled = Add (shuffled, large)
}
"""

_TILED = """tiled (float[1, 1, 9, 13] luma) => (float[1, 1, 27, 39] up)
<float[4] thrice = {1, 1, 3, 3}>
{
    h = Conv <pads = [2, 2, 2, 2]> (luma, head_w, head_b)
    head = LeakyRelu <alpha = 0.15> (h)
    b = Conv <dilations = [2, 1], pads = [2, 1, 2, 1]> (head, body_w, body_b)
    body = Relu (b)
    pool = GlobalAveragePool (body)
    s = Conv (pool, squeeze_w, squeeze_b)
    squeezed = Relu (s)
    e = Conv (squeezed, excite_w, excite_b)
    attn = HardSigmoid <alpha = 0.2> (e)
    weighted = Mul (body, attn)
    skip = Add (weighted, head)
    mixed = Conv (skip, mix_w, mix_b)
    detail = DepthToSpace <blocksize = 3> (mixed)
    large = Resize <mode = "linear"> (luma, , thrice)
    up = Add (detail, large)
}
"""

_GATED = """gated (float[1, 3, 10, 14] image) => (float[1, 3, 10, 14] result)
<float eps = {0.02}, int64[1] channels = {1}, int64[8] around = {0, 0, 1, 1, 0, 0, 1, 1}>
{
    folded = SpaceToDepth <blocksize = 2> (image)
    mean = ReduceMean (folded, channels)
    away = Sub (folded, mean)
    squared = Mul (away, away)
    variance = ReduceMean (squared, channels)
    safe = Add (variance, eps)
    deviation = Sqrt (safe)
    unit = Div (away, deviation)
    scaled = Mul (unit, gamma)
    normed = Add (scaled, beta)
    mirrored = Pad <mode = "reflect"> (normed, around)
    deep = Conv <group = 12> (mirrored, deep_w, deep_b)
    one, other = Split <axis = 1, num_outputs = 2> (deep)
    gate = Mul (one, other)
    spread = Conv (gate, spread_w, spread_b)
    damped = Mul (spread, damp)
    mixed = Add (folded, damped)
    average = ReduceMean (mixed, channels)
    largest = ReduceMax (mixed, channels)
    stats = Concat <axis = 1> (average, largest)
    where = Conv <pads = [1, 1, 1, 1]> (stats, where_w, where_b)
    attention = Sigmoid (where)
    attended = Mul (mixed, attention)
    unfolded = DepthToSpace <blocksize = 2> (attended)
    result = Add (unfolded, image)
}
"""

_PYRAMID = """pyramid (float[1, 3, 11, 15] src) => (float[1, 4, 12, 16] share)
<float sharpness = {1.7}>
{
    d = Conv <strides = [2, 2], pads = [1, 1, 1, 1]> (src, down_w, down_b)
    down = PRelu (d, slopes)
    soft = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (down)
    detail = Sub (down, soft)
    up = ConvTranspose <strides = [2, 2], pads = [1, 1, 1, 1]> (detail, up_w, up_b)
    sideways = Conv <group = 2, pads = [0, 1, 0, 1]> (up, side_w, side_b)
    sharper = Mul (sideways, sharpness)
    share = Softmax <axis = 1> (sharper)
}
"""


def _write(folder: str, text: str, weights: dict[str, np.ndarray]) -> None:
    model = parser.parse_model(_OPSET + text)
    model.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in weights.items())
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, _HERE / folder / "model.onnx")


def _noise(random: np.random.Generator, shape: tuple[int, ...], scale: float, middle: float = 0.0) -> np.ndarray:
    """Normal numbers of five decimals, so that they stand in a shader as the model has them."""
    return np.round(middle + scale * random.standard_normal(shape), 5).astype(np.float32)


def main() -> None:
    """Writes every model."""
    random = np.random.default_rng(41)
    _write(
        "crelu",
        _CRELU,
        {
            "w0": _noise(random, (4, 3, 3, 3), 0.3),
            "b0": _noise(random, (4,), 0.2),
            "w1": _noise(random, (4, 8, 3, 3), 0.25),
            "b1": _noise(random, (4,), 0.2),
            "w2": _noise(random, (4, 16, 1, 1), 0.3),
            "b2": _noise(random, (4,), 0.1),
            "to_luma": np.array([0.299, 0.587, 0.114], np.float32).reshape(1, 3, 1, 1),
        },
    )
    _write(
        "tiled",
        _TILED,
        {
            "head_w": _noise(random, (6, 1, 5, 5), 0.3),
            "head_b": _noise(random, (6,), 0.2),
            "body_w": _noise(random, (6, 6, 3, 3), 0.2),
            "body_b": _noise(random, (6,), 0.2),
            "squeeze_w": _noise(random, (4, 6, 1, 1), 0.7),
            "squeeze_b": _noise(random, (4,), 0.3, 0.3),
            "excite_w": _noise(random, (6, 4, 1, 1), 0.7),
            "excite_b": _noise(random, (6,), 0.4),
            "mix_w": _noise(random, (9, 6, 1, 1), 0.4),
            "mix_b": _noise(random, (9,), 0.2),
        },
    )
    _write(
        "gated",
        _GATED,
        {
            "gamma": _noise(random, (12, 1, 1), 0.4, 1.0),
            "beta": _noise(random, (12, 1, 1), 0.3),
            "deep_w": _noise(random, (12, 1, 3, 3), 0.4),
            "deep_b": _noise(random, (12,), 0.3),
            "spread_w": _noise(random, (12, 6, 1, 1), 0.4),
            "spread_b": _noise(random, (12,), 0.2),
            "damp": _noise(random, (12, 1, 1), 0.2, 0.6),
            "where_w": _noise(random, (1, 2, 3, 3), 0.5),
            "where_b": _noise(random, (1,), 0.3),
        },
    )
    _write(
        "pyramid",
        _PYRAMID,
        {
            "down_w": _noise(random, (6, 3, 3, 3), 0.35),
            "down_b": _noise(random, (6,), 0.2),
            "slopes": _noise(random, (6, 1, 1), 0.12, 0.3),
            "up_w": _noise(random, (6, 4, 4, 4), 0.3),
            "up_b": _noise(random, (4,), 0.3),
            "side_w": _noise(random, (4, 2, 1, 3), 0.5),
            "side_b": _noise(random, (4,), 0.2),
        },
    )


if __name__ == "__main__":
    main()
