"""Proposes other inputs for the nodes of a pass: tensors that it reads, or parts of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.model_slice.model_slice import Values
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
# The tensor read, the one expected, replacement values by name, and the nodes that use them.
Wired = tuple[str, str, Mapping[str, str], Sequence[Node]]

# At most this many parts, and computed tensors, replace one another.
_MOST = 12
# Larger tensors are not searched for parts.
_LARGEST = 1 << 20


def wired_otherwise(case: FailingPass) -> Iterator[Wired]:
    """Yields two parts of one shape swapped, and one in place of another, in all nodes and in one.

    Tensors that the pass computes may be replaced too: such as the state after a step by the state before it.
    """
    values, given, parts = case.model_slice.values, {*case.model_slice.given}, _parts(case)
    pairs = [
        (got, lost)
        for lost in (*parts, *_computed(case))
        for got in parts
        if _may_be(values, got, lost) and not _goes_in(case, got, lost)
    ]
    for got, lost in pairs:
        readers = _readers(case, lost)
        if not readers or {got, lost} <= given:
            continue  # the bindings decide about whole tensors
        if got < lost and lost in parts and (others := _readers(case, got)):
            yield got, lost, {got: lost, lost: got}, tuple({each.name: each for each in (*readers, *others)}.values())
        yield got, lost, {lost: got}, readers
    for got, lost in pairs:
        readers = _readers(case, lost)
        for node in readers if len(readers) > 1 or {got, lost} <= given else ():
            yield got, lost, {lost: got}, (node,)


def reading(case: FailingPass, taken: Mapping[str, Array]) -> Callable[[Node, Values], Array]:
    """Returns a node's function with other values in some tensors, by name."""

    def change(node: Node, inputs: Values) -> Array:
        return case.model_slice.run_node(
            node, [taken.get(name, x) for name, x in zip(node.inputs, inputs, strict=True)]
        )

    return change


def _may_be(values: Mapping[str, Array], got: str, lost: str) -> bool:
    one, other = values[got], values[lost]
    return got != lost and one.shape == other.shape and not np.array_equal(one, other)


def _goes_in(case: FailingPass, got: str, lost: str) -> bool:
    """Whether one is a function of the other: read in its place, it only omits the function."""
    maker = case.model_slice.makers.get(lost)
    return maker is not None and got in maker.inputs and facts_of(maker).pointwise and not facts_of(maker).adds


def _computed(case: FailingPass) -> list[str]:
    """Returns intermediate tensors of the pass that other nodes of it use."""
    made = [node.outputs[0] for node in case.model_slice.nodes if not facts_of(node).moves]
    return [
        name for name in made if name != case.model_slice.wanted and case.model_slice.values[name].dtype.kind == "f"
    ][:_MOST]


def _parts(case: FailingPass) -> list[str]:
    """Returns tensors that the pass reads, constants aside, and parts cut out of any tensor, in the nodes' order."""
    cut = (name for node in case.model_slice.nodes if facts_of(node).moves for name in node.outputs if name)
    names = dict.fromkeys((*case.model_slice.given, *cut))
    return [
        name for name in names if name in case.model_slice.values and case.model_slice.values[name].dtype.kind == "f"
    ][:_MOST]


def _readers(case: FailingPass, name: str) -> tuple[Node, ...]:
    """Returns nodes that compute with that tensor."""
    return tuple(node for node in case.model_slice.readers(name) if not facts_of(node).moves)
