"""Which tensors of a pass go into which of its nodes: those that it reads, and the parts that these are cut into."""

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
# One taken, one expected, what is taken for each by name, and the nodes that take it so.
Wired = tuple[str, str, Mapping[str, str], Sequence[Node]]

# So many parts, and tensors computed, are tried for one another.
_MOST = 12
# In larger tensors parts are not looked for.
_LARGEST = 1 << 20


def wired_otherwise(case: FailingPass) -> Iterator[Wired]:
    """Two parts of one shape swapped, one in place of another tensor everywhere, and where one node reads that.

    In place of what the pass itself computes too: such as the state before the step for the state after it.
    """
    values, given, parts = case.redo.values, {*case.redo.given}, _parts(case)
    pairs = [
        (got, lost)
        for lost in (*parts, *_computed(case))
        for got in parts
        if _may_be(values, got, lost) and not _goes_in(case, got, lost)
    ]
    for got, lost in pairs:
        readers = _readers(case, lost)
        if not readers or {got, lost} <= given:
            continue  # what is read as a whole is told of by what is bound
        if got < lost and lost in parts and (others := _readers(case, got)):
            yield got, lost, {got: lost, lost: got}, tuple({each.name: each for each in (*readers, *others)}.values())
        yield got, lost, {lost: got}, readers
    for got, lost in pairs:
        readers = _readers(case, lost)
        for node in readers if len(readers) > 1 or {got, lost} <= given else ():
            yield got, lost, {lost: got}, (node,)


def reading(case: FailingPass, taken: Mapping[str, Array]) -> Callable[[Node, Values], Array]:
    """A node that finds other values in some tensors, by name."""

    def change(node: Node, inputs: Values) -> Array:
        return case.redo.run_node(node, [taken.get(name, x) for name, x in zip(node.inputs, inputs, strict=True)])

    return change


def _may_be(values: Mapping[str, Array], got: str, lost: str) -> bool:
    one, other = values[got], values[lost]
    return got != lost and one.shape == other.shape and not np.array_equal(one, other)


def _goes_in(case: FailingPass, got: str, lost: str) -> bool:
    """Whether one is a function of the other: taken in its place, it is the function that is not there."""
    maker = case.redo.makers.get(lost)
    return maker is not None and got in maker.inputs and facts_of(maker).pointwise and not facts_of(maker).adds


def _computed(case: FailingPass) -> list[str]:
    """What the pass makes on the way to its result and goes on with."""
    made = [node.outputs[0] for node in case.redo.nodes if not facts_of(node).moves]
    return [name for name in made if name != case.redo.wanted and case.redo.values[name].dtype.kind == "f"][:_MOST]


def _parts(case: FailingPass) -> list[str]:
    """What the pass reads, constants aside, and what is cut out of that or of anything else, in the nodes' order."""
    cut = (name for node in case.redo.nodes if facts_of(node).moves for name in node.outputs if name)
    names = dict.fromkeys((*case.redo.given, *cut))
    return [name for name in names if name in case.redo.values and case.redo.values[name].dtype.kind == "f"][:_MOST]


def _readers(case: FailingPass, name: str) -> tuple[Node, ...]:
    """Nodes that compute something of it."""
    return tuple(node for node in case.redo.readers(name) if not facts_of(node).moves)
