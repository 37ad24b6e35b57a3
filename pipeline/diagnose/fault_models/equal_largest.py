"""Proposes other choices among equal largest elements: the model takes the first one, a shader may take others.

This matters where the position of the largest does, as in a backward pass through a pool, and where elements are equal,
as zeros are behind a ReLU.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange, ModelEdit, NodeChange, Values
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError, WindowSum
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node

Array = NDArray[Any]
# Ranks are exact in float32 up to this many.
_MOST = 1 << 24


@dataclass(frozen=True)
class TieChoice:
    """A node that finds the largest, a description of what it chooses instead, and the edit."""

    node: Node
    says: str
    change: ModelEdit


def among_equals(case: FailingPass) -> Iterator[TieChoice]:
    """Yields the last of equal ones, and every one of them, for pools and argmaxes with equal largest elements."""
    for node in case.model_slice.nodes:
        if node.op_type != "ArgMax" and not (node.op_type == "MaxPool" and len(node.outputs) > 1):
            continue
        x = np.asarray(case.model_slice.values[node.inputs[0]])
        if x.dtype.kind != "f" or x.size > _MOST or len(np.unique(x)) == x.size:
            continue
        last = "the last of equal maxima"
        if node.op_type == "ArgMax":
            yield TieChoice(node, last, InputChange(node.inputs[0], _later_first, node=node.name))
        if case.model_slice.window(node) is None:
            continue
        yield TieChoice(node, last, InputChange(node.outputs[1], LastPlaces(case, node)))
        for reader in _readers_of_places(case, node):
            yield TieChoice(node, "every one of equal maxima", NodeChange(reader.name, TiesEverywhere(case, node)))


def _later_first(x: Array) -> Array:
    """Returns ranks of the elements, those of equal ones by their positions."""
    ranks = np.empty(x.size, dtype=np.float32)
    ranks[np.argsort(x.reshape(-1), kind="stable")] = np.arange(x.size)
    return ranks.reshape(x.shape)


def _readers_of_places(case: FailingPass, node: Node) -> Iterator[Node]:
    """Yields nodes that put values at those positions, or compare them with positions of the window's taps."""
    pending = [node.outputs[1]]
    while pending:
        for reader in case.model_slice.readers(pending.pop()):
            if reader.op_type == "MaxUnpool" or case.model_slice.values[reader.outputs[0]].dtype.kind == "b":
                yield reader
            elif case.model_slice.values[reader.outputs[0]].dtype.kind in "iu":
                pending.append(reader.outputs[0])


@dataclass(frozen=True)
class LastPlaces:
    """Returns positions of the last of equal ones, over the whole source, as the pool `node` does."""

    case: FailingPass
    node: Node

    def __call__(self, places: Array) -> Array:
        window = _window_of(self.case, self.node)
        is_largest, ys, xs = _largest(window)
        tap = len(ys) - 1 - is_largest[:, :, ::-1].argmax(axis=2)
        n, c, row, column = np.indices(tap.shape)
        H, W = window.source.shape[2:]
        found = ((n * tap.shape[1] + c) * H + np.stack(ys)[tap, row]) * W + np.stack(xs)[tap, column]
        return np.asarray(found).reshape(places.shape)


@dataclass(frozen=True)
class TiesEverywhere:
    """Evaluates the reader of the positions of the pool `node`, as if each of equal ones had its own."""

    case: FailingPass
    node: Node

    def __call__(self, reader: Node, inputs: Values) -> Array:
        window = _window_of(self.case, self.node)
        is_largest, ys, xs = _largest(window)
        if reader.op_type != "MaxUnpool":
            return is_largest.reshape(*is_largest.shape[:3], -1)
        dy, found = np.asarray(inputs[0]), np.zeros_like(window.source)
        if dy.shape != (*is_largest.shape[:2], *is_largest.shape[3:]):
            raise DoesNotApplyError(reader.name)
        for tap in range(is_largest.shape[2]):
            at = np.nonzero(is_largest[:, :, tap])
            np.add.at(found, (at[0], at[1], ys[tap][at[2]], xs[tap][at[3]]), dy[at])
        return found


def _window_of(case: FailingPass, node: Node) -> WindowSum:
    window = case.model_slice.window(node)
    if window is None:
        raise DoesNotApplyError(node.name)
    return window


def _largest(window: WindowSum) -> tuple[NDArray[np.bool_], list[Array], list[Array]]:
    """Returns a mask of taps that read their window's largest, [N, C, taps, rows, columns], and their positions."""
    places = list(itertools.product(window.places(0), window.places(1)))
    values = (window.reads(y, x) for y, x in places)
    taps = np.stack([np.where(inside, read, -np.inf) for read, inside in values], axis=2)
    is_largest = np.asarray((taps == taps.max(axis=2, keepdims=True)) & np.isfinite(taps))
    return is_largest, [y for y, _ in places], [x for _, x in places]
