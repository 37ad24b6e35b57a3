"""Winograd's products give what the passes give, within what a verdict allows for them, in any number of parts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.lowerings import winograd
from texelscope.pipeline.lowerings.lowering import Lowering, form_words


def random(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@dataclass(frozen=True)
class Window:
    """Describes one convolution of x, and the size of x."""

    operator: str = "Conv"
    kernel: tuple[int, int] = (3, 3)
    stride: tuple[int, int] = (1, 1)
    pads: tuple[int, int, int, int] = (1, 1, 1, 1)
    x: tuple[int, int, int, int] = (1, 16, 12, 20)
    outputs: int = 16

    def model(self) -> onnx.ModelProto:
        """Returns the convolution with a bias, and a LeakyRelu after it, whose tensor is the output."""
        channels = (self.outputs, self.x[1]) if self.operator == "Conv" else (self.x[1], self.outputs)
        nodes = [
            helper.make_node(self.operator, ["x", "w", "b"], ["c"], name="c", pads=self.pads, strides=self.stride),
            helper.make_node("LeakyRelu", ["c"], ["y"], name="y", alpha=0.25),
        ]
        weights = {"w": random(*channels, *self.kernel, seed=1), "b": random(self.outputs, seed=2)}
        graph = helper.make_graph(
            nodes,
            "window",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, self.x)],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
            [numpy_helper.from_array(array, name) for name, array in weights.items()],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.fixture(autouse=True)
def small_sums_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the products for sums that are faster without them: a test of a large sum takes long."""
    monkeypatch.setattr(winograd, "is_faster", lambda tiles, how: True)
    monkeypatch.setattr("texelscope.pipeline.lowerings.solo.WORKSPACE_OF_ALIVE", 20.0)


def settled(session: DebugSession, x: np.ndarray) -> Lowering:
    """Runs with its tuned forms, for x; returns the form of the sum."""
    session.set_input("x", x)
    session.run_fused(settle=True)
    session.run_fused(settle=True)
    (form,) = (item for item in session.fused() if isinstance(item, Lowering))
    return session.running(form)


@pytest.mark.parametrize(
    "window",
    [
        Window(),
        Window(kernel=(2, 2), pads=(0, 0, 0, 0)),
        Window(kernel=(4, 4), stride=(2, 2)),
        Window(kernel=(3, 2), pads=(0, 1, 1, 0), x=(1, 16, 9, 11)),
        Window(kernel=(6, 3), stride=(2, 1), x=(1, 8, 15, 9)),
        Window(x=(3, 7, 5, 9), outputs=6),
        Window(kernel=(4, 4), stride=(2, 2), x=(2, 5, 17, 13), outputs=9),
        Window("ConvTranspose", kernel=(4, 4), stride=(2, 2)),
        Window("ConvTranspose", kernel=(4, 4), stride=(2, 2), pads=(0, 0, 0, 0), x=(2, 6, 5, 7), outputs=5),
        Window("ConvTranspose", kernel=(4, 2), stride=(2, 1), pads=(1, 0, 1, 0), x=(1, 8, 7, 6)),
        Window("ConvTranspose", kernel=(3, 3), pads=(1, 1, 1, 1), x=(1, 8, 7, 6)),
    ],
    ids=str,
)
def test_the_products_give_what_the_passes_give(gl: moderngl.Context, window: Window) -> None:
    x = random(*window.x, seed=3)
    with pipeline.open(window.model(), backend="fragment", context=gl) as session:
        session.set_input("x", x)
        session.run()
        expected = session.tensor("y")
        form = settled(session, x)
        assert form.rounding is not None
        assert "winograd.products" in form.steps[1].program.files[0].path
        found = session.tensor("y")
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=2e-6 * float(np.abs(expected).max()) * window.x[1])
        assert not np.array_equal(found, expected)  # it was another way
        assert session.compare().passes[-1].verdict == "match"


