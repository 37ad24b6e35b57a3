"""Matches sequences of passes that a form replaces."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from numpy.typing import NDArray

from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.plan import Pass, Plan


class Matching:
    """Indexes passes by outputs and inputs. Keys in `keep` have other readers, `refused` passes stay unchanged."""

    def __init__(self, plan: Plan, graph: Graph, keep: Collection[str], refused: Collection[str]) -> None:
        self.plan = plan
        self._graph = graph
        self._keep = keep
        self._nodes: Mapping[str, Node] = {node.name: node for node in graph.nodes}
        self.passes = [each for each in plan.passes if each.from_operator and each.name not in refused]
        self._made_by = {each.output: each for each in self.passes}
        self._uses = Counter(key for each in plan.passes for key in each.reads)
        self._read_by = {key: each for each in self.passes for key in each.reads}
        self._readers: defaultdict[str, list[Pass]] = defaultdict(list)
        for each in plan.passes:
            for key in dict.fromkeys(each.reads):
                self._readers[key].append(each)
        self._places = {each.name: place for place, each in enumerate(plan.passes)}

    def node(self, shader_pass: Pass) -> Node:
        """Returns the node that the pass computes."""
        return self._nodes[shader_pass.nodes[0]]

    def call(self, shader_pass: Pass) -> Call:
        """Returns the node's call in its graph."""
        return Call(self.node(shader_pass), self._graph)

    def shape(self, key: str) -> tuple[int, ...]:
        """Returns the shape of a tensor."""
        return self._graph.tensors[key].shape

    def place(self, name: str) -> int:
        """Returns the place of the pass called `name` among all."""
        return self._places[name]

    def first_read(self, key: str) -> int:
        """Returns the place of the first pass that reads the tensor; after all others if none does."""
        return next((place for place, each in enumerate(self.plan.passes) if key in each.reads), len(self.plan.passes))

    def maker(self, key: str, op_type: str) -> Pass | None:
        """Returns the pass that computes the tensor, if its operator is of that type."""
        each = self._made_by.get(key)
        return each if each is not None and self._is_of(each, op_type) else None

    def inner(self, key: str, op_type: str) -> Pass | None:
        """Returns `maker` if a single pass reads the tensor and nothing else needs it."""
        return self.maker(key, op_type) if self.is_inner(key) else None

    def reader(self, key: str, op_type: str) -> Pass | None:
        """Returns the only pass that reads the tensor, if its operator is of that type and nothing else needs it."""
        each = self.only_reader(key)
        return each if each is not None and self._is_of(each, op_type) else None

    def only_reader(self, key: str) -> Pass | None:
        """Returns the only pass that reads the tensor if nothing else needs it."""
        return self._read_by.get(key) if self.is_inner(key) else None

    def following(self, made: Collection[str]) -> list[Pass]:
        """Returns the passes that read one of these tensors and make another, in the order in which they run."""
        found = {each.name: each for key in made for each in self._readers.get(key, ())}
        own = [each for each in found.values() if self._made_by.get(each.output) is each and each.output not in made]
        return sorted(own, key=lambda each: self._places[each.name])

    def made_by(self, key: str) -> Pass | None:
        """Returns the pass that computes the tensor; None for inputs, constants and passes that stay unchanged."""
        return self._made_by.get(key)

    def is_read_by(self, names: Collection[str], key: str) -> bool:
        """Reports whether no other passes than those of these names need the tensor."""
        return key not in self._keep and all(each.name in names for each in self._readers.get(key, ()))

    def constant(self, key: str) -> NDArray[Any] | None:
        """Returns the value of a constant; None for other tensors."""
        return self._graph.constants.get(key)

    def cut_up(self, key: str, op_type: str) -> tuple[Pass, ...]:
        """Returns all passes that read the tensor if they have that type, nothing else needs it, and all run before any
        other pass reads their outputs; else none."""
        readers = [each for each in self.plan.passes if key in each.reads]
        made = {each.output for each in readers}
        if key in self._keep or not all(each is self._made_by.get(each.output) for each in readers):
            return ()
        last = max((self._places[each.name] for each in readers), default=0)
        between = self.plan.passes[:last]
        if any(not made.isdisjoint(each.reads) for each in between):
            return ()
        return tuple(readers) if all(self._is_of(each, op_type) for each in readers) else ()

    def is_inner(self, key: str) -> bool:
        """Reports whether a single pass reads the tensor and nothing else needs it."""
        return self._uses[key] == 1 and key not in self._keep

    def _is_of(self, shader_pass: Pass, op_type: str) -> bool:
        node = self.node(shader_pass)
        return node.op_type == op_type and not node.domain
