"""Which passes of a plan depend on which tensors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from texelscope.pipeline.plan import Pass


class Dependencies:
    """Follows tensors, by key, through passes that are in an order in which they run."""

    def __init__(self, passes: Sequence[Pass]) -> None:
        self._passes = passes

    def followers(self, keys: Collection[str]) -> tuple[Pass, ...]:
        """The passes that depend on one of the tensors `keys`, in order."""
        return self._followers(keys, len(self._passes))

    def outdated(self, keys: Collection[str], valid: AbstractSet[str]) -> set[str]:
        """What is to be computed again of the tensors `valid`, as those of `keys` change; others may be among it.

        Where little was computed, little is asked: a model of thousands of passes may be run pass by pass.
        """
        end = max(map(self._made_at.__getitem__, self._made_at.keys() & valid), default=-1) + 1
        return {key for each in self._followers(keys, end) for key in each.outputs}

    def _followers(self, keys: Collection[str], end: int) -> tuple[Pass, ...]:
        made, found = set(keys), []
        first = min((self._read_at.get(key, end) for key in made), default=end)
        for each in self._passes[first:end]:
            if not made.isdisjoint(each.reads):
                made.update(each.outputs)
                found.append(each)
        return tuple(found)

    def makers(self, key: str, there: Collection[str]) -> tuple[Pass, ...]:
        """The passes that it takes, in order, to make the tensor out of those that are `there`."""
        wanted, found = {key} - set(there), []
        for each in reversed(self._passes):
            if not wanted.isdisjoint(each.outputs):
                wanted.update(key for key in each.reads if key not in there)
                found.append(each)
        return tuple(reversed(found))

    @cached_property
    def _read_at(self) -> Mapping[str, int]:
        """By key, the index of the first pass that reads the tensor."""
        return {key: i for i, each in reversed(tuple(enumerate(self._passes))) for key in each.reads}

    @cached_property
    def _made_at(self) -> Mapping[str, int]:
        """By key, the index of the last pass that makes the tensor."""
        return {key: i for i, each in enumerate(self._passes) for key in each.outputs}