@pytest.mark.parametrize("share", [20.0, 2.0, 0.9])
def test_tiles_are_computed_in_as_many_parts_as_the_memory_asks_for(
    gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    window = Window(kernel=(4, 4), stride=(2, 2), x=(2, 8, 40, 28), outputs=8)
    monkeypatch.setattr("texelscope.pipeline.lowerings.solo.WORKSPACE_OF_ALIVE", share)
    x = random(*window.x, seed=3)
    with pipeline.open(window.model(), backend="fragment", context=gl) as session:
        session.set_input("x", x)
        session.run()
        expected = session.tensor("y")
        form = settled(session, x)
        parts = len(form.steps) // 3
        assert (parts == 1) == (share == 20.0)
        assert len({step.program.fragment for step in form.steps}) == 3  # all parts share their programs
        np.testing.assert_allclose(session.tensor("y"), expected, atol=1e-4)


def test_a_sum_whose_products_have_no_room_keeps_its_form(
    gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("texelscope.pipeline.lowerings.solo.WORKSPACE_OF_ALIVE", 0.01)
    window = Window()
    with pipeline.open(window.model(), backend="fragment", context=gl) as session:
        assert settled(session, random(*window.x)).rounding is None


def test_the_verdict_allows_for_the_products_own_rounding_and_for_no_more(gl: moderngl.Context) -> None:
    window = Window(kernel=(2, 2), pads=(0, 0, 0, 0), x=(1, 16, 18, 18))
    x = random(*window.x, seed=3)
    x[:, :, 1::2] *= 1e6  # the second output of a tile has only weights of 0 for these
    model = window.model()
    weight = numpy_helper.to_array(model.graph.initializer[0]).copy()
    weight[:, :, 0] = 0.0
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(weight, "w"))
    with pipeline.open(model, backend="fragment", context=gl) as session:
        settled(session, x)
        capture = session.capture()
        assert set(capture.rounding) == {"c", "y"}
        comparer = Comparer(session.plan)
        assert comparer.compare(capture).passes[-1].verdict == "match"
        without = comparer.compare(replace(capture, rounding={}))
        assert without.passes[-1].verdict == "mismatch"  # rounding alone, which no shader's author can mend
        wrong = dict(capture.tensors)
        wrong["y"] = wrong["y"] + np.float32(1e4)
        assert comparer.compare(replace(capture, tensors=wrong)).passes[-1].verdict == "mismatch"


def test_an_infinity_that_becomes_nan_blames_no_shader_and_a_nan_is_told_as_ever(gl: moderngl.Context) -> None:
    window = Window()
    x = random(*window.x, seed=3)
    with pipeline.open(window.model(), backend="fragment", context=gl) as session:
        assert settled(session, x).rounding is not None
        x[0, 3, 5, 6] = np.inf
        session.set_input("x", x)
        session.run_fused()
        report = session.compare().passes[-1]
        assert report.verdict == "not_compared"
        assert report.message == (
            "Winograd's products, which this layer ran by: expected finite numbers in 'x', got infinities, and made "
            "NaN of them. Run all layers by Observe everything (Alt+F5), or `session.run()`: their sums keep "
            "infinities."
        )
        session.run()
        assert session.compare().passes[-1].verdict == "match"
        x[0, 3, 5, 6] = np.nan
        session.set_input("x", x)
        session.run_fused()
        assert session.compare().passes[-1].verdict == "match"


def test_whoever_looks_at_every_tensor_gets_the_sums_of_the_passes(gl: moderngl.Context) -> None:
    window = Window()
    x = random(*window.x, seed=3)
    with pipeline.open(window.model(), backend="fragment", context=gl) as session:
        session.set_input("x", x)
        session.run_fused(keep=("c", "y"), settle=True)
        session.run_fused(keep=("c", "y"), settle=True)
        assert session.rounding("y") is None
        settled(session, x)
        assert session.rounding("y") is not None
        session.run()
        assert session.rounding("y") is None


def test_a_report_says_that_the_products_ran(gl: moderngl.Context) -> None:
    window = Window()
    with pipeline.open(window.model(), backend="fragment", context=gl) as session:
        words = form_words(settled(session, random(*window.x)))
    assert words.startswith("3 steps: draw of ")
    assert "16 tiles x 2 groups of channels each" in words or "8 tiles x 2 groups of channels each" in words
    assert words.endswith("by Winograd's products, whose own rounding is allowed for")
