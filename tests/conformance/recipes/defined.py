"""Covers operators that run as others: by ONNX's definition, or unrolled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import onnx
from onnx import TensorProto, helper

from tests.conformance.recipes.recipe import Recipe, Recipes, X, always, node, numbers, one, whole

_Q, _K, _V = (numbers(1, 2, 3, 4, seed=seed, low=-1.0, high=1.0) for seed in range(3))
_SCORES, _CLASSES = numbers(3, 5, seed=1), whole(1, 0, 4)


def _body(
    nodes: Sequence[onnx.NodeProto], inputs: Sequence[onnx.ValueInfoProto], outputs: Sequence[onnx.ValueInfoProto]
) -> onnx.GraphProto:
    return helper.make_graph(list(nodes), "body", list(inputs), list(outputs))


def _value(name: str, shape: Sequence[int] | None = (), kind: int = TensorProto.FLOAT) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, shape)


def _if(version: int) -> list[Recipe]:
    branches = {
        name: _body([helper.make_node(operator, ["in1"], [f"{name}_y"])], [], [_value(f"{name}_y", (2, 3))])
        for name, operator in (("then_branch", "Abs"), ("else_branch", "Neg"))
    }
    # The condition is known; the branches read a tensor from outside, which the node does not name.
    return [Recipe((one(flag, np.bool_),), branches, known=(0,), beside=(numbers(2, 3),)) for flag in (True, False)]


def _loop(version: int) -> list[Recipe]:
    body = _body(
        [helper.make_node("Add", ["sum", "sum"], ["next"]), helper.make_node("Identity", ["going"], ["go"]),
         helper.make_node("Neg", ["next"], ["seen"])],
        [_value("turn", (), TensorProto.INT64), _value("going", (), TensorProto.BOOL), _value("sum", (2, 3))],
        [_value("go", (), TensorProto.BOOL), _value("next", (2, 3)), _value("seen", (2, 3))],
    )  # fmt: skip
    inputs = (one(3, np.int64), one(True, np.bool_), numbers(2, 3))
    return [Recipe(inputs, {"body": body}, outputs=2, known=(0, 1))]


def _scan(version: int) -> list[Recipe]:
    body = _body(
        [helper.make_node("Add", ["sum", "x"], ["next"]), helper.make_node("Neg", ["next"], ["seen"])],
        [_value("sum", (3,)), _value("x", (3,))],
        [_value("next", (3,)), _value("seen", (3,))],
    )
    if version < 9:  # batches are distinguished, and sequences may have different lengths
        inputs: tuple[np.ndarray | None, ...] = (None, numbers(2, 3), numbers(2, 4, 3, seed=1))
        return [Recipe(inputs, {"body": body, "num_scan_inputs": 1}, outputs=2, known=())]
    plain = Recipe((numbers(3), numbers(4, 3, seed=1)), {"body": body, "num_scan_inputs": 1}, outputs=2, known=())
    turned = {"body": body, "num_scan_inputs": 1, "scan_input_directions": [1], "scan_output_axes": [1]}
    return [plain, Recipe(plain.inputs, turned, outputs=2, known=())]


def _attention(version: int) -> list[Recipe]:
    found = [node(_Q, _K, _V), node(_Q, _K, _V, is_causal=1, scale=0.5)]
    found.append(node(_Q, _K, _V, numbers(3, 3, seed=5), softcap=2.0))
    if version >= 24:
        found.append(node(_Q, _K, _V, None, None, None, whole(2), known=(6,)))
    return found


RECIPES: Mapping[str, Recipes] = {
    "Attention": _attention,
    "CausalConvWithState": always(
        node(numbers(2, 3, 6), numbers(3, 1, 3, seed=1), outputs=2),
        node(numbers(2, 3, 6), numbers(3, 1, 3, seed=1), numbers(3), numbers(2, 3, 2, seed=2), activation="silu"),
    ),
    "CenterCropPad": always(node(X, whole(2, 3, 2, 9)), node(X, whole(6, 3), axes=[2, 3])),
    "DynamicQuantizeLinear": always(node(X, outputs=3)),
    "FlexAttention": always(node(_Q, _K, _V)),
    "If": _if,
    "LinearAttention": always(
        node(*(numbers(1, 3, 8, seed=seed, low=-1.0) for seed in range(3)), q_num_heads=2, kv_num_heads=2, outputs=2,
             update_rule="linear"),
    ),
    "Loop": _loop,
    "NegativeLogLikelihoodLoss": always(
        node(-np.abs(_SCORES), _CLASSES, known=()),
        node(-np.abs(_SCORES), _CLASSES, numbers(5, low=0.1), reduction="sum", ignore_index=0, known=()),
    ),
    "RotaryEmbedding": always(
        node(numbers(1, 2, 3, 8), numbers(4, 4, seed=1), numbers(4, 4, seed=2), np.array([[0, 2, 1]], np.int64)),
        node(numbers(1, 2, 3, 8), numbers(1, 3, 4, seed=1), numbers(1, 3, 4, seed=2), interleaved=1),
    ),
    "Scan": _scan,
    "SoftmaxCrossEntropyLoss": always(
        node(_SCORES, _CLASSES, outputs=2, known=()),
        node(_SCORES, _CLASSES, numbers(5, low=0.1), reduction="none", known=()),
    ),
    "SwiGLU": always(node(X, numbers(2, 3, 4, 5, seed=1))),
}  # fmt: skip
