"""The parts of a layer that shaders leave out, double or mistake: biases, activations, and how to undo the latter."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.trial.case import Case
from pipeline.graph import Node

Array = NDArray[Any]

# Position of the addend among a node's inputs.
_BIAS_INPUT = {
    "Conv": 2, "ConvTranspose": 2, "Gemm": 2, "BatchNormalization": 2, "InstanceNormalization": 2,
    "LayerNormalization": 2, "GroupNormalization": 2, "Normalise": 4,
}  # fmt: skip

ACTIVATION_NODES = frozenset(
    {
        "Relu", "LeakyRelu", "Sigmoid", "Tanh", "Clip", "Elu", "Celu", "Selu", "HardSigmoid", "HardSwish", "Softplus",
        "Softsign", "Gelu", "Mish", "Swish", "PRelu", "ThresholdedRelu", "Softmax", "LogSoftmax", "Abs",
    }
)  # fmt: skip

# These leave the order of elements as it is.
_RESHAPES = frozenset({"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity"})


@dataclass(frozen=True)
class Bias:
    """An addend a channel: the node that adds it and the tensor that holds it."""

    node: Node
    tensor: str


def biases(case: Case) -> list[Bias]:
    """The addends of the pass's nodes, those of Add nodes with a constant among them."""
    found = []
    for node in case.redo.nodes:
        place = _BIAS_INPUT.get(node.op_type)
        if place is not None and place < len(node.inputs) and node.inputs[place]:
            found.append(Bias(node, node.inputs[place]))
        elif node.op_type == "Add":
            graph = case.redo.graph
            assert graph is not None
            found.extend(Bias(node, name) for name in node.inputs if name in graph.constants)
    return found


def activations(case: Case) -> list[Node]:
    """The activation nodes of the pass."""
    return [node for node in case.redo.nodes if node.op_type in ACTIVATION_NODES]


def spread_by_channel(case: Case, tensor: str) -> Array | None:
    """A constant of one value a channel (or one that broadcasts) in a shape that adds to the 4-d view of the output."""
    value = np.asarray(case.redo.values[tensor], dtype=np.float32)
    shape = case.output.shape
    if value.size == 1:
        return value.reshape(1, 1, 1, 1)
    if value.ndim == 1 and len(shape) > 2 and value.size == shape[1]:
        return value.reshape((1, -1, 1, 1)) if len(shape) == 4 else None
    return value.reshape((1,) * (4 - value.ndim) + value.shape) if value.ndim <= 4 else None


def with_attributes(node: Node, **attributes: Any) -> Node:
    """The node with some attributes replaced."""
    return dataclasses.replace(node, attributes=MappingProxyType({**node.attributes, **attributes}))


def before_tail(case: Case, values: Array) -> Array:
    """What the pointwise nodes at the end of the pass were given to make `values`; NaN where that cannot be told.

    In the 4-d view, float64.
    """
    result = values.astype(np.float64).reshape(case.dims)
    with np.errstate(all="ignore"):
        for node in reversed(case.redo.tail()):
            undo = _UNDO.get(node.op_type)
            result = undo(case, node, result) if undo is not None else np.full(result.shape, np.nan)
    return result


def undone_to(case: Case, values: Array, node: Node) -> Array | None:
    """What `node` gave, where the pointwise nodes behind it made `values` of it; NaN where that cannot be told.

    Float64, flat in the order of `values`. None if other nodes follow.
    """
    result = values.astype(np.float64).reshape(case.dims)
    wanted = case.redo.wanted
    with np.errstate(all="ignore"):
        while wanted not in node.outputs:
            maker = case.redo.makers.get(wanted)
            if maker is None:
                return None
            if maker.op_type in _RESHAPES:
                wanted = maker.inputs[0]
                continue
            undo = _UNDO.get(maker.op_type)
            made = [name for name in maker.inputs if name in case.redo.makers]
            if undo is None or len(made) != 1 or case.redo.values[made[0]].size != result.size:
                return None
            result = undo(case, maker, result)
            wanted = made[0]
    return result.reshape(-1)


def _undo_relu(_case: Case, _node: Node, y: Array) -> Array:
    return np.where(y > 0, y, np.nan)


def _undo_leaky(_case: Case, node: Node, y: Array) -> Array:
    return np.where(y > 0, y, y / float(node.attributes.get("alpha", 0.01)))


def _undo_clip(case: Case, node: Node, y: Array) -> Array:
    values = case.redo.inputs_of(node)
    low = float(values[1]) if len(values) > 1 and values[1] is not None else -np.inf
    high = float(values[2]) if len(values) > 2 and values[2] is not None else np.inf
    return np.where((y > low) & (y < high), y, np.nan)


def _undo_elu(_case: Case, node: Node, y: Array) -> Array:
    return np.where(y > 0, y, np.log1p(y / float(node.attributes.get("alpha", 1.0))))


def _operand(case: Case, node: Node) -> Array | None:
    """The operand of a two-input node that is not the chain, in a shape that broadcasts to the 4-d view."""
    made = {name for each in case.redo.nodes for name in each.outputs}
    others = [name for name in node.inputs if name and name not in made]
    if len(others) != 1 or len(node.inputs) != 2:
        return None
    value = np.asarray(case.redo.values[others[0]], dtype=np.float64)
    return value.reshape((1,) * (4 - value.ndim) + value.shape) if value.ndim <= 4 else None


def _undo_add(case: Case, node: Node, y: Array) -> Array:
    operand = _operand(case, node)
    return np.full(y.shape, np.nan) if operand is None else y - operand


def _undo_mul(case: Case, node: Node, y: Array) -> Array:
    operand = _operand(case, node)
    return np.full(y.shape, np.nan) if operand is None else y / operand


def _undo_batch_norm(case: Case, node: Node, y: Array) -> Array:
    _, scale, shift, mean, variance = (np.asarray(v, dtype=np.float64) for v in case.redo.inputs_of(node)[:5])
    epsilon = float(node.attributes.get("epsilon", 1e-5))
    factor = (scale / np.sqrt(variance + epsilon)).reshape(1, -1, 1, 1)
    return (y - shift.reshape(1, -1, 1, 1)) / factor + mean.reshape(1, -1, 1, 1)


_UNDO: Mapping[str, Callable[[Case, Node, Array], Array]] = MappingProxyType(
    {
        "Relu": _undo_relu,
        "LeakyRelu": _undo_leaky,
        "Sigmoid": lambda _case, _node, y: np.log(y / (1.0 - y)),
        "Tanh": lambda _case, _node, y: np.arctanh(y),
        "Clip": _undo_clip,
        "Elu": _undo_elu,
        "Add": _undo_add,
        "Mul": _undo_mul,
        "BatchNormalization": _undo_batch_norm,
        "Identity": lambda _case, _node, y: y,
        "Dropout": lambda _case, _node, y: y,
        "Softplus": lambda _case, _node, y: np.log(np.expm1(y)),
    }
)
