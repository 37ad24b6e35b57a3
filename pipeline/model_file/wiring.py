"""Checks which node computes and which read each tensor of a model, and orders the nodes for a run."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from texelscope.pipeline.errors import TexelscopeError, nearest


@dataclass(frozen=True)
class NodeWires:
    """Describes a node by the tensors that it reads and computes; an omitted one is the empty string."""

    who: str
    reads: tuple[str, ...]
    makes: tuple[str, ...]


def order(nodes: Sequence[NodeWires], given: Sequence[str], outputs: Sequence[str], name: str) -> list[int]:
    """Returns positions in `nodes` in topological order: the model's own, if it is one.

    `given` are inputs and constants, `name` is the model's. Raises TexelscopeError for a tensor that is computed
    twice or not at all, and for cycles of nodes.
    """
    makers = _makers(nodes, given, name)
    _check_all_made(nodes, {*given, *makers}, outputs, name)
    waiting = [{makers[read] for read in node.reads if read in makers} for node in nodes]
    readers: dict[int, list[int]] = {}
    for position, needed in enumerate(waiting):
        for maker in needed:
            readers.setdefault(maker, []).append(position)
    ready = [position for position, needed in enumerate(waiting) if not needed]
    ordered = []
    while ready:
        position = heapq.heappop(ready)
        ordered.append(position)
        for reader in readers.get(position, ()):
            waiting[reader].discard(position)
            if not waiting[reader]:
                heapq.heappush(ready, reader)
    if len(ordered) < len(nodes):
        _raise_cycle(nodes, waiting, name)
    return ordered


def _makers(nodes: Sequence[NodeWires], given: Sequence[str], name: str) -> dict[str, int]:
    known = set()
    for tensor in given:
        if tensor in known:
            raise _made_twice(tensor, "inputs and initializers", name)
        known.add(tensor)
    makers: dict[str, int] = {}
    for position, node in enumerate(nodes):
        for tensor in filter(None, node.makes):
            if tensor in known or tensor in makers:
                first = nodes[makers[tensor]].who if tensor in makers else "an input or initializer"
                raise _made_twice(tensor, f"{first} and {node.who}", name)
            makers[tensor] = position
    return makers


def _made_twice(tensor: str, where: str, name: str) -> TexelscopeError:
    return TexelscopeError(
        f"tensor '{tensor}' ({name})", "a name that is given once", f"two: {where}", "Check the exporting script."
    )


def _check_all_made(nodes: Sequence[NodeWires], made: Collection[str], outputs: Sequence[str], name: str) -> None:
    for node in nodes:
        for tensor in node.reads:
            if tensor and tensor not in made:
                raise TexelscopeError(
                    f"{node.who} ({name})", "inputs that the model has", f"'{tensor}'", nearest(tensor, made)
                )
    for tensor in outputs:
        if tensor not in made:
            raise TexelscopeError(
                f"output '{tensor}' ({name})", "a tensor that a node makes", "none of that name", nearest(tensor, made)
            )


def _raise_cycle(nodes: Sequence[NodeWires], waiting: Sequence[set[int]], name: str) -> None:
    """Walks back from a waiting node until one repeats."""
    seen: list[int] = []
    position = next(i for i, needed in enumerate(waiting) if needed)
    while position not in seen:
        seen.append(position)
        position = min(waiting[position])
    circle = [nodes[i].who for i in reversed(seen[seen.index(position) :])]
    shown = " → ".join(circle[:4]) + (" → …" if len(circle) > 4 else "")
    raise TexelscopeError(name, "nodes in an order that can run", f"a circle: {shown}", "Check the exporting script.")
