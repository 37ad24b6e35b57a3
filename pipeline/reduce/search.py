"""The search for the smallest values on which a pass still fails as it did.

First all axes at once, to a few sizes; then each axis by itself, small sizes first, as long as anything gets smaller;
last simpler numbers. Every candidate is run and diagnosed; sizes are not taken to be monotone: a bug may need an odd
width, or a second tile.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from pipeline.errors import TexelscopeError
from pipeline.reduce.axes import Cut, Group, cut
from pipeline.reduce.making import Making
from pipeline.reduce.subject import Array, Subject
from pipeline.reduce.trial import Bench, Failure, Wanted
from pipeline.reduce.written import Written

Say = Callable[[str], None]
# Sizes that all axes are cut to at once, and those that one axis is tried at.
_AT_ONCE = (4, 6, 8, 12, 16, 24, 32, 64, 128)
_LADDER = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 24, 32, 48, 64, 96, 128, 192, 256)
# Decimals that numbers are rounded to, the fewest first.
_DECIMALS = (0, 1, 2)


@dataclass(frozen=True)
class Best:
    """The smallest candidate so far."""

    subject: Subject
    cuts: Mapping[Group, Cut]
    written: Written
    failure: Failure


@dataclass
class Search:
    """One search; `tried` counts candidates, and `ended` says that time ran out."""

    subject: Subject
    making: Making
    bench: Bench
    wanted: Wanted
    end: float
    say: Say
    worst: tuple[int, ...] = ()
    tried: int = 0
    ended: bool = False
    _seen: set[tuple[tuple[int, int], ...]] = field(default_factory=set)

    def smallest(self, start: Best, groups: Sequence[Group]) -> Best:
        """The smallest candidate that can be found in time."""
        best = self._at_once(start, groups)
        best = self._one_by_one(best, groups)
        return self._simpler(best)

    # -- sizes ---------------------------------------------------------------------------------------------

    def _at_once(self, start: Best, groups: Sequence[Group]) -> Best:
        """All axes cut to one size, the smallest at which the fault shows with its parameters; else with its cause."""
        looser: Best | None = None
        stable = replace(self.wanted, parameters=MappingProxyType(dict(start.failure.parameters)))
        for size in _AT_ONCE:
            for place in self._places(groups, size):
                if all(place[group].size == group.size for group in groups):
                    break
                found = self._attempt({**start.cuts, **place})
                if found is None:
                    continue
                if stable.is_met(found.failure):
                    self.say(f"all axes cut to {size}: fails as it did")
                    self.wanted = stable if not self.wanted.anywhere else self.wanted
                    return found
                looser = looser or found
            if looser is not None and size >= _AT_ONCE[2]:
                break
        return looser or start

    def _places(self, groups: Sequence[Group], size: int) -> Iterator[dict[Group, Cut]]:
        """Where to cut: from the start, to the end, and around the element that is farthest off."""
        shares = {0.0, 1.0, 0.5} if not self.worst else {0.0, 1.0}
        for share in sorted(shares):
            yield {group: self._cut(group, min(size, group.size), share) for group in groups}

    @staticmethod
    def _cut(group: Group, size: int, share: float) -> Cut:
        return Cut(size, round((group.size - size) * share))

    def _one_by_one(self, best: Best, groups: Sequence[Group]) -> Best:
        """Each axis to the smallest size that it can have, the largest first; again while that helps."""
        changed = True
        while changed and not self._is_late():
            changed = False
            for group in sorted(groups, key=lambda each: -best.cuts[each].size):
                found = self._shorter(best, group)
                if found is not None:
                    best, changed = found, True
                    self.say(f"{group.label or 'an attribute'}: {best.cuts[group].size}")
        return best

    def _shorter(self, best: Best, group: Group) -> Best | None:
        now = best.cuts[group]
        for size in _LADDER:
            if size >= now.size or self._is_late():
                return None
            for start in dict.fromkeys((now.start, now.start + now.size - size)):
                found = self._attempt({**best.cuts, group: Cut(size, start)})
                if found is not None:
                    return found
        return None

    # -- numbers -------------------------------------------------------------------------------------------

    def _simpler(self, best: Best) -> Best:
        """Inputs and weights rounded to few decimals, where the fault still shows."""
        for decimals in _DECIMALS:
            if self._is_late():
                break
            values = {name: _rounded(value, decimals) for name, value in best.subject.values.items()}
            found = self._try(best.subject.with_values(values), best.cuts)
            if found is not None:
                self.say(f"numbers rounded to {decimals} decimals: fails as it did")
                return found
        return best

    # -- one candidate -------------------------------------------------------------------------------------

    def _attempt(self, cuts: Mapping[Group, Cut]) -> Best | None:
        key = tuple((each.size, each.start) for each in cuts.values())
        if key in self._seen or self._is_late():
            return None
        self._seen.add(key)
        return self._try(cut(self.subject, cuts), cuts)

    def _try(self, subject: Subject, cuts: Mapping[Group, Cut]) -> Best | None:
        """The candidate, if it fails as it should."""
        try:
            for written in itertools.islice(self.making.folders(subject), 2):
                self.tried += 1
                failure = self.bench.failure(written, subject.name)
                if failure is not None and self.wanted.is_met(failure):
                    return Best(subject, dict(cuts), written, failure)
        except (TexelscopeError, ValueError, ArithmeticError, LookupError, TypeError):
            return None  # these sizes do not go together
        return None

    def _is_late(self) -> bool:
        self.ended = self.ended or time.monotonic() > self.end
        return self.ended


def _rounded(value: Array, decimals: int) -> Array:
    return np.round(value, decimals).astype(value.dtype) if value.dtype.kind == "f" else value
