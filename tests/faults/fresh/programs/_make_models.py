"""Writes the models of the right pipelines: `python -m tests.faults.fresh.programs._make_models`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper, parser

_HERE = Path(__file__).parent
_OPSET = '<ir_version: 9, opset_import: ["": 20]>\n'

_MOBILE = """mobile (float[1, 5, 13, 10] x) => (float[1, 14, 4, 5] pooled)
<float low = {0}, float high = {6}>
{
    sums = Conv <strides = [2, 2], pads = [1, 0, 1, 1]> (x, stem_w, stem_b)
    stem = Clip (sums, low, high)
    depth = Conv <group = 7, dilations = [2, 1], pads = [2, 1, 2, 1]> (stem, depth_w)
    unit = BatchNormalization <epsilon = 0.02> (depth, gamma, beta, mean, variance)
    normed = LeakyRelu <alpha = 0.2> (unit)
    pooled = AveragePool <kernel_shape = [3, 2], strides = [2, 1], pads = [1, 0, 1, 1]> (normed)
}
"""

_PACKED = """packed (float[11, 13] x, float[9, 6] side) => (float[9, 17] shares)
{
    sums = Gemm (x, weights, bias)
    hidden = Elu <alpha = 0.7> (sums)
    normed = LayerNormalization <axis = -1, epsilon = 0.03> (hidden, gain, offset)
    turned = Transpose <perm = [1, 0]> (normed)
    joined = Concat <axis = 1> (turned, side)
    shares = Softmax <axis = 1> (joined)
}
"""

_MOVES = """moves (float[2, 3, 9, 7] x, float[2, 13, 6, 5] side) => (float[2, 18, 15, 2] summed)
<int64 along = {2}>
{
    mirrored = Pad <mode = "reflect"> (x, pads)
    strided = Slice (mirrored, starts, ends, axes, steps)
    picked = Gather <axis = 1> (strided, chosen)
    stacked = Concat <axis = 1> (picked, side)
    spread = DepthToSpace <blocksize = 3, mode = "DCR"> (stacked)
    turned = Transpose <perm = [0, 2, 3, 1]> (spread)
    summed = CumSum <exclusive = 1, reverse = 1> (turned, along)
}
"""

_DECODER = """decoder (float[2, 6, 5, 4] x) => (float[2, 5, 10, 9] levels)
{
    up = ConvTranspose <strides = [2, 2], pads = [1, 0, 1, 0]> (x, up_w, up_b)
    response = LRN <size = 3, alpha = 0.6, beta = 0.75, bias = 1.2> (up)
    unit = InstanceNormalization <epsilon = 0.01> (response, gamma, beta)
    styled = PRelu (unit, slopes)
    levels = LogSoftmax <axis = 1> (styled)
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
    """Writes every model, and the arrays of the pipelines without one."""
    random = np.random.default_rng(41)
    _write(
        "mobile",
        _MOBILE,
        {
            "stem_w": _noise(random, (7, 5, 3, 3), 0.7),
            "stem_b": _noise(random, (7,), 1.5),
            "depth_w": _noise(random, (14, 1, 3, 3), 0.4),
            "gamma": _noise(random, (14,), 0.4, 1.1),
            "beta": _noise(random, (14,), 0.6),
            "mean": _noise(random, (14,), 0.9),
            "variance": random.uniform(0.04, 1.2, (14,)).astype(np.float32),
        },
    )
    _write(
        "packed",
        _PACKED,
        {
            "weights": _noise(random, (13, 9), 0.4),
            "bias": _noise(random, (9,), 0.6),
            "gain": _noise(random, (9,), 0.4, 1.2),
            "offset": _noise(random, (9,), 0.5),
        },
    )
    _write(
        "moves",
        _MOVES,
        {
            "pads": np.array([0, 0, 2, 1, 0, 0, 1, 3], np.int64),
            "starts": np.array([1, 9], np.int64),
            "ends": np.array([12, -100], np.int64),
            "axes": np.array([2, 3], np.int64),
            "steps": np.array([2, -2], np.int64),
            "chosen": np.array([2, 0, 1, 2, 1], np.int64),
        },
    )
    _write(
        "decoder",
        _DECODER,
        {
            "up_w": _noise(random, (6, 5, 4, 3), 0.5),
            "up_b": _noise(random, (5,), 0.7),
            "gamma": _noise(random, (5,), 0.4, 1.3),
            "beta": _noise(random, (5,), 0.5),
            "slopes": random.uniform(0.05, 0.6, (5, 1, 1)).astype(np.float32),
        },
    )
    _save("attention/gain.npy", _noise(random, (24,), 0.3, 1.0))
    _save("attention/qkv_w.npy", _noise(random, (72, 24), 0.35))
    _save("attention/qkv_b.npy", _noise(random, (72,), 0.4))
    _save("attention/out_w.npy", _noise(random, (24, 24), 0.3))
    _save("attention/out_b.npy", _noise(random, (24,), 0.4))
    corners = random.uniform(-0.1, 0.45, (4, 2))
    _save("sampled/boxes.npy", np.hstack([corners, corners + random.uniform(0.35, 0.75, (4, 2))]))


def _save(file: str, array: np.ndarray) -> None:
    np.save(_HERE / file, array.astype(np.float32))


if __name__ == "__main__":
    main()
