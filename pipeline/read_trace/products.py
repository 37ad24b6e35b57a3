"""Lists the products that an operator sums up for an element of a pass's output: which elements, which weights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, Node, Shape
from texelscope.pipeline.operators.base import Call, Operator
from texelscope.pipeline.operators.families.registry import operator_of
from texelscope.pipeline.plan import Pass, Plan

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

Array = NDArray[Any]
# Operators that move elements in some of their forms alone: recognised by what one element reads.
_MOVING = frozenset({"Resize", "Upsample", "Pad"})
_SUMS = frozenset({"convolution", "transposed", "product", "mean"})
# More products of one element are not listed.
MOST_PRODUCTS = 1 << 17


@dataclass(frozen=True)
class Addend:
    """Holds what is added to the products once: a bias. `key` is its texture's, empty where the pass reads none."""

    key: str
    element: int
    value: float


@dataclass(frozen=True)
class ReadProducts:
    """Lists in the operator's order elements of the texture `key` and their weights; an element may occur repeatedly.

    `places` are where the weights lie in their tensor, or the elements in theirs: they show a shader's order. `values`
    are those elements' own, by element. `weight_key` is the texture that holds the weights, empty where the shader has
    them some other way, as a mean has: there they are all 1 / n. A shader may multiply the sum by `scale` afterwards.
    `rounded` is how far a stored factor may be from the model's, relatively.
    """

    key: str
    elements: tuple[int, ...]
    weights: tuple[float, ...]
    places: NDArray[np.int64]
    values: Mapping[int, float]
    weight_key: str = ""
    addend: Addend | None = None
    scale: float = 1.0
    rounded: float = 0.0


def products_of(session: Session, shader_pass: Pass, element: int) -> ReadProducts | str | None:
    """Returns the products behind an element of the pass's output; None where the operator is no sum of products.

    Returns a text, the reason, where the terms of such a sum are unknown. Activations are the pass's own.
    """
    plan, graph = session.plan, session.plan.graph
    if graph is None:
        return None
    found = _summing(graph, plan, shader_pass, element)
    if found is None or isinstance(found, str):
        return found
    node, operator, index, addend = found
    call = Call(node, graph)
    reads = operator.reads_of(call, index, 0)
    if reads is None or 0 not in reads or len(reads[0]) > MOST_PRODUCTS:
        return f"What '{node.name}' reads for one element is not known."
    keys = {plan.textures[key].tensor: key for key in shader_pass.reads}
    sources = _sources(graph, keys, node.inputs[0], [int(i) for i in reads[0]])
    if isinstance(sources, str):
        return sources
    key, elements = keys[sources.tensor], sources.elements
    values = _values(session, plan, keys, sources.tensor)
    if values is None:
        return f"'{sources.tensor}' is not there."
    there = [position for position, element in enumerate(elements) if element >= 0]
    taken = tuple(elements[position] for position in there)
    kept = {element: float(values[element]) for element in taken}
    if operator.facts.window == "mean" or 1 not in reads:
        weight = 1.0 / _mean_count(call, len(elements))
        places = _places(reads[0][there], call.shape(0))
        return ReadProducts(key, taken, (weight,) * len(taken), places, kept, scale=weight)
    weights = _values(session, plan, keys, node.inputs[1])
    if weights is None:
        return f"The weights '{node.inputs[1]}' are not known."
    scale = float(call.attribute("alpha", 1.0)) if node.op_type == "Gemm" else 1.0
    return ReadProducts(
        key,
        taken,
        tuple(float(weights[int(reads[1][position])]) for position in there),
        _places(reads[1][there], call.shape(1)),
        kept,
        keys.get(node.inputs[1], ""),
        addend or _addend(session, plan, keys, node, operator, reads, call),
        scale,
        _rounding(plan, keys, (sources.tensor, node.inputs[1])),
    )


def _places(elements: NDArray[np.int64], shape: Shape) -> NDArray[np.int64]:
    """Returns where each element lies: [elements, axes]."""
    return np.stack(np.unravel_index(elements, shape), axis=1) if len(shape) else np.zeros((len(elements), 0), np.int64)


@dataclass(frozen=True)
class _Sources:
    """Lists elements of a tensor that the pass reads; -1 for zeros put around it."""

    tensor: str
    elements: tuple[int, ...]


def _sources(graph: Graph, keys: Mapping[str, str], tensor: str, elements: list[int]) -> _Sources | str:
    """Finds the sources of a tensor's elements through operators that only move them: enlargement, zero borders."""
    producers = {output: node for node in graph.nodes for output in node.outputs if output}
    first = tensor
    while tensor not in keys:
        node = producers.get(tensor)
        operator = operator_of(node) if node is not None else None
        if node is None or operator is None or not (operator.facts.moves or node.op_type in _MOVING):
            return f"The pass does not read '{first}', which it sums up."
        call, found = Call(node, graph), []
        for element in elements:
            reads = operator.reads_of(call, element, 0) if element >= 0 else {}
            source = reads.get(0) if reads is not None else None
            if element >= 0 and (source is None or len(source) > 1):
                return f"'{node.name}' mixes elements before they are summed up."
            found.append(int(source[0]) if source is not None and len(source) else -1)
        tensor, elements = node.inputs[0], found
    return _Sources(tensor, tuple(elements))


def _summing(
    graph: Graph, plan: Plan, shader_pass: Pass, element: int
) -> tuple[Node, Operator, int, Addend | None] | str | None:
    """Finds the summing node behind pointwise ones, the element of it, and an addend on the way."""
    producers = {output: node for node in graph.nodes for output in node.outputs if output}
    tensor, index, addend = plan.textures[shader_pass.output].tensor, element, None
    while (node := producers.get(tensor)) is not None:
        operator = operator_of(node)
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
            key = next((key for key in shader_pass.reads if plan.textures[key].tensor == node.inputs[other]), "")
            addend = Addend(key, addend.element, addend.value)
        elif not operator.facts.is_activation and not operator.facts.pointwise:
            return f"'{node.name}' is done to the sum afterwards."
        tensor, index = node.inputs[varying[0]], int(reads[varying[0]][0])
        if tensor in {plan.textures[key].tensor for key in shader_pass.reads}:
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
    """Returns flat values: the model's where they are constant, else those that the pass had."""
    value = plan.constant(tensor)
    if value is None and tensor in keys:
        try:
            value = session.tensor(keys[tensor])
        except TexelscopeError:
            return None
    return None if value is None else np.asarray(value, dtype=np.float64).reshape(-1)


def _rounding(plan: Plan, keys: Mapping[str, str], tensors: Sequence[str]) -> float:
    """Returns how far a stored constant may be from the model's, relatively."""
    kinds = {plan.textures[keys[name]].storage for name in tensors if name in keys}
    return 2.0**-10 if "float16" in kinds else 0.0


def _mean_count(call: Call, inside: int) -> float:
    if not call.attribute("count_include_pad", 0):
        return float(inside)
    return float(math.prod(call.attribute("kernel_shape", ()) or (inside,)))
