"""Normalisations and softmaxes run as two draws, and give what their passes give; other passes stay what they are."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.lowerings.lowering import Lowering

FLAT, TILED = (2, 5, 24), (1, 6, 5, 7)


def node(operator: str, inputs: str, output: str, **attributes: Any) -> onnx.NodeProto:
    return helper.make_node(operator, inputs.split(), [output], name=output, **attributes)


def model(shape: tuple[int, ...], *nodes: onnx.NodeProto, outputs: tuple[str, ...] = ("y",)) -> onnx.ModelProto:
    """Returns a model over x and r, of that shape; g and b have a number for each place of a row, and others one."""
    random = np.random.default_rng(1)
    known = {
        "g": random.normal(size=shape[-1:]),
        "b": random.normal(size=shape[-1:]),
        "two": np.array(2.0),
        "epsilon": np.array([1e-5]),
        "eight": np.array(8.0),
    }
    read = {name for each in nodes for name in each.input}
    graph = helper.make_graph(
        nodes,
        "rows",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in ("x", "r") if name in read],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(array.astype(np.float32), name) for name, array in known.items() if name in read],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def mean(x: str, y: str) -> onnx.NodeProto:
    return node("ReduceMean", x, y, axes=[-1])


APART = (mean("x", "m"), node("Sub", "x m", "d"))
UNIT = (node("Add", "v epsilon", "shifted"), node("Sqrt", "shifted", "s"), node("Div", "d s", "u"))
SCALED = (node("Mul", "u g", "scaled"), node("Add", "scaled b", "y"))
RUNS = {
    "a normalisation, taken apart": (
        model(FLAT, *APART, node("Pow", "d two", "q"), mean("q", "v"), *UNIT, *SCALED),
        ("m", "d", "q", "v", "shifted", "s", "u", "scaled", "y"),
    ),
    "a square as a product": (
        model(FLAT, *APART, node("Mul", "d d", "q"), mean("q", "v"), *UNIT, *SCALED),
        ("m", "d", "q", "v", "shifted", "s", "u", "scaled", "y"),
    ),
    "a softmax of rows": (model(FLAT, node("Softmax", "x", "y", axis=-1)), ("y",)),
    "a softmax of rows of images": (model(TILED, node("Softmax", "x", "y", axis=3)), ("y",)),
    "a softmax of a product": (
        model(TILED, node("Mul", "x r", "p"), node("LogSoftmax", "p", "s", axis=-1), node("Mul", "s eight", "y")),
        ("s", "y"),
    ),
    "rows by their length": (
        model(TILED, node("ReduceL2", "x", "l", axes=[3]), node("Div", "x l", "y")),
        ("l", "y"),
    ),
    "from the smallest to the largest": (
        model(
            FLAT,
            node("ReduceMax", "x", "most", axes=[2]),
            node("ReduceMin", "x", "least", axes=[2]),
            node("Sub", "most least", "span"),
            node("Sub", "x least", "above"),
            node("Div", "above span", "y"),
        ),
        ("most", "least", "span", "above", "y"),
    ),
    "with another tensor": (
        model(FLAT, node("ReduceL1", "x", "l", axes=[-1]), node("Div", "r l", "q"), node("Add", "q x", "y")),
        ("l", "q", "y"),
    ),
    "until others need a result": (
        model(FLAT, *APART, node("Relu", "d", "y"), outputs=("d", "y")),
        ("m", "d"),
    ),
}


def together(session: DebugSession, keep: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    return [item.covers for item in session.fused(keep) if isinstance(item, Lowering)]


def set_inputs(session: DebugSession, scale: float = 1.0) -> None:
    for i, key in enumerate(session.plan.inputs):
        shape = session.plan.textures[key].shape
        session.set_input(key, (scale * np.random.default_rng(2 + i).normal(size=shape)).astype(np.float32))


@pytest.mark.parametrize("name", RUNS)
def test_two_draws_give_what_the_passes_give(gl: moderngl.Context, name: str) -> None:
    made, covers = RUNS[name]
    with pipeline.open(made, backend="fragment", context=gl) as session:
        assert covers in together(session)
        set_inputs(session)
        session.run()
        expected = {key: session.tensor(key) for key in session.plan.outputs}
        for settle in (False, True):
            session.run_fused(settle=settle)
            for key, tensor in expected.items():
                np.testing.assert_allclose(session.tensor(key), tensor, rtol=2e-5, atol=2e-6)
            verdicts = {each.name: each.verdict for each in session.compare().passes}
            assert verdicts[covers[-1]] == "match"
            assert set(verdicts.values()) <= {"match", "not_run"}


@pytest.mark.parametrize("shape", [(5, 24), (1, 1, 1, 8), (2, 3, 4, 5), (3, 8, 2, 16), (200, 4), (1, 1000)])
@pytest.mark.parametrize("operator", ["LayerNormalization", "Softmax"])
def test_rows_of_any_shape(gl: moderngl.Context, shape: tuple[int, ...], operator: str) -> None:
    inputs = "x g b" if operator == "LayerNormalization" else "x"
    with pipeline.open(model(shape, node(operator, inputs, "y", axis=-1)), backend="fragment", context=gl) as session:
        set_inputs(session, scale=3.0)
        session.run_fused()
        assert session.compare().passes[-1].verdict == "match"


def test_texels_without_elements_stay_zero(gl: moderngl.Context) -> None:
    with pipeline.open(
        model((1, 6, 5, 7), node("Softmax", "x", "y", axis=3)), backend="fragment", context=gl
    ) as session:
        set_inputs(session)
        session.run()
        expected = session.texels("y")
        session.run_fused()
        np.testing.assert_array_equal(session.texels("y") == 0, expected == 0)


def test_whoever_keeps_a_total_gets_it(gl: moderngl.Context) -> None:
    made, covers = RUNS["a normalisation, taken apart"]
    with pipeline.open(made, backend="fragment", context=gl) as session:
        assert covers not in together(session, ("v",))
        set_inputs(session)
        session.run_fused(keep=("v",))
        assert session.is_valid("v")
        assert session.compare().passes[-1].verdict == "match"


def test_rows_that_end_within_a_texel_stay_passes(gl: moderngl.Context) -> None:
    with pipeline.open(model((2, 5, 7), *APART, node("Relu", "d", "y")), backend="fragment", context=gl) as session:
        assert not any("m" in covers for covers in together(session))


def test_what_is_no_number_stays_so(gl: moderngl.Context) -> None:
    made, _ = RUNS["a softmax of rows"]
    with pipeline.open(made, backend="fragment", context=gl) as session:
        x = np.random.default_rng(0).normal(size=FLAT).astype(np.float32)
        x[0, 1, 3], x[1, 2, 5] = np.nan, np.inf
        session.set_input("x", x)
        session.run_fused()
        is_number = np.asarray(np.isfinite(session.tensor("y")).all(axis=-1))
        assert is_number.sum() == FLAT[0] * FLAT[1] - 2
        assert not is_number[0, 1]
        assert not is_number[1, 2]


def test_an_error_in_the_form_shows(gl: moderngl.Context) -> None:
    """Runs it with another divisor, as a slip in the text would, and sees the verdict."""
    made, covers = RUNS["a normalisation, taken apart"]
    with pipeline.open(made, backend="fragment", context=gl) as session:
        set_inputs(session)
        form = next(item for item in session.fused() if isinstance(item, Lowering) and item.covers == covers)
        right = form.steps[0].program.fragment
        wrong = right.replace(" / 24.0", " / 23.0", 1)
        assert wrong != right
        object.__setattr__(form.steps[0], "program", form.steps[0].program.with_fragment(wrong))
        session.run_fused()
        assert session.compare().passes[-1].verdict == "mismatch"


def test_what_an_earlier_run_stored_inside_is_not_judged_with_the_result(gl: moderngl.Context) -> None:
    """An isolated comparison of the result with an older tensor would see two roundings, and name a cause for them."""
    made, covers = RUNS["with another tensor"]
    with pipeline.open(made, backend="fragment", context=gl) as session:
        set_inputs(session)
        session.run()
        assert session.is_valid("q")
        session.run_fused()
        assert not session.is_valid("q")
        report = session.compare().find(covers[-1])
        assert report is not None
        assert (report.verdict, report.findings) == ("match", ())
        session.run()
        assert session.is_valid("q")
