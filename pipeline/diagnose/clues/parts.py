"""The parts of a layer that shaders leave out, double or mistake: biases and activations, and what went into these."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of, operator_of

Array = NDArray[Any]
# Numbers are fitted to so many curves: each is redone a hundred times.
_MOST_CURVES = 4


@dataclass(frozen=True)
class Bias:
    """An addend a channel: the node that adds it and the tensor that holds it."""

    node: Node
    tensor: str


def biases(case: FailingPass) -> list[Bias]:
    """The addends of the pass's nodes, the constant ones of sums among them."""
    found: list[Bias] = []
    for node in case.redo.nodes:
        facts, graph = facts_of(node), case.redo.graph
        assert graph is not None
        if facts.adds and not _is_under_a_root(case, node):
            held = (name for name in node.inputs if name in graph.constants)
            # A table with more axes, such as a mask or positions, is no bias.
            found.extend(Bias(node, name) for name in held if sum(size > 1 for size in graph.tensors[name].shape) <= 1)
        elif facts.addend is not None and any(node.inputs[facts.addend : facts.addend + 1]):
            found.append(Bias(node, node.inputs[facts.addend]))
    return found


def _is_under_a_root(case: FailingPass, node: Node) -> bool:
    """Whether it adds one small number before a root, which is an epsilon and no bias."""
    readers = case.redo.readers(node.outputs[0])
    held = [case.redo.values[name] for name in node.inputs if case.redo.values[name].size == 1]
    return bool(held and readers) and all(each.op_type == "Sqrt" for each in readers)


def added_inputs(case: FailingPass) -> list[str]:
    """Tensors that functions as oracle add to the result: one more in all of them is one more everywhere."""
    found = []
    for name in case.redo.given if case.redo.graph is None else ():
        with np.errstate(all="ignore"):
            more = case.redo.evaluate([InputChange(name, lambda x: x + 1)]) - case.redo.expected()
        if np.allclose(more, 1.0, rtol=1e-3):
            found.append(name)
    return found


def is_added(case: FailingPass, tensor: str) -> bool:
    """Whether a tensor is a bias of the pass: what is said of one has names of its own."""
    if "added" not in case.kept:
        case.kept["added"] = frozenset(bias.tensor for bias in biases(case))
    return tensor in case.kept["added"]


def activations(case: FailingPass) -> list[Node]:
    """The activation nodes of the pass."""
    return list(case.redo.nodes_with(lambda facts: facts.is_activation))


def inner_curves(case: FailingPass) -> list[Node]:
    """Activations and softmaxes, but what the pass reads does not go into straight: a few, the last first."""
    found = case.redo.nodes_with(lambda facts: facts.is_activation or facts.share is not None)
    return [node for node in reversed(found) if node.inputs[0] not in case.redo.given][:_MOST_CURVES]


def spread_by_channel(case: FailingPass, tensor: str) -> Array | None:
    """A constant of one value a channel (or one that broadcasts) in a shape that adds to the 4-d view of the output."""
    value = np.asarray(case.redo.values[tensor], dtype=np.float32)
    shape = case.output.shape
    if value.size == 1:
        return value.reshape(1, 1, 1, 1)
    if value.ndim == 1 and len(shape) > 2 and value.size == shape[1]:
        return value.reshape((1, -1, 1, 1)) if len(shape) == 4 else None
    wide = value.reshape((1,) * (4 - value.ndim) + value.shape) if value.ndim <= 4 else None
    fits = wide is not None and all(size in (1, own) for size, own in zip(wide.shape, case.dims, strict=True))
    return wide if fits else None


def with_attributes(node: Node, **attributes: Any) -> Node:
    """The node with some attributes replaced."""
    return dataclasses.replace(node, attributes=MappingProxyType({**node.attributes, **attributes}))


def undone_to(case: FailingPass, values: Array, node: Node) -> Array | None:
    """What `node` gave, where the nodes behind it made `values` of it; NaN where that cannot be told.

    Float64, flat in the order of `values`. None if nodes follow that cannot be undone.
    """
    result, wanted = values.astype(np.float64), case.redo.wanted
    while wanted not in node.outputs:
        maker = case.redo.makers.get(wanted)
        made = [] if maker is None else [name for name in maker.inputs if name in case.redo.makers]
        if maker is None or len(made) != 1 or case.redo.values[made[0]].size != result.size:
            return None
        given = _undone(case, maker, result, maker.inputs.index(made[0]))
        if given is None:
            return None
        result, wanted = given, made[0]
    return result.reshape(-1)


def _undone(case: FailingPass, node: Node, values: Array, position: int) -> Array | None:
    """The input at `position` that makes the node's result `values`."""
    operator, made = operator_of(node), case.redo.values[node.outputs[0]]
    if operator is None or made.size != values.size or node.inputs.count(node.inputs[position]) > 1:
        return None
    if facts_of(node).moves and (sources := case.redo.sources(node, np.arange(values.size))) is not None:
        given = np.full(case.redo.values[node.inputs[position]].shape, np.nan)
        given.reshape(-1)[sources[1][sources[0] == position]] = values.reshape(-1)[sources[0] == position]
        return given
    with np.errstate(all="ignore"):
        return operator.undo(case.redo.call(node), case.redo.inputs_of(node), position, values.reshape(made.shape))
