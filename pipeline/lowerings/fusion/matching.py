"""Looking for passes of a plan that follow each other in a way that a form knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.plan import Pass, Plan


class Matching:
    """Passes by what they make and read. `keep` are keys that somebody reads, `refused` passes stay as they are."""

    def __init__(self, plan: Plan, graph: Graph, keep: Collection[str], refused: Collection[str]) -> None:
        self.plan = plan
        self._graph = graph
        self._keep = keep
        self._nodes: Mapping[str, Node] = {node.name: node for node in graph.nodes}
        self.passes = [each for each in plan.passes if each.from_operator and each.name not in refused]
        self._made_by = {each.output: each for each in self.passes}
        self._uses = Counter(key for each in plan.passes for key in each.reads)
        self._read_by = {key: each for each in self.passes for key in each.reads}
        self._places = {each.name: place for place, each in enumerate(plan.passes)}

    def node(self, each: Pass) -> Node:
        """The node that the pass computes."""
        return self._nodes[each.nodes[0]]

    def call(self, each: Pass) -> Call:
        """The same in its graph."""
        return Call(self.node(each), self._graph)

    def shape(self, key: str) -> tuple[int, ...]:
        """That of a tensor."""
        return self._graph.tensors[key].shape

    def maker(self, key: str, op_type: str) -> Pass | None:
        """The pass that makes the tensor, by an operator of that type."""
        each = self._made_by.get(key)
        return each if each is not None and self._is_of(each, op_type) else None

    def inner(self, key: str, op_type: str) -> Pass | None:
        """As `maker`, where one pass alone reads the tensor and nobody else wants it."""
        return self.maker(key, op_type) if self.is_inner(key) else None

    def reader(self, key: str, op_type: str) -> Pass | None:
        """The one pass that reads the tensor, which nobody else wants, by an operator of that type."""
        each = self._read_by.get(key) if self.is_inner(key) else None
        return each if each is not None and self._is_of(each, op_type) else None

    def cut_up(self, key: str, op_type: str) -> tuple[Pass, ...]:
        """All passes that read the tensor, where they are of that type, nobody else wants it, and all run before any
        other pass reads what they make; else none."""
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
        """Whether one pass reads the tensor and nobody else wants it."""
        return self._uses[key] == 1 and key not in self._keep

    def _is_of(self, each: Pass, op_type: str) -> bool:
        node = self.node(each)
        return node.op_type == op_type and not node.domain
