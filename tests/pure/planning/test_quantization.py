"""Values and steps of 8 bits: as in ONNX's QuantizeLinear, per tensor or along an axis."""

from __future__ import annotations

import re

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from texelscope.layouts import layout
from texelscope.pipeline.compare.figures import stored_rounding
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.planning.storage import as_stored, components
from texelscope.pipeline.quantization import Quantization

SHAPE = (2, 3, 4, 5)
PER_CHANNEL = Quantization((0.5, 0.03, 2.0), (10.0, 128.0, 250.0))
VALUES = np.random.default_rng(3).normal(0.0, 30.0, SHAPE).astype(np.float32)


def stored(quantization: Quantization, name: str = "channel_tiles_rgba") -> StoredTensor:
    return StoredTensor("x", "x", SHAPE, layout(name), "uint8", quantization=quantization)


def by_onnx(values: np.ndarray, scales: list[float], zeros: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Returns the steps and the values that ONNX's reference gives."""
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"], axis=1),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["y"], axis=1),
    ]
    count = [len(scales)]
    graph = helper.make_graph(
        nodes, "q", [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info("q", TensorProto.UINT8, SHAPE), helper.make_tensor_value_info("y", 1, SHAPE)],
        [helper.make_tensor("s", 1, count, scales), helper.make_tensor("z", TensorProto.UINT8, count, zeros)],
    )  # fmt: skip
    model: onnx.ModelProto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
    steps, back = (np.asarray(each) for each in ReferenceEvaluator(model).run(None, {"x": values}))
    return steps, back


@pytest.mark.parametrize("name", ["channel_tiles", "channel_tiles_rgba", "ordered"])
def test_steps_and_values_are_those_of_onnx(name: str) -> None:
    steps, back = by_onnx(VALUES, [0.5, 0.03, 2.0], [10, 128, 250])
    entry = stored(PER_CHANNEL, name)
    texels = components(entry.encode(VALUES), "uint8")
    assert np.array_equal(entry.layout.decode(texels, SHAPE), steps)
    np.testing.assert_allclose(entry.decode(texels.astype(np.float32) / np.float32(255.0)), back, rtol=1e-6)
    np.testing.assert_allclose(as_stored(VALUES, entry), back, rtol=1e-6)


def test_a_value_in_range_is_stored_within_half_a_step_and_the_bound_says_so() -> None:
    entry = stored(Quantization((0.25,), (100.0,)))
    values = np.random.default_rng(1).uniform(-25.0, 38.75, SHAPE)
    off = np.abs(as_stored(values, entry) - values)
    bound = stored_rounding(Expected(values, None), entry.storage, entry.quantization)
    assert 0.11 < off.max() <= 0.125 + 1e-5
    assert np.all((bound > 0.125) & (bound < 0.16))


def test_a_value_beyond_the_steps_is_clamped() -> None:
    entry = stored(Quantization((0.1,), (0.0,)))
    kept = as_stored(np.array([-5.0, 1e9, np.inf], np.float32).repeat(40).reshape(SHAPE), entry)
    assert set(kept.reshape(-1).tolist()) == {0.0, 25.5}


def test_a_zero_point_need_not_be_whole() -> None:
    """Features between -7 and 7, as radiance networks bake them."""
    entry = stored(Quantization((14 / 255,), (127.5,)))
    np.testing.assert_allclose(entry.decode(np.zeros((4, 10, 4), np.float32)), -7.0, rtol=1e-6)
    np.testing.assert_allclose(entry.decode(np.ones((4, 10, 4), np.float32)), 7.0, rtol=1e-6)


def test_texels_read_for_other_elements_have_the_scale_of_the_element() -> None:
    texel = np.asarray(20 / 255, np.float32)
    got = [float(PER_CHANNEL.values_at(texel, SHAPE, (0, c, 0, 0))) for c in range(3)]
    assert got == pytest.approx([5.0, -3.24, -460.0])
    of_weights = Quantization((1.0, 2.0), (0.0, 0.0), axis=0)
    assert float(of_weights.values_at(texel, SHAPE, (1, 0, 0, 0))) == 40.0


def test_bounds_in_texels_are_bounds_in_values() -> None:
    values, bound = VALUES.astype(np.float64), np.full(SHAPE, 0.5)
    texels, apart = PER_CHANNEL.in_texels(values, bound)
    moved = PER_CHANNEL.values((texels + apart).astype(np.float32))
    np.testing.assert_allclose(moved - values, bound, atol=1e-2)


@pytest.mark.parametrize(
    ("quantization", "message"),
    [
        (Quantization((1.0, 2.0), (0.0,)), "scale: expected a number, or 3 for axis 1 of [2, 3, 4, 5], got 2."),
        (Quantization((1.0,), (0.0, 1.0, 2.0), 0), "zero_point: expected a number, or 2 for axis 0 of [2, 3, 4, 5]"),
        (Quantization((1.0, 2.0), (0.0,), 7), "scale: expected an axis of [2, 3, 4, 5], got axis 7."),
    ],
)
def test_a_list_that_does_not_fit_the_axis_is_refused(quantization: Quantization, message: str) -> None:
    with pytest.raises(TexelscopeError, match=re.escape(message)):
        quantization.check(SHAPE)
