"""Finds layers by words: in their names, operators, shapes, attributes and weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from texelscope.pipeline.plan import Plan
from texelscope.viewer.graph.model.node_details import NodeDetails, shape_text


@dataclass
class GraphSearch:
    """Searches `texts`, one for each layer, in lower case and in the order of layers; keeps the last answer."""

    texts: Mapping[str, str] = field(default_factory=dict)
    _last: tuple[str, tuple[str, ...]] = ("", ())

    def found(self, sought: str) -> tuple[str, ...]:
        """Returns the layers that contain every word of `sought`; none without words."""
        if sought != self._last[0]:
            words = sought.lower().split()
            names = (name for name, text in self.texts.items() if words and all(word in text for word in words))
            self._last = sought, tuple(names)
        return self._last[1]


def next_of(found: tuple[str, ...], selected: str | None, step: int) -> str:
    """Returns the layer that follows the selected one among `found` (or precedes it, with -1), round and round."""
    if selected not in found:
        return found[0 if step > 0 else -1]
    return found[(found.index(selected) + step) % len(found)]


def texts_of(plan: Plan, details: Mapping[str, NodeDetails]) -> Mapping[str, str]:
    """Returns the text of each layer that is searched."""
    return {
        name: "\n".join((f"{name} {plan.operator_of(name)} {shape_of(plan, name)}", *each.lines)).lower()
        for name, each in details.items()
    }


def shape_of(plan: Plan, name: str) -> str:
    """Returns the shape of a layer as a text; empty if it is not known."""
    stored = plan.stored(name)
    return shape_text(stored.shape) if stored is not None else ""
