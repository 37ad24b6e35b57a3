"""Tests the example networks: what the trainers and the committed ONNX files promise, without PyTorch."""

from __future__ import annotations

import hashlib
import math
from itertools import combinations
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from examples.facades.building import SIDE, invent_scene
from examples.facades.classes import PALETTE, Label, colour_labels
from examples.facades.generate import make_pair
from examples.facades.onnx_writer import OnnxWriter
from examples.facades.preview import load_picture, run_model
from tests.checkout import ROOT

EXAMPLES = ROOT / "examples"
NEVER_TRAINED_SEED = 1_000_020

# Machado, Oliveira, Fernandes 2009, severity 1, on linear RGB.
_VISION = {
    "full": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def _lab(colours: np.ndarray, vision: list[list[float]]) -> np.ndarray:
    """CIELAB (D65) of sRGB colours [n, 3] in 0..255 as the given vision sees them."""
    encoded = colours / 255
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ np.array(vision).T, 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = seen @ to_xyz.T / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1)


@pytest.mark.parametrize("vision", _VISION)
def test_every_two_classes_look_different_to(vision: str) -> None:
    lab = _lab(PALETTE, _VISION[vision])
    closest = min(combinations(Label, 2), key=lambda two: math.dist(lab[two[0]], lab[two[1]]))
    assert math.dist(lab[closest[0]], lab[closest[1]]) > 20, closest


def test_every_part_of_a_scene_lies_on_even_pixels_inside_the_picture() -> None:
    for seed in range(60):
        for part in invent_scene(np.random.default_rng(seed)):
            edges = (part.left, part.top, part.right, part.bottom)
            assert all(edge % 2 == 0 and 0 <= edge <= SIDE for edge in edges), (seed, part)


@pytest.mark.parametrize(
    ("file", "inputs", "outputs"),
    [
        ("facades/facades.onnx", {"labels": [1, 3, 128, 128]}, {"facade": [1, 3, 128, 128]}),
        ("webgl_cnn/model.onnx", {"image": [1, 3, 0, 0]}, {"picture": [1, 3, 0, 0]}),
    ],
)
def test_the_committed_model_is_small_and_of_the_documented_shape(
    file: str, inputs: dict[str, list[int]], outputs: dict[str, list[int]]
) -> None:
    assert (EXAMPLES / file).stat().st_size < 4_000_000
    model = onnx.load(EXAMPLES / file)
    operators = {node.op_type for node in model.graph.node}
    assert operators <= {"Conv", "LeakyRelu", "Relu", "Resize", "Concat", "Sigmoid"}

    def shapes(tensors: list[onnx.ValueInfoProto]) -> dict[str, list[int]]:
        return {tensor.name: [d.dim_value for d in tensor.type.tensor_type.shape.dim] for tensor in tensors}

    assert shapes(list(model.graph.input)) == inputs
    assert shapes(list(model.graph.output)) == outputs


def test_the_facades_model_paints_a_street_front_that_it_never_saw() -> None:
    labels, picture = make_pair(NEVER_TRAINED_SEED)
    [output] = run_model(onnx.load(EXAMPLES / "facades/facades.onnx"), [colour_labels(labels)])
    assert np.abs(output.astype(float) - picture).mean() / 255 < 0.04


def test_the_inputs_use_the_colours_of_the_classes_only() -> None:
    palette = {tuple(colour) for colour in PALETTE.tolist()}
    files = [*EXAMPLES.glob("facades/inputs/*.png"), *EXAMPLES.glob("webgl_cnn/inputs/*.png")]
    assert len(files) >= 10
    for file in files:
        assert set(map(tuple, load_picture(file).reshape(-1, 3).tolist())) <= palette, file


@pytest.mark.parametrize("side", [7, 8])
def test_resize_and_conv_with_pads_1_1_2_2_are_the_fractional_stride(tmp_path: Path, side: int) -> None:
    random = np.random.default_rng(side)
    x = random.standard_normal((1, 2, side, side)).astype(np.float32)
    weight = random.standard_normal((3, 2, 4, 4)).astype(np.float32)
    bias = random.standard_normal(3).astype(np.float32)
    writer = OnnxWriter()
    writer.conv("up", writer.double("up_resize", "x"), weight, bias, stride=1, pads=(1, 1, 2, 2))
    shape = [1, 3, 2 * side, 2 * side]
    writer.save(tmp_path / "up.onnx", "up", inputs={"x": list(x.shape)}, outputs={"up": shape})
    [result] = np.asarray(ReferenceEvaluator(str(tmp_path / "up.onnx")).run(None, {"x": x}))

    expected = np.zeros(shape) + bias[:, None, None]
    offsets = (-0.75, -0.25, 0.25, 0.75)
    for y, column in np.ndindex(2 * side, 2 * side):
        for i, j in np.ndindex(4, 4):
            row_read = math.floor((y + 0.5) / 2 + offsets[i])
            column_read = math.floor((column + 0.5) / 2 + offsets[j])
            if 0 <= row_read < side and 0 <= column_read < side:
                expected[0, :, y, column] += weight[:, :, i, j] @ x[0, :, row_read, column_read]
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-5)


def test_no_large_file_of_the_examples_is_there_twice() -> None:
    large = [path for path in EXAMPLES.rglob("*") if path.is_file() and path.stat().st_size > 1 << 16]
    digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in large}
    assert len(digests) == len(large)
