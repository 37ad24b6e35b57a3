"""Computes a pass's result under an index map: every product, or element, is read where the map points."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.evidence.stored_values import Beyond
from texelscope.pipeline.diagnose.index_maps.decoded_probes import ReadMoves, asked_of
from texelscope.pipeline.diagnose.index_maps.product_terms import axes_of
from texelscope.pipeline.diagnose.index_maps.solving import FactorSide, IndexMap
from texelscope.pipeline.diagnose.model_slice.model_slice import NodeChange
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.diagnose.probes.designs import NOTHING, UNKNOWN
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
# If this share of the coordinates is equal, the other tensor is read in place of this one.
_SAME = 0.9
# Larger results are computed for a sample only, product by product.
_MOST_ELEMENTS = 1024


def leaves(found: IndexMap, at: Sequence[Array]) -> bool:
    """Whether places n, c, h, w of a map lie outside its tensor."""
    return any(
        bool(((place < 0) | (place >= size)).any()) for place, size in zip(at, found.read.values.dims, strict=True)
    )


def redone(case: FailingPass, found: IndexMap, beyond: Beyond) -> tuple[Array, Array, bool]:
    """Returns a sample's result under the map, and which elements it covers, both in the 4-d view.

    The last value says whether any read lies outside, so that `beyond` makes a difference.

    Raises DoesNotApplyError where an element's products are unknown.
    """
    asked = asked_of(case)
    if asked is not None and found.moves is not None:
        return *taken_otherwise(case, asked.moves), False
    node, more, outside = _more(case, found, beyond, case.sample)
    covered = np.zeros(case.actual.size, dtype=bool)
    covered[case.sample] = True
    value = (np.asarray(case.whole([], node.outputs[0]), dtype=np.float64) + more).astype(np.float32)
    return case.evaluate([NodeChange(node.name, lambda _node, _inputs: value)]), covered.reshape(case.dims), outside


def redone_everywhere(case: FailingPass, found: IndexMap, beyond: Beyond) -> tuple[NodeChange, ...]:
    """Returns the same as lazy model edits, for the nodes behind it; nothing for what is not a sum."""
    if found.of is None or found.of.terms is None or case.actual.size > _MOST_ELEMENTS:
        return ()

    @functools.cache
    def more() -> Array:
        return _more(case, found, beyond, np.arange(case.actual.size))[1]

    node = found.of.node.name
    return (NodeChange(node, lambda same, x: (case.model_slice.run_node(same, x) + more()).astype(np.float32)),)


def _more(case: FailingPass, found: IndexMap, beyond: Beyond, elements: Array) -> tuple[Node, Array, bool]:
    """Returns the sum's node, its increase for some elements of the result, and whether any read lies outside."""
    terms = found.of.terms if found.of is not None else None
    if found.of is None or terms is None:
        raise DoesNotApplyError(found.read.tensor)
    side = FactorSide(terms, found.read, terms.source if found.is_weights else terms.weights)
    value = np.zeros(case.model_slice.values[terms.node.outputs[0]].shape)
    outside, flat, held = False, value.reshape(-1), found.read.values.elements.reshape(-1)
    for element in elements.tolist():
        pairs = found.of.pairs(element)
        if pairs is None:
            raise DoesNotApplyError(terms.node.name)
        place, first, second, sign = pairs
        own, other = (second, first) if found.is_weights else (first, second)
        there = (own >= 0) & ((other >= 0) | (side.beside is None))
        own, other, sign = own[there], other[there], sign[there]
        right: Any = 1.0 if side.beside is None else side.beside.values.elements.reshape(-1)[other].astype(np.float64)
        factor = right
        at = found.at(side.columns(case, np.full(len(own), place), own, other))
        outside = outside or leaves(found, at)
        taken = found.read.values.read(*at, beyond).astype(np.float64)
        if found.beside is not None and side.beside is not None:
            there_too = FactorSide(terms, found.beside.read, side.read).columns(
                case, np.full(len(own), place), other, own
            )
            factor = side.beside.values.read(*found.beside.at(there_too), beyond).astype(np.float64)
        flat[place] += float(np.sum(sign * (factor * taken - right * held[own])))
    return terms.node, value, outside


