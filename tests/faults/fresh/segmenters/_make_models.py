"""Writes the models of the right pipelines: `python -m tests.faults.fresh.segmenters._make_models`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper, parser

_HERE = Path(__file__).parent
_OPSET = '<ir_version: 9, opset_import: ["": 20]>\n'

_UNET = """unet (float[1, 3, 18, 22] image) => (float[1, 5, 18, 22] prob)
{
    c1 = Conv <pads = [1, 1, 1, 1]> (image, e1w, e1b)
    enc1 = Relu (c1)
    pool = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (enc1)
    c2 = Conv <pads = [1, 1, 1, 1]> (pool, e2w)
    n2 = BatchNormalization <epsilon = 0.001> (c2, gamma, beta, mean, variance)
    enc2 = Relu (n2)
    up = ConvTranspose <strides = [2, 2]> (enc2, upw, upb)
    both = Concat <axis = 1> (enc1, up)
    c3 = Conv <pads = [1, 1, 1, 1]> (both, d1w, d1b)
    dec1 = Relu (c3)
    logits = Conv (dec1, headw, headb)
    prob = Softmax <axis = 1> (logits)
}
"""

_ASPP = """aspp (float[1, 3, 23, 19] image) => (float[1, 1, 23, 19] labels)
<float low = {0}, float high = {6}, int64[4] sizes = {1, 6, 23, 19}>
{
    s = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (image, stem_w, stem_b)
    stem = LeakyRelu <alpha = 0.1> (s)
    d = Conv <pads = [2, 2, 2, 2], dilations = [2, 2], group = 5> (stem, depth_w)
    n = BatchNormalization <epsilon = 0.002> (d, gamma, beta, mean, variance)
    separable = Clip (n, low, high)
    a = Conv <pads = [3, 3, 3, 3], dilations = [3, 3]> (separable, atrous_w, atrous_b)
    atrous = Relu (a)
    g = GlobalAveragePool (separable)
    gc = Conv (g, context_w, context_b)
    context = Relu (gc)
    plane = Shape <start = 2> (atrous)
    head = Shape <end = 2> (context)
    whole = Concat <axis = 0> (head, plane)
    spread = Expand (context, whole)
    branches = Concat <axis = 1> (separable, atrous, spread)
    project = Conv (branches, project_w, project_b)
    enlarged = Resize <mode = "linear", coordinate_transformation_mode = "half_pixel"> (project, , , sizes)
    best = ArgMax <axis = 1, keepdims = 1> (enlarged)
    labels = Cast <to = 1> (best)
}
"""

_LINKNET = """linknet (float[1, 4, 10, 14] image) => (float[1, 3, 10, 14] mask)
<int64[4] sizes = {1, 5, 10, 14}>
{
    c1 = Conv <pads = [1, 1, 1, 1]> (image, squeeze_w, squeeze_b)
    squeeze = PRelu (c1, slope)
    halved = AveragePool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (squeeze)
    normed = InstanceNormalization <epsilon = 0.005> (halved, gain, offset)
    raised = ConvTranspose <strides = [2, 2], pads = [1, 1, 1, 1], output_padding = [1, 1]> (normed, raise_w, raise_b)
    smooth = Resize <mode = "linear", coordinate_transformation_mode = "align_corners"> (normed, , , sizes)
    sum = Add (smooth, squeeze)
    joined = Relu (sum)
    both = Concat <axis = 1> (joined, raised)
    m = Conv (both, mask_w, mask_b)
    mask = Sigmoid (m)
}
"""


def _write(folder: str, text: str, weights: dict[str, np.ndarray]) -> None:
    model = parser.parse_model(_OPSET + text)
    model.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in weights.items())
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, _HERE / folder / "model.onnx")


def _noise(random: np.random.Generator, shape: tuple[int, ...], scale: float, middle: float = 0.0) -> np.ndarray:
    return (middle + scale * random.standard_normal(shape)).astype(np.float32)


def _share(random: np.random.Generator, shape: tuple[int, ...], low: float, high: float) -> np.ndarray:
    return random.uniform(low, high, shape).astype(np.float32)


def main() -> None:
    """Writes every model."""
    random = np.random.default_rng(2026)
    _write(
        "unet",
        _UNET,
        {
            "e1w": _noise(random, (6, 3, 3, 3), 0.4),
            "e1b": _noise(random, (6,), 0.4),
            "e2w": _noise(random, (10, 6, 3, 3), 0.15),
            "gamma": _noise(random, (10,), 0.3, 1.0),
            "beta": _noise(random, (10,), 0.5),
            "mean": _noise(random, (10,), 0.5),
            "variance": _share(random, (10,), 0.02, 0.6),
            "upw": _noise(random, (10, 6, 2, 2), 0.3),
            "upb": _noise(random, (6,), 0.4),
            "d1w": _noise(random, (7, 12, 3, 3), 0.15),
            "d1b": _noise(random, (7,), 0.4),
            "headw": _noise(random, (5, 7, 1, 1), 0.5),
            "headb": _noise(random, (5,), 0.5),
        },
    )
    _write(
        "aspp",
        _ASPP,
        {
            "stem_w": _noise(random, (5, 3, 3, 3), 0.4),
            "stem_b": _noise(random, (5,), 0.3),
            "depth_w": _noise(random, (5, 1, 3, 3), 0.5),
            "gamma": _noise(random, (5,), 0.4, 2.0),
            "beta": _noise(random, (5,), 0.5, 1.0),
            "mean": _noise(random, (5,), 0.3),
            "variance": _share(random, (5,), 0.1, 0.9),
            "atrous_w": _noise(random, (4, 5, 3, 3), 0.2),
            "atrous_b": _noise(random, (4,), 0.4),
            "context_w": _noise(random, (11, 5, 1, 1), 0.25),
            "context_b": _share(random, (11,), 0.2, 0.9),
            "project_w": _noise(random, (6, 20, 1, 1), 0.3),
            "project_b": _noise(random, (6,), 0.6),
        },
    )
    _write(
        "linknet",
        _LINKNET,
        {
            "squeeze_w": _noise(random, (5, 4, 3, 3), 0.3),
            "squeeze_b": _noise(random, (5,), 0.3),
            "slope": _share(random, (5, 1, 1), 0.05, 0.4),
            "gain": _noise(random, (5,), 0.3, 1.0),
            "offset": _noise(random, (5,), 0.4),
            "raise_w": _noise(random, (5, 4, 3, 3), 0.4),
            "raise_b": _noise(random, (4,), 0.4),
            "mask_w": _noise(random, (3, 9, 1, 1), 0.5),
            "mask_b": _noise(random, (3,), 0.4),
        },
    )


if __name__ == "__main__":
    main()
