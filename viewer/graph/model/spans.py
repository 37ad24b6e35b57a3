"""Computes where the scopes of a graph are, for names beside bars that have no room for their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from texelscope.viewer.graph.model.camera import BOX_HEIGHT
from texelscope.viewer.graph.model.geometry import Geometry
from texelscope.viewer.graph.model.scopes import LayerScopes


@dataclass(frozen=True)
class ScopeSpan:
    """Says where a scope of that level is, from `top` to `bottom`; `left` is the left end of all boxes at that height.

    Lengths are in pixels at zoom 1.
    """

    scope: str
    level: int
    left: float
    top: float
    bottom: float

    @property
    def height(self) -> float:
        """The height, in pixels at zoom 1."""
        return self.bottom - self.top


def spans_of(
    scopes: LayerScopes, folded: frozenset[str], boxes: Mapping[str, int], geometry: Geometry
) -> tuple[ScopeSpan, ...]:
    """Returns the spans of all scopes that are in no folded scope; `boxes` has the index of each layer's box."""
    members: dict[str, set[int]] = {}
    for name, chain in scopes.chains.items():
        for scope in chain:
            members.setdefault(scope, set()).add(boxes[name])
            if scope in folded:
                break
    found = []
    for scope, inside in members.items():
        numbers = sorted(inside)
        top, bottom = float(geometry.tops[numbers].min()), float(geometry.tops[numbers].max()) + BOX_HEIGHT
        beside = geometry.lefts[(geometry.tops + BOX_HEIGHT >= top) & (geometry.tops <= bottom)]
        found.append(ScopeSpan(scope, scopes.levels[scope], float(beside.min()), top, bottom))
    return tuple(found)


def readable_spans(spans: Sequence[ScopeSpan], least_height: float) -> tuple[ScopeSpan, ...]:
    """Returns the spans of the innermost level whose spans are so high on average; none if there is no such level.

    Of spans at the same height, as parallel branches have them, only the first is returned.
    """
    levels = {span.level for span in spans}
    for level in sorted(levels, reverse=True):
        of_level = sorted((span for span in spans if span.level == level), key=lambda span: span.top)
        if sum(span.height for span in of_level) < least_height * len(of_level):
            continue
        found: list[ScopeSpan] = []
        for span in of_level:
            if span.height >= least_height and (not found or span.top >= found[-1].bottom):
                found.append(span)
        return tuple(found)
    return ()