def taken_otherwise(case: FailingPass, moves: Sequence[ReadMoves]) -> tuple[Array, Array]:
    """Returns the result with every element read where it was observed, and a mask of those elements, in the 4-d view.

    A read that one tensor lacks may be an unexpected read of another. Raises DoesNotApplyError where the tensors are
    not read by one node.
    """
    moves = [each for each in moves if (each.actual != each.expected).any()]
    if len(moves) == 1 and moves[0].slope is not None:
        return _by_slope(case, moves[0], moves[0].slope)
    names = [each.read.tensor for each in moves]
    nodes = [node for node in case.model_slice.nodes if set(node.inputs).intersection(names)]
    if len(nodes) != 1 or case.model_slice.values[nodes[0].outputs[0]].size != case.actual.size:
        raise DoesNotApplyError("elements read by several nodes")
    node, elements = nodes[0], moves[0].elements
    covered = np.zeros(case.actual.size, dtype=bool)
    covered[elements[np.all([(each.actual != UNKNOWN) & (each.expected != UNKNOWN) for each in moves], axis=0)]] = True
    inputs, result = case.model_slice.inputs_of(node), case.model_slice.values[node.outputs[0]]
    facts, value = facts_of(node), np.array(result, dtype=np.float32)
    other = sum(np.where((each.expected == NOTHING) & (each.actual >= 0), _values_of(each), 0.0) for each in moves)
    for each in moves:
        got = np.where(each.actual >= 0, _values_of(each), other)
        own = each.expected >= 0
        if facts.pointwise:
            operand = np.zeros(result.size, dtype=np.float32)
            operand[elements] = got
            inputs = [
                operand.reshape(result.shape) if name == each.read.tensor else old
                for name, old in zip(node.inputs, inputs, strict=True)
            ]
        else:
            right = each.read.values.elements.reshape(-1)[np.maximum(each.expected, 0)]
            value.reshape(-1)[elements[own]] = (got if facts.moves else value.reshape(-1)[elements] + got - right)[own]
    changed = NodeChange(
        node.name, lambda same, _inputs: case.model_slice.run_node(same, inputs) if facts.pointwise else value
    )
    return case.evaluate([changed]), covered.reshape(case.dims)


def _by_slope(case: FailingPass, moves: ReadMoves, slope: Array) -> tuple[Array, Array]:
    """Returns the same for one tensor in which the result is linear."""
    known = (moves.actual >= 0) & (moves.expected >= 0)
    covered, value = np.zeros(case.actual.size, dtype=bool), np.array(case.expected, dtype=np.float64)
    held = moves.read.values.elements.reshape(-1).astype(np.float64)
    at = moves.elements[known]
    value.reshape(-1)[at] += slope[known] * (held[moves.actual[known]] - held[moves.expected[known]])
    covered[at] = True
    return value.astype(np.float32), covered.reshape(case.dims)


def _values_of(moves: ReadMoves) -> Array:
    """Returns the tensor's values where each element reads it."""
    return np.asarray(moves.read.values.elements.reshape(-1)[np.maximum(moves.actual, 0)])


def lost(moves: ReadMoves) -> Mapping[str, tuple[int, ...]]:
    """Returns by axis (n, c, h, w) the places that are never read, if nothing else is wrong."""
    expected = moves.expected >= 0
    gone = moves.actual[expected] == NOTHING
    if not gone.any() or (moves.actual[expected] != moves.expected[expected])[~gone].any():
        return {}
    found = {}
    for axis, column in axes_of(moves.read, moves.expected[expected]).items():
        places = np.unique(column[gone])
        if np.isin(column, places).sum() == gone.sum() and len(places) < moves.read.values.dims["nchw".index(axis)]:
            found[axis] = tuple(places.tolist())
    return found


def strangers(moves: Sequence[ReadMoves]) -> tuple[tuple[str, str], ...]:
    """Returns pairs of tensors of which the second is read where the first is expected."""
    found = []
    for gone in moves:
        missing = (gone.expected >= 0) & (gone.actual == NOTHING)
        for got in moves:
            there = missing & (got.expected == NOTHING) & (got.actual >= 0)
            own, other = axes_of(gone.read, gone.expected[there]), axes_of(got.read, got.actual[there])
            # Most places are equal; otherwise the elements only happen to lie in that tensor.
            if there.any() and np.mean([own[axis] == other[axis] for axis in "nchw"]) > _SAME:
                found.append((gone.read.tensor, got.read.tensor))
    return tuple(found)
