"""A sample of a redone layer has the values that the whole of it has."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from tests.pure.diagnose.synthetic import evidence, graph, right
from texelscope.pipeline.diagnose.hypotheses.registry import by_cause
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange, ModelEdit, ModelSlice
from texelscope.pipeline.diagnose.model_slice.sampled import evaluate_at
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Graph, Node, TensorInfo
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.oracle.reference import Reference

_COUNT = 168


@pytest.mark.parametrize("cause", sorted(by_cause()))
def test_every_proposal_gives_the_same_on_a_sample_as_on_the_whole(cause: str) -> None:
    made = graph(activation=True)
    actual = right(made) * np.float32(0.7)
    actual[0, 1, 2:] -= 1.0
    case = FailingPass(evidence(made, actual))
    places = np.arange(0, _COUNT, 5)
    for hypothesis in (each for generator in by_cause()[cause] for each in generator.propose(case)):
        changes: tuple[ModelEdit, ...] = hypothesis.changes
        if changes:
            whole = case.model_slice.evaluate(changes).reshape(-1)[places]
            some = evaluate_at(case.model_slice, changes, places)
            np.testing.assert_allclose(some, whole, rtol=1e-4, atol=1e-4, err_msg=hypothesis.says)


POINTWISE: tuple[tuple[str, dict[str, int], tuple[type[np.generic], ...]], ...] = (
    ("Sin", {}, (np.float32,)),
    ("Mod", {}, (np.int64, np.int64)),
    ("Where", {}, (np.bool_, np.float32, np.float32)),
    ("Greater", {}, (np.float32, np.float32)),
    ("Cast", {"to": 1}, (np.int64,)),
    ("Atan", {}, (np.float32,)),
)


@pytest.mark.parametrize(("op_type", "attributes", "dtypes"), POINTWISE, ids=lambda each: str(each)[:9])
def test_a_sample_of_a_pointwise_operator_needs_no_whole(
    op_type: str, attributes: dict[str, int], dtypes: tuple[type[np.generic], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    model_slice = redo_of(op_type, attributes, [shape_of(i) for i in range(len(dtypes))], dtypes, opset=20)
    places = np.array([0, 5, 23])
    change = InputChange(
        model_slice.graph.inputs[-1] if model_slice.graph else "", lambda x: x * np.float32(1.75), pointwise=True
    )
    whole = model_slice.evaluate([change]).reshape(-1)[places]
    monkeypatch.setattr(ModelSlice, "whole", None)
    np.testing.assert_allclose(evaluate_at(model_slice, [change], places), whole, rtol=1e-6)


def test_indices_that_a_change_leads_out_of_their_tensor_do_not_apply() -> None:
    attributes = {"kernel_shape": (2, 2), "strides": (2, 2)}
    model_slice = redo_of("MaxUnpool", attributes, [(1, 1, 2, 2)] * 2, (np.float32, np.int64), opset=11)
    change = InputChange("x1", lambda x: x + np.float32(1000.0), pointwise=True)
    with pytest.raises(DoesNotApplyError, match="MaxUnpool 'n'"):
        evaluate_at(model_slice, [change], np.array([0, 3]))


def test_a_sample_broadcasts_as_the_opset_says() -> None:
    model_slice = redo_of("Add", {"broadcast": 1, "axis": 1}, [(2, 3, 4), (3,)], (np.float32, np.float32), opset=6)
    places = np.arange(24)
    change = InputChange("x1", lambda x: x * np.float32(2.0), pointwise=True)
    np.testing.assert_allclose(evaluate_at(model_slice, [change], places), model_slice.evaluate([change]).reshape(-1))


@pytest.mark.parametrize("op_type", ["Expand", "Tile", "DepthToSpace"])
def test_a_sample_of_what_is_moved_needs_no_whole(op_type: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shape = (1, 4, 2, 3)
    setting = {"Expand": np.array([2, 1, 1, 1]), "Tile": np.array([1, 1, 2, 1])}.get(op_type)
    attributes = {"blocksize": 2, "mode": "DCR"} if setting is None else {}
    model_slice = redo_of(op_type, attributes, [shape], (np.float32,), opset=13, setting=setting)
    places = np.array([0, 5, 23])
    change = InputChange("x0", lambda x: x * np.float32(2.0), pointwise=True)
    whole = model_slice.evaluate([change]).reshape(-1)[places]
    monkeypatch.setattr(ModelSlice, "whole", None)
    np.testing.assert_allclose(evaluate_at(model_slice, [change], places), whole)


def test_a_sample_of_channels_is_what_the_oracle_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = [(2, 3, 4), *[(3,)] * 4]
    model_slice = redo_of("BatchNormalization", {"epsilon": 0.01}, shapes, (np.float32,) * 5, opset=15)
    places = np.arange(24)
    change = InputChange("x2", lambda x: x + np.float32(1.0), pointwise=True)
    whole = model_slice.evaluate([change]).reshape(-1)[places]
    monkeypatch.setattr(ModelSlice, "whole", None)
    np.testing.assert_allclose(evaluate_at(model_slice, [change], places), whole, rtol=1e-5)


def shape_of(position: int) -> tuple[int, ...]:
    """Returns the first operand whole, the second for each row, the third for all."""
    return ((2, 3, 4), (3, 1), (2, 3, 4))[position]


def redo_of(
    op_type: str,
    attributes: dict[str, Any],
    shapes: Sequence[tuple[int, ...]],
    dtypes: Sequence[type[np.generic]],
    *,
    opset: int,
    setting: np.ndarray | None = None,
) -> ModelSlice:
    """A pass of one node on positive numbers; inputs are x0, x1, …; `setting` is a constant behind them."""
    random = np.random.default_rng(2)
    given: dict[str, Any] = {
        f"x{i}": (np.abs(random.standard_normal(shape)) * 5 + 1).astype(dtype)
        for i, (shape, dtype) in enumerate(zip(shapes, dtypes, strict=True))
    }
    constants = {} if setting is None else {"setting": setting}
    node = Node("n", op_type, (*given, *constants), ("y",), MappingProxyType(attributes), opset=opset)
    (value,) = Reference().run_node(node, [*given.values(), *constants.values()])
    assert value is not None
    values = {**given, **constants, "y": value}
    tensors = {name: TensorInfo(name, each.shape, each.dtype.name) for name, each in values.items()}
    graph = Graph("test", (node,), tensors, tuple(given), ("y",), constants)
    return ModelSlice(graph, GraphOracle(graph), given, "y")
