"""Updates put into a copy of a tensor: ScatterElements, Scatter, ScatterND, TensorScatter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward


@dataclass(frozen=True)
class _Places:
    """Where the updates go: how to put something there, and to take it from there."""

    node: Backward
    indices: str
    # None: indices are tuples, as of ScatterND.
    axis: int | None

    def put(self, into: str, updates: str, reduction: str, label: str) -> str:
        """`updates` at the places of `into`."""
        operator, attributes = ("ScatterND", {}) if self.axis is None else ("ScatterElements", {"axis": self.axis})
        said = reduction if reduction != "none" else None
        return self.node.add(operator, into, self.indices, updates, label=label, reduction=said, **attributes)

    def take(self, from_: str, label: str) -> str:
        """What is at the places, of the updates' shape."""
        operator, attributes = ("GatherND", {}) if self.axis is None else ("GatherElements", {"axis": self.axis})
        return self.node.add(operator, from_, self.indices, label=label, **attributes)


def scatter_elements(node: Backward) -> None:
    """Updates along an axis."""
    _scatter(_Places(node, node.x(1), node.axis()))


def scatter_nd(node: Backward) -> None:
    """Slices at tuples of indices."""
    _scatter(_Places(node, node.x(1), None))


def _scatter(places: _Places) -> None:
    """By what becomes of an element and its updates. Of several put at one place each gets what arrives there."""
    node = places.node
    reduction = str(node.attribute("reduction", "none"))
    if 0 in node.shape(1):
        node.result(0, node.dy())
    elif reduction == "none":
        _replaced(places, 2)
    elif reduction == "add":
        node.result(0, node.dy())
        if node.wants(2):
            node.result(2, places.take(node.dy(), "d_updates"))
    elif reduction == "mul":
        _multiplied(places)
    else:
        _extreme(places)


def _replaced(places: _Places, position: int) -> None:
    """d_data = dy without what was overwritten, d_updates = dy there; `position` is that of the updates."""
    node = places.node
    if node.wants(0):
        zeros = node.filled(0.0, node.shape(position), label="zeros")
        node.result(0, places.put(node.dy(), zeros, "none", "d_data"))
    if node.wants(position):
        node.result(position, places.take(node.dy(), "d_updates"))


def _multiplied(places: _Places) -> None:
    """Each factor gets dy times the others: all but the zeros among them, divided by itself.

    A second zero at the same place makes it 0, as PyTorch has it.
    """
    node = places.node
    zero, one = node.constant(0.0, label="zero"), node.constant(1.0, label="one")
    ones, factors = [], []
    for position in (0, 2):
        none = node.add("Equal", node.x(position), zero, label=f"is_zero_{position}")
        ones.append(node.add("Where", none, one, zero, label="zeros_of"))
        factors.append(node.add("Where", none, one, node.x(position), label=f"factor_{position}"))
    count = places.put(ones[0], ones[1], "add", "zeros_there")
    product = places.put(factors[0], factors[1], "mul", "product")
    for position, factor, own in zip((0, 2), factors, ones, strict=True):
        if not node.wants(position):
            continue
        at = [count, product, node.dy()]
        if position == 2:
            at = [places.take(each, "taken") for each in at]
        others = node.add("Equal", at[0], own, label="no_other_zero")
        share = node.add("Div", at[1], factor, label="of_the_others")
        share = node.add("Where", others, share, zero, label="unless_zero")
        node.result(position, node.add("Mul", at[2], share, label=f"d_{position}"))


def _extreme(places: _Places) -> None:
    """What is the largest or smallest at its place gets dy, shared evenly among those that are."""
    node = places.node
    zero, one = node.constant(0.0, label="zero"), node.constant(1.0, label="one")
    own = node.add("Equal", node.x(0), node.y(), label="data_won")
    of_data = node.add("Where", own, one, zero, label="data_counts")
    found = node.add("Equal", node.x(2), places.take(node.y(), "y_there"), label="update_won")
    of_updates = node.add("Where", found, one, zero, label="update_counts")
    share = node.add("Div", node.dy(), places.put(of_data, of_updates, "add", "winners"), label="share")
    if node.wants(0):
        node.result(0, node.add("Where", own, share, zero, label="d_data"))
    if node.wants(2):
        node.result(2, node.add("Where", found, places.take(share, "share_there"), zero, label="d_updates"))


def tensor_scatter(node: Backward) -> None:
    """As where updates replace elements along an axis, each batch entry's from its own place on."""
    updates, rank = node.shape(1), len(node.shape(0))
    axis = node.axis(default=-2)
    run = node.constant(np.arange(updates[axis]).reshape(-1, *(1,) * (rank - axis - 1)), "int64", "run")
    indices = run
    if node.has(2):
        first = node.to_shape(node.x(2), (updates[0], *(1,) * (rank - 1)), label="first")
        indices = node.add("Add", first, run, label="places")
        if node.attribute("mode", "linear") == "circular":
            size = node.constant(node.shape(0)[axis], "int64", "axis_count")
            indices = node.add("Mod", indices, size, label="circular_places")
    _replaced(_Places(node, node.spread(indices, updates, label="indices"), axis), 1)


DERIVATIVES = {
    "ScatterElements": scatter_elements,
    "Scatter": scatter_elements,
    "ScatterND": scatter_nd,
    "TensorScatter": tensor_scatter,
}
FLAT = ()
