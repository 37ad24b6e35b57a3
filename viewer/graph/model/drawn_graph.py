"""Makes of a plan the graph that is drawn: its layers folded into boxes, laid out, with the texts of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.plan import Plan
from texelscope.viewer.graph.model.folding import FoldedGraph, GraphBox, fold
from texelscope.viewer.graph.model.geometry import Geometry
from texelscope.viewer.graph.model.graph_layout import GraphLayout, beside
from texelscope.viewer.graph.model.scopes import LayerScopes, scopes_of, shown_scope
from texelscope.viewer.graph.model.search import shape_of
from texelscope.viewer.graph.model.spans import ScopeSpan, spans_of

_MOST_OPERATORS = 4


@dataclass(frozen=True)
class DrawnGraph:
    """The boxes of a folded graph in the order of `layout.cells`, and where they are.

    `places` has each box's index by key, `labels` the text at each edge, in the order of `layout.edges`, `kinds` the
    operators in each folded box, by key, and `spans` where the scopes are.
    """

    folded: FoldedGraph
    layout: GraphLayout
    geometry: Geometry
    boxes: tuple[GraphBox, ...]
    places: Mapping[str, int]
    labels: tuple[str, ...]
    kinds: Mapping[str, str]
    spans: tuple[ScopeSpan, ...]

    def index_of(self, name: str | None) -> int | None:
        """Returns the index of the box that a layer is in; None without such a layer."""
        key = self.folded.holders.get(name or "")
        return self.places[key] if key is not None else None


def plan_scopes(plan: Plan) -> LayerScopes:
    """Returns the scopes of a plan's layers."""
    return scopes_of(_names(plan), plan.given, plan.backward)


def drawn_graph(plan: Plan, scopes: LayerScopes, folded: frozenset[str]) -> DrawnGraph:
    """Folds and lays out the layers of a plan."""
    graph = fold(_names(plan), _reads(plan), scopes, folded)
    holders = graph.holders
    pairs = ((plan.find(tensor), tensor, plan.find(gradient)) for tensor, gradient in plan.gradients.items())
    gradients: dict[str, str] = {}
    for maker, tensor, back in pairs:
        name = maker.name if maker else tensor
        if back is not None and name in holders and back.name in holders:
            gradients.setdefault(holders[name], holders[back.name])
    backward = {holders[name] for name in plan.backward if name in holders}
    layout = beside(tuple(graph.boxes), graph.reads, backward, gradients)
    boxes = tuple(graph.boxes[cell.name] for cell in layout.cells)
    places, geometry = {box.key: number for number, box in enumerate(boxes)}, Geometry.of(layout)
    return DrawnGraph(
        graph,
        layout,
        geometry,
        boxes,
        places,
        tuple(_label(plan, graph.crossing[edge.source, edge.target]) for edge in layout.edges),
        {box.key: kinds_of(plan, box.members) for box in boxes if box.scope},
        spans_of(scopes, folded, {name: places[key] for name, key in holders.items()}, geometry),
    )


def kinds_of(plan: Plan, members: Sequence[str]) -> str:
    """Returns the operators of a folded box with their counts, the most frequent first."""
    counts = Counter(plan.operator_of(name) for name in members).most_common()
    shown = ", ".join(f"{count} {operator}" for operator, count in counts[:_MOST_OPERATORS])
    return f"{shown}, …" if len(counts) > _MOST_OPERATORS else shown


def title_of(box: GraphBox) -> str:
    """Returns the name of a box as it is shown."""
    return shown_scope(box.scope) if box.scope else box.key


def _names(plan: Plan) -> tuple[str, ...]:
    """Returns inputs, tensors of the frame before, passes and layers that cannot run."""
    return (*plan.given, *plan.layers)


def _reads(plan: Plan) -> Mapping[str, Sequence[str]]:
    makers = {key: each.name for each in plan.passes for key in each.outputs}
    makers |= {key: each.name for each in plan.not_run for key in each.outputs}
    reads = {each.name: [makers.get(key, key) for key in each.reads] for each in plan.passes}
    for each in plan.not_run:
        node = plan.graph.producer(each.outputs[0]) if plan.graph is not None else None
        reads[each.name] = [makers.get(name, name) for name in node.inputs] if node is not None else []
    return reads


def _label(plan: Plan, crossing: Sequence[str]) -> str:
    return shape_of(plan, crossing[0]) if len(crossing) == 1 else f"{len(crossing)} tensors"
