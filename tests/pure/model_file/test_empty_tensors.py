"""Tensors without elements: known before the run, whoever makes or reads them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pure.models import model, node, value
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.onnx_model import load

# A decoder's memory and what it gets to see, joined.
DECODER = model(
    [node("Concat", "past now", "all", axis=1), node("Relu", "all", "y")],
    [value("past", [1, "steps", 4]), value("now", [1, 2, 4])],
    [value("y", None)],
)


def test_a_memory_of_no_steps_is_no_input_and_no_texture() -> None:
    plan = pipeline.plan_of(DECODER, shapes={"past": (1, 0, 4)})
    assert plan.inputs == ("now",)
    assert [each.operator for each in plan.passes] == ["Concat", "Relu"]
    assert not plan.not_run
    assert set(plan.textures) == {"now", "all", "y"}


def test_a_model_of_nothing_but_empty_inputs_is_refused() -> None:
    with pytest.raises(TexelscopeError, match=r"input 'past' \(net\): expected a shape of positive sizes, got \[1, 0,"):
        load(
            model([node("Relu", "past", "y")], [value("past", [1, "steps", 4])], [value("y", None)]),
            {"past": (1, 0, 4)},
        )


def test_a_part_of_no_elements_needs_no_pass() -> None:
    made = model(
        [node("Split", "x sizes", "a b", axis=1), node("Abs", "b", "c")],
        [value("x", [2, 3])],
        [value("a", None), value("c", None)],
        weights={"sizes": np.array([3, 0], np.int64)},
    )
    plan = pipeline.plan_of(made)
    assert [each.operator for each in plan.passes] == ["Split"]
    assert plan.outputs == ("a",)
    assert plan.graph is not None
    assert plan.graph.constants["c"].shape == (2, 0)


@pytest.mark.parametrize(("op_type", "length"), [("ScatterElements", ()), ("ScatterND", (2,))])
def test_without_an_index_nothing_is_scattered(op_type: str, length: tuple[int, ...]) -> None:
    made = model(
        [node(op_type, "x i u", "y")],
        [value("x", [2, 3])],
        [value("y", [2, 3])],
        weights={
            "i": np.zeros((0, *(length or (3,))), np.int64),
            "u": np.zeros((0, *(() if length else (3,))), np.float32),
        },
    )
    assert [each.operator for each in pipeline.plan_of(made).passes] == ["Identity"]


def test_what_is_added_to_a_sum_over_nothing_is_not_run_and_says_so() -> None:
    made = model(
        [node("Slice", "x from to", "cut"), node("Transpose", "cut", "b"), node("Gemm", "cut b c", "y")],
        [value("x", [3, 3]), value("c", [3, 3])],
        [value("y", None)],
        weights={"from": np.array([0, 0], np.int64), "to": np.array([3, 0], np.int64)},
    )
    (missing,) = pipeline.plan_of(made).not_run
    assert missing.reason.startswith("tensor 'cut' (net): expected positive sizes, got [3, 0].")
