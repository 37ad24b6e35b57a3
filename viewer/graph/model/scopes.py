"""Reads the scopes of layers out of their names: `encoder/block1/conv` lies in `encoder` and in `encoder/block1`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from texelscope.pipeline.gradients.links import SIGN

# A name is separated by the first of these that it contains.
SEPARATORS = ("/", "::", ".")
# LayerScopes further inside are no scopes of their own.
MOST_LEVELS = 12


@dataclass(frozen=True)
class LayerScopes:
    """The scopes that are worth a box: `chains` has those of each layer, outermost first.

    A scope has at least two layers, and neither all passes nor the same layers as a scope inside it. Backward passes
    have scopes of their own, whose names begin with ∂.
    """

    chains: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def levels(self) -> Mapping[str, int]:
        """The level of each scope; outermost ones have 1."""
        return {scope: level for chain in self.chains.values() for level, scope in enumerate(chain, start=1)}

    @cached_property
    def depth(self) -> int:
        """The number of levels; 0 without scopes."""
        return max(self.levels.values(), default=0)

    def folded_to(self, depth: int) -> frozenset[str]:
        """Returns all scopes from the level `depth` on: 1 folds everything, more than `self.depth` nothing."""
        return frozenset(scope for scope, level in self.levels.items() if level >= depth)

    def count_at(self, depth: int) -> int:
        """Returns how many boxes there are if all scopes from the level `depth` on are folded."""
        return len({chain[depth - 1] if len(chain) >= depth else (name,) for name, chain in self.chains.items()})

    def readable_depth(self, most_boxes: int) -> int:
        """Returns the greatest depth that gives at most so many boxes.

        If none does, returns 1 if that makes them half as many or less; else a depth at which nothing is folded.
        """
        for depth in range(self.depth + 1, 0, -1):
            if self.count_at(depth) <= most_boxes:
                return depth
        return 1 if self.depth and 2 * self.count_at(1) <= len(self.chains) else self.depth + 1


def prefixes(name: str) -> tuple[str, ...]:
    """Returns the beginnings of a name that end before a separator, the shortest first.

    A number behind the last full stop separates names that would be the same: `input.7` lies in no scope.
    """
    separator = next((each for each in SEPARATORS if each in name), None)
    if separator is None:
        return ()
    found: list[str] = []
    at = name.find(separator)
    while at != -1 and len(found) < MOST_LEVELS:
        beginning, rest = name[:at], name[at + len(separator) :]
        is_number = separator == "." and rest.isdecimal()
        if beginning.strip(separator) and rest.strip(separator) and not is_number and not beginning.endswith(separator):
            found.append(beginning)
        at = name.find(separator, at + len(separator))
    return tuple(found)


def scopes_of(names: Sequence[str], inputs: Collection[str] = (), backward: Collection[str] = ()) -> LayerScopes:
    """Returns the scopes of layers; `inputs` lie in none."""
    beginnings = {
        name: () if name in inputs else tuple(f"{SIGN} {each}" if name in backward else each for each in prefixes(name))
        for name in names
    }
    counts: dict[str, int] = {}
    for chain in beginnings.values():
        for scope in chain:
            counts[scope] = counts.get(scope, 0) + 1
    same = {
        outer for chain in beginnings.values() for outer, inner in pairwise(chain) if counts[outer] == counts[inner]
    }
    passes = len(names) - sum(name in inputs for name in names)
    kept = {scope for scope, count in counts.items() if 1 < count < passes and scope not in same}
    return LayerScopes({name: tuple(scope for scope in chain if scope in kept) for name, chain in beginnings.items()})


def shown_scope(scope: str) -> str:
    """Returns the scope's name without separators at its beginning."""
    return scope.lstrip("/.:")


def last_part(name: str) -> str:
    """Returns what follows the last separator of a name; the name itself if that is nothing or a number."""
    separator = next((each for each in SEPARATORS if each in name), None)
    last = name.rpartition(separator)[2] if separator is not None else name
    return name if not last or last.isdecimal() else last
