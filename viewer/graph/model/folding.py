"""Folds a graph by the scopes of its layers: a box stands for all layers of a folded scope, edges go to the box."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from texelscope.viewer.graph.model.scopes import LayerScopes

# A graph of more boxes opens folded.
MOST_READABLE = 40
# The signs of layers (see `viewer.theme.SIGNS`), the worst first; so many of them are of wrong passes.
WORST_FIRST = (
    "error", "nan", "unwritten", "mismatch", "not_its_meaning", "inherited", "precision", "injected", "not_run",
    "waiting", "not_compared", "inside", "match",
)  # fmt: skip
_WRONG_COUNT = 5
_RANKS = {sign: rank for rank, sign in enumerate(WORST_FIRST)}


@dataclass(frozen=True)
class Folds:
    """The folded scopes, by name: they stay folded when the graph is read again. None lets the graph's size decide."""

    chosen: frozenset[str] | None = None

    def of(self, scopes: LayerScopes) -> frozenset[str]:
        """Returns the folded scopes."""
        if self.chosen is not None:
            return self.chosen & scopes.levels.keys()
        return scopes.folded_to(scopes.readable_depth(MOST_READABLE))

    def opened_for(self, scopes: LayerScopes, name: str) -> Folds:
        """Returns folds in which the layer has a box of its own."""
        return Folds(self.of(scopes).difference(scopes.chains.get(name, ())))

    def unfolded(self, scopes: LayerScopes, scope: str) -> Folds:
        """Returns folds without that scope; those inside it stay as they are."""
        return Folds(self.of(scopes) - {scope})

    def toggled(self, scopes: LayerScopes, name: str) -> Folds:
        """Unfolds the box that the layer is in, or, if there is none, folds the innermost scope of the layer."""
        chain, folded = scopes.chains.get(name, ()), self.of(scopes)
        box = box_of(chain, folded)
        if box:
            return Folds(folded - {box})
        return Folds(folded | {*chain[-1:]})


@dataclass(frozen=True)
class GraphBox:
    """A box of the drawn graph. `scope` is empty for a single layer; `members` are in the order of the layers."""

    key: str
    scope: str
    members: tuple[str, ...]


@dataclass(frozen=True)
class FoldedGraph:
    """Boxes in an order in which they can run, as far as there is one, and which boxes a box reads, all by key.

    `holders` has the key of each layer's box, `crossing` the layers whose tensors go from one box to another.
    """

    boxes: Mapping[str, GraphBox]
    holders: Mapping[str, str]
    crossing: Mapping[tuple[str, str], tuple[str, ...]]

    @property
    def reads(self) -> Mapping[str, tuple[str, ...]]:
        """By box, the boxes that it reads."""
        found: dict[str, list[str]] = {}
        for source, target in self.crossing:
            found.setdefault(target, []).append(source)
        return {key: tuple(sources) for key, sources in found.items()}


def box_of(chain: Sequence[str], folded: frozenset[str]) -> str:
    """Returns the outermost folded scope of a chain; empty if there is none."""
    return next((scope for scope in chain if scope in folded), "")


def fold(
    names: Sequence[str], reads: Mapping[str, Sequence[str]], scopes: LayerScopes, folded: frozenset[str]
) -> FoldedGraph:
    """Folds the layers `names`, in an order in which they can run; `reads` maps a layer to those that it reads."""
    known = set(names)
    keys: dict[str, str] = {}
    members: dict[str, list[str]] = {}
    scope_of_key: dict[str, str] = {}
    holders: dict[str, str] = {}
    for name in names:
        scope = box_of(scopes.chains.get(name, ()), folded)
        key = name
        if scope:
            key = keys.setdefault(scope, _unused(scope, known))
            scope_of_key[key] = scope
        holders[name] = key
        members.setdefault(key, []).append(name)
    crossing: dict[tuple[str, str], list[str]] = {}
    for name in names:
        for source in dict.fromkeys(reads.get(name, ())):
            pair = holders.get(source, ""), holders[name]
            if source in holders and pair[0] != pair[1]:
                found = crossing.setdefault(pair, [])
                if source not in found:
                    found.append(source)
    boxes = {key: GraphBox(key, scope_of_key.get(key, ""), tuple(inside)) for key, inside in members.items()}
    ordered = _in_order(tuple(boxes), tuple(crossing))
    return FoldedGraph(
        {key: boxes[key] for key in ordered}, holders, {pair: tuple(found) for pair, found in crossing.items()}
    )


def worst(signs: Iterable[str]) -> str:
    """Returns the worst of the signs; `not_run` if there are none."""
    return min(signs, key=lambda sign: _RANKS[sign], default="not_run")


def rank_of(sign: str) -> int:
    """Returns the place of a sign in `WORST_FIRST`."""
    return _RANKS[sign]


def is_wrong(sign: str) -> bool:
    """Returns whether the sign is that of a pass that is wrong by itself."""
    return _RANKS[sign] < _WRONG_COUNT


def count_words(signs: Sequence[str]) -> str:
    """Describes a folded box by the signs of its members: `12 passes, 1 wrong`."""
    wrong = sum(map(is_wrong, signs))
    return f"{len(signs)} passes" + (f", {wrong} wrong" if wrong else "")


def _unused(scope: str, names: set[str]) -> str:
    key = f"{scope} …"
    while key in names:
        key += " …"
    return key


def _in_order(keys: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Sorts boxes so that each follows what it reads; the first stay first.

    Of boxes that read each other, which folding can make, the first is placed first.
    """
    position = {key: number for number, key in enumerate(keys)}
    waits = dict.fromkeys(keys, 0)
    readers: dict[str, list[str]] = {}
    for source, target in pairs:
        waits[target] += 1
        readers.setdefault(source, []).append(target)
    ready = [position[key] for key in keys if not waits[key]]
    heapq.heapify(ready)
    left = dict.fromkeys(keys)
    ordered: list[str] = []
    while left:
        key = keys[heapq.heappop(ready)] if ready else next(iter(left))
        if key not in left:
            continue
        del left[key]
        ordered.append(key)
        for reader in readers.get(key, ()):
            waits[reader] -= 1
            if not waits[reader] and reader in left:
                heapq.heappush(ready, position[reader])
    return ordered
