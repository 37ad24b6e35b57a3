"""Says which forms of a fused run compute each pass, alone or together with others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.lowerings.fusion.fusing import Item
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.plan import Plan

_MOST_NAMED = 3


@dataclass(frozen=True)
class FusedGroups:
    """Holds `forms` by pass, those that compute it or a part of it, without passes that also run alone.

    `inside` are the passes whose tensors nothing stores.
    """

    forms: Mapping[str, tuple[Lowering, ...]]
    inside: frozenset[str]

    @classmethod
    def of(cls, plan: Plan, items: Sequence[Item]) -> FusedGroups:
        """Builds the groups of a run of `items`."""
        forms: defaultdict[str, list[Lowering]] = defaultdict(list)
        stored: set[str] = set()
        alone: set[str] = set()
        for item in items:
            if isinstance(item, str):
                alone.add(item)
                continue
            stored.update(item.writes)
            for name in item.covers:
                forms[name].append(item)
        inside = {each.name for each in plan.passes if each.name not in alone and not stored.issuperset(each.outputs)}
        return cls({name: tuple(found) for name, found in forms.items() if name not in alone}, frozenset(inside))

    def heads(self, name: str) -> tuple[str, ...]:
        """Returns the passes at which the forms of several passes that compute this one begin."""
        return tuple(form.covers[0] for form in self.forms.get(name, ()) if len(form.covers) > 1)

    def place(self, name: str) -> str:
        """Says where the pass is computed: `in conv1`, `in 2 forms`; empty for a pass computed alone."""
        heads = self.heads(name)
        if not heads:
            return ""
        return f"in {heads[0]}" if len(heads) == 1 else f"in {len(heads)} forms"

    def together(self, name: str) -> str:
        """Says how the pass is computed, for a sentence: `together with conv1, act1 and 2 more`; `by itself`."""
        others = {other: None for form in self.forms.get(name, ()) for other in form.covers if other != name}
        if not others:
            return "by itself"
        first, rest = list(others)[:_MOST_NAMED], len(others) - _MOST_NAMED
        return f"together with {', '.join(first)}" + (f" and {rest} more" if rest > 0 else "")
