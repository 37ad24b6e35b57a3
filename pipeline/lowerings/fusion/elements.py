"""Passes of a plan that work element by element on tensors of one shape, gathered as the plan goes on.

An optimiser's update of a weight is such a chain, and so is the gradient of an activation.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.lowerings.fusion.element_form import Elements, Numbers, element_form, elements_of
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.plan import Pass, Plan, StoredTensor

# Textures of one draw: a driver's slots of samplers are kept alike for eight, and it draws into eight targets.
_MOST_READS, _MOST_STORES = 7, 8
_MOST_PASSES = 24
_DTYPES = ("float32", "bool")


@dataclass
class Chain:
    """Passes that one draw computes, where the first of them stands, at `position`; `made` and `read` are keys."""

    position: int
    like: StoredTensor
    passes: list[Elements] = field(default_factory=list)
    made: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        """That of its first pass."""
        return self.passes[0].name


class Chains:
    """Those of a plan in the making. A chain of one pass is none: the pass runs as it is."""

    def __init__(self, plan: Plan, graph: Graph, keep: Collection[str]) -> None:
        self._plan = plan
        self._graph = graph
        self._keep = keep
        self._nodes: Mapping[str, Node] = {node.name: node for node in graph.nodes}
        self._found: list[Chain] = []
        self._chain_of: dict[str, Chain] = {}
        self._known: dict[str, float] = {}
        self._held: set[str] = set()

    def take(self, position: int, each: Pass, made_at: Mapping[str, int]) -> Chain | None:
        """The chain that the pass joins, or begins; None if it does not work element by element.

        `made_at` are the positions at which tensors are made; those of a pass that joins come to be made where its
        chain stands.
        """
        found = self._elements(each)
        if found is None:
            return None
        reads = {key for key in found.operands if key not in self._known}
        like = self._plan.textures[each.output]
        for chain in self._candidates(reads, like):
            others = {key for key in reads if key not in chain.made}
            if self._takes(chain, others, made_at) and self._has_room(chain, found, others):
                break
        else:
            chain = Chain(position, like)
            self._found.append(chain)
            others = reads
        chain.passes.append(found)
        chain.made.add(found.output)
        chain.read |= others
        self._chain_of[found.output] = chain
        return chain

    def forms(self, read: Collection[str]) -> Mapping[str, Lowering]:
        """By the first pass of each chain of several the form that stores what others `read`; see `too_many`."""
        return {
            chain.name: element_form(
                chain.passes,
                self._stores(chain, read),
                Numbers(self._known, frozenset(self._held)),
                self._plan.textures,
            )
            for chain in self._found
            if len(chain.passes) > 1
        }

    def too_many(self, read: Collection[str]) -> set[str]:
        """The last passes of chains that would store more than a draw can."""
        return {chain.passes[-1].name for chain in self._found if len(self._stores(chain, read)) > _MOST_STORES}

    def _stores(self, chain: Chain, read: Collection[str]) -> tuple[str, ...]:
        return tuple(each.output for each in chain.passes if each.output in read)

    def _candidates(self, reads: Collection[str], like: StoredTensor) -> list[Chain]:
        """Chains that make something of what is read, the latest first, or the one that was begun last."""
        own = {id(self._chain_of[key]): self._chain_of[key] for key in reads if key in self._chain_of}
        chains = sorted(own.values(), key=lambda chain: -chain.position) + self._found[-1:]
        return [chain for chain in chains if _are_alike(chain.like, like)]

    def _takes(self, chain: Chain, others: Collection[str], made_at: Mapping[str, int]) -> bool:
        """Whether what is read beside its own tensors is there where the chain stands."""
        textures = self._plan.textures
        return all(textures[key].role in ("input", "constant") or made_at[key] < chain.position for key in others)

    def _has_room(self, chain: Chain, found: Elements, others: Collection[str]) -> bool:
        kept = sum(each.output in self._keep for each in (*chain.passes, found))
        too_many = len(chain.passes) >= _MOST_PASSES or kept > _MOST_STORES
        return not too_many and len(chain.read.union(others)) <= _MOST_READS

    def _elements(self, each: Pass) -> Elements | None:
        """The pass as one of a chain; None if an operand is stored otherwise than what it makes."""
        stored = self._plan.textures[each.output]
        if not _is_plain(stored) or len(each.outputs) != 1 or each.uniforms:
            return None
        found = elements_of(each.name, Call(self._nodes[each.nodes[0]], self._graph))
        if found is None or not all(self._is_at_hand(key, stored) for key in found.operands):
            return None
        reads = {key for key in found.operands if key not in self._known}
        return found if len(reads) <= _MOST_READS and not reads <= self._held else None

    def _is_at_hand(self, key: str, stored: StoredTensor) -> bool:
        """Whether the operand lies as `stored` does, or is one number."""
        operand = self._plan.textures.get(key)
        if operand is None or not _is_plain(operand):
            return False
        if _are_alike(operand, stored):
            return True
        if math.prod(operand.shape) != 1 or operand.layout.texel_of(operand.shape, 0) != (0, 0, 0):
            return False
        value = self._graph.constants.get(key)
        if value is None:
            self._held.add(key)
        else:
            self._known[key] = float(np.asarray(value, dtype=np.float32).reshape(()))
        return True


def _is_plain(stored: StoredTensor) -> bool:
    return stored.storage == "float32" and stored.dtype in _DTYPES and stored.layout.lanes == len("rgba")


def _are_alike(one: StoredTensor, other: StoredTensor) -> bool:
    """Whether elements of the same place lie in the same texel."""
    return (one.shape, one.layout) == (other.shape, other.layout)
