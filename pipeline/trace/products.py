"""The products whose sum an element of a pass's output is, as its operator says: which elements, which weights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import TexelscopeError
from pipeline.graph import Graph, Node
from pipeline.operators.base import Call, Operator
from pipeline.operators.families.registry import all_operators
from pipeline.plan import Pass, Plan

if TYPE_CHECKING:
    from pipeline.gl.session import Session

Array = NDArray[Any]
_SUMS = frozenset({"convolution", "transposed", "product", "mean"})
# More products of one element are not listed.
MOST_PRODUCTS = 1 << 17


@dataclass(frozen=True)
class Addend:
    """What is added to the products once: a bias. `key` is its texture's, empty where the pass reads none."""

    key: str
    element: int
    value: float


@dataclass(frozen=True)
class Products:
    """By element of the texture `key`, in the operator's order: its `values`, its `weights` and where those lie.

    `weight_key` is the texture that holds the weights (elements `weight_at`), empty where the shader has them some
    other way, as a mean has: there they are all 1 / n. `scale` is what a shader may multiply the sum with afterwards.
    """

    key: str
    elements: tuple[int, ...]
    values: Mapping[int, float]
    weights: Mapping[int, float]
    weight_key: str = ""
    weight_at: Mapping[int, int] | None = None
    addend: Addend | None = None
    scale: float = 1.0
    rounded: float = 0.0


def products_of(session: Session, each: Pass, element: int) -> Products | str | None:
    """The products behind an element of the pass's output; None where the operator is no sum of products.

    A text where it is one and the terms cannot be told, which says why. Activations are those that the pass had.
    """
    plan, graph = session.plan, session.plan.graph
    if graph is None:
        return None
    found = _summing(graph, plan, each, element)
    if found is None or isinstance(found, str):
        return found
    node, operator, index, addend = found
    call = Call(node, graph)
    reads = operator.reads_of(call, index, 0)
    if reads is None or 0 not in reads or len(reads[0]) > MOST_PRODUCTS:
        return f"What '{node.name}' reads for one element is not known."
    keys = {plan.textures[key].tensor: key for key in each.reads}
    if node.inputs[0] not in keys:
        return f"The pass does not read '{node.inputs[0]}', which '{node.name}' sums up."
    key, elements = keys[node.inputs[0]], tuple(int(i) for i in reads[0])
    values = _values(session, plan, keys, node.inputs[0])
    if values is None:
        return f"'{node.inputs[0]}' is not there."
    kept = dict(zip(elements, values[list(elements)].tolist(), strict=True))
    if operator.facts.window == "mean" or 1 not in reads:
        weight = 1.0 / _mean_count(call, len(elements))
        return Products(key, elements, kept, dict.fromkeys(elements, weight), scale=weight)
    weights = _values(session, plan, keys, node.inputs[1])
    if weights is None:
        return f"The weights '{node.inputs[1]}' are not known."
    at = [int(i) for i in reads[1]]
    scale = float(call.attribute("alpha", 1.0)) if node.op_type == "Gemm" else 1.0
    return Products(
        key,
        elements,
        kept,
        dict(zip(elements, weights[at].tolist(), strict=True)),
        keys.get(node.inputs[1], ""),
        dict(zip(elements, at, strict=True)),
        addend or _addend(session, plan, keys, node, operator, reads, call),
        scale,
        _rounding(plan, keys, node.inputs[:2]),
    )


def _summing(
    graph: Graph, plan: Plan, each: Pass, element: int
) -> tuple[Node, Operator, int, Addend | None] | str | None:
    """The node that sums, behind what is done to each element alone; which of its elements; an addend on the way."""
    producers = {output: node for node in graph.nodes for output in node.outputs if output}
    tensor, index, addend = plan.textures[each.output].tensor, element, None
    while (node := producers.get(tensor)) is not None:
        operator = all_operators().get(node.op_type)
        if operator is None:
            return None
        if operator.facts.window in _SUMS:
            return (node, operator, index, addend) if node.outputs[0] == tensor else None
        if not operator.facts.pointwise and not operator.facts.by_channel:
            return None
        reads = operator.reads_of(Call(node, graph), index, 0)
        varying = [
            position for position, name in enumerate(node.inputs) if name and name not in graph.constants
        ]  # fmt: skip
        if reads is None or len(varying) != 1 or len(reads.get(varying[0], ())) != 1:
            return None
        if operator.facts.adds and addend is None and len(node.inputs) == 2:
            other = 1 - varying[0]
            constant = graph.constants[node.inputs[other]].reshape(-1)
            addend = Addend("", int(reads[other][0]), float(constant[int(reads[other][0])]))
            key = next((key for key in each.reads if plan.textures[key].tensor == node.inputs[other]), "")
            addend = Addend(key, addend.element, addend.value)
        elif not operator.facts.is_activation and not operator.facts.pointwise:
            return f"'{node.name}' is done to the sum afterwards."
        tensor, index = node.inputs[varying[0]], int(reads[varying[0]][0])
        if tensor in {plan.textures[key].tensor for key in each.reads}:
            return None
    return None


def _addend(
    session: Session, plan: Plan, keys: Mapping[str, str], node: Node, operator: Operator,
    reads: Mapping[int, NDArray[np.int64]], call: Call,
) -> Addend | None:  # fmt: skip
    position = operator.facts.addend
    if position is None or not call.has(position) or position not in reads or not len(reads[position]):
        return None
    values = _values(session, plan, keys, node.inputs[position])
    if values is None:
        return None
    element = int(reads[position][0])
    factor = float(call.attribute("beta", 1.0)) if node.op_type == "Gemm" else 1.0
    return Addend(keys.get(node.inputs[position], ""), element, float(values[element]) * factor)


def _values(session: Session, plan: Plan, keys: Mapping[str, str], tensor: str) -> Array | None:
    """Flat, as the model has it where it is a constant, else as the pass had it."""
    value = plan.constant(tensor)
    if value is None and tensor in keys:
        try:
            value = session.tensor(keys[tensor])
        except TexelscopeError:
            return None
    return None if value is None else np.asarray(value, dtype=np.float64).reshape(-1)


def _rounding(plan: Plan, keys: Mapping[str, str], tensors: Sequence[str]) -> float:
    """How far a stored constant may be from the model's, relatively."""
    kinds = {plan.textures[keys[name]].storage for name in tensors if name in keys}
    return 2.0**-10 if "float16" in kinds else 0.0


def _mean_count(call: Call, inside: int) -> float:
    if not call.attribute("count_include_pad", 0):
        return float(inside)
    return float(math.prod(call.attribute("kernel_shape", ()) or (inside,)))
