"""Searches for the smallest values on which a pass still fails in the same way.

First all axes at once, to a few sizes; then each axis by itself, small sizes first, as long as anything gets smaller;
last simpler numbers. Every candidate is run and diagnosed; sizes are not assumed to be monotone: a bug may need an odd
width, or a second tile.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.reduce.making import Making
from texelscope.pipeline.reduce.trial import CandidateRunner, ExpectedFailure, Failure
from texelscope.pipeline.reduce.written import FolderContents
from texelscope.pipeline.resizing.axes import AxisGroup, Cut, cut
from texelscope.pipeline.resizing.subject import Array, PassSubject

Say = Callable[[str], None]
# Sizes that all axes are cut to at once, and those that one axis is tried at.
# Up to here a cut is sought that keeps the parameters, and names the cause alone.
_STRICT_UP_TO = 16
_AT_ONCE = (4, 6, 8, 12, 16, 24, 32, 64, 128)
_LADDER = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 24, 32, 48, 64, 96, 128, 192, 256)
# Beyond the ladder sizes are bisected, to a share of this.
_FINE = 32
# How often the axes that belong together are determined anew.
_ROUNDS = 3
# Decimals that numbers are rounded to, the fewest first.
_DECIMALS = (0, 1, 2)


@dataclass(frozen=True)
class SmallestCandidate:
    """Holds the smallest candidate so far."""

    subject: PassSubject
    cuts: Mapping[AxisGroup, Cut]
    written: FolderContents
    failure: Failure


@dataclass
class ReductionSearch:
    """Searches once; `tried` counts candidates, and `ended` says that time ran out.

    Candidates that the rule of `sole_cause` does not explain are given up at once.
    """

    subject: PassSubject
    making: Making
    bench: CandidateRunner
    wanted: ExpectedFailure
    end: float
    say: Say
    sole_cause: str = ""
    tried: int = 0
    ended: bool = False
    _seen: set[tuple[tuple[int, int], ...]] = field(default_factory=set)

    def smallest(
        self, start: SmallestCandidate, groups_of: Callable[[PassSubject], Sequence[AxisGroup]]
    ) -> SmallestCandidate:
        """Returns the smallest candidate that can be found in time.

        The groups are determined again on what is left: channels of one group belong to those of all, and groups, once
        they are small, to one another.
        """
        best = start
        for _ in range(_ROUNDS):
            before = best.subject.elements
            groups = groups_of(best.subject)
            self._seen.clear()
            self.subject = best.subject
            best = replace(best, cuts={group: Cut(group.size) for group in groups})
            best = self._one_by_one(self._at_once(best, groups), groups)
            if best.subject.elements == before or self._is_late():
                break
        return self._simpler(best)

    # -- sizes ---------------------------------------------------------------------------------------------

    def _at_once(self, start: SmallestCandidate, groups: Sequence[AxisGroup]) -> SmallestCandidate:
        """Cuts all axes to one size, the smallest at which the fault shows as before; else the smallest of all.

        From then on candidates have to show as much: the parameters, no other cause that explains as much, or both.
        """
        alone = replace(self.wanted, rivals=start.failure.rivals | {self.wanted.cause})
        same = replace(alone, parameters=MappingProxyType(dict(start.failure.parameters)))
        levels = (same, alone, self.wanted)
        found: dict[int, SmallestCandidate] = {}
        for size in _AT_ONCE:
            for candidate in self._cut_to(start, groups, size):
                level = next(level for level, wanted in enumerate(levels) if wanted.is_met(candidate.failure))
                found.setdefault(level, candidate)
            if 0 in found or (found and size >= _STRICT_UP_TO):
                break
        if not found:
            return start
        level, best = min(found.items())
        self.wanted = levels[level]
        self.say(f"all axes cut to {max(each.size for each in best.cuts.values())} at most: fails as it did")
        return best

    def _cut_to(self, start: SmallestCandidate, groups: Sequence[AxisGroup], size: int) -> Iterator[SmallestCandidate]:
        """Yields failing candidates with all axes of `size` at most, cut from the start, the end and the middle."""
        if any(group.size > size for group in groups):
            for share in (0.0, 1.0, 0.5):
                cuts = {group: _at(group, min(size, group.size), share) for group in groups}
                found = self._attempt({**start.cuts, **cuts})
                if found is not None:
                    yield found

    def _one_by_one(self, best: SmallestCandidate, groups: Sequence[AxisGroup]) -> SmallestCandidate:
        """Cuts each axis to the smallest size that it can have, the largest first; repeats while that helps."""
        changed = True
        while changed and not self._is_late():
            changed = False
            for group in sorted(groups, key=lambda each: -best.cuts[each].size):
                found = self._shorter(best, group)
                if found is not None:
                    best, changed = found, True
                    self.say(f"{group.label or 'an attribute'}: {best.cuts[group].size}")
        return best

    def _shorter(self, best: SmallestCandidate, group: AxisGroup) -> SmallestCandidate | None:
        now, found = best.cuts[group], None
        ladder = [size for size in _LADDER if size < now.size]
        for size in ladder:
            found = self._cut_one(best, group, size)
            if found is not None or self._is_late():
                return found
        low, high = ladder[-1] if ladder else 1, now.size
        while high - low > max(1, high // _FINE) and not self._is_late():
            middle = (low + high) // 2
            shorter = self._cut_one(best, group, middle)
            found, low, high = (found, middle, high) if shorter is None else (shorter, low, middle)
        return found

    def _cut_one(self, best: SmallestCandidate, group: AxisGroup, size: int) -> SmallestCandidate | None:
        """Returns the best with one axis of `size`, cut from its start or to its end."""
        now = best.cuts[group]
        for start in dict.fromkeys((now.start, now.start + now.size - size)):
            found = self._attempt({**best.cuts, group: Cut(size, start)})
            if found is not None:
                return found
        return None

    # -- numbers -------------------------------------------------------------------------------------------

    def _simpler(self, best: SmallestCandidate) -> SmallestCandidate:
        """Rounds inputs and weights to few decimals, where the fault still shows."""
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

    def _attempt(self, cuts: Mapping[AxisGroup, Cut]) -> SmallestCandidate | None:
        key = tuple((each.size, each.start) for each in cuts.values())
        if key in self._seen or self._is_late():
            return None
        self._seen.add(key)
        return self._try(cut(self.subject, cuts), cuts)

    def _try(self, subject: PassSubject, cuts: Mapping[AxisGroup, Cut]) -> SmallestCandidate | None:
        """Returns the candidate, if it fails as it should."""
        try:
            for written in self.making.folders(subject):
                self.tried += 1
                failure = self.bench.failure(written, subject.name, cause=self.sole_cause)
                if failure is not None and self.wanted.is_met(failure):
                    return SmallestCandidate(subject, dict(cuts), written, failure)
        except (TexelscopeError, ValueError, ArithmeticError, LookupError, TypeError):
            return None  # these sizes contradict each other
        return None

    def _is_late(self) -> bool:
        self.ended = self.ended or time.monotonic() > self.end
        return self.ended


def _at(group: AxisGroup, size: int, share: float) -> Cut:
    return Cut(size, round((group.size - size) * share))


def _rounded(value: Array, decimals: int) -> Array:
    return np.round(value, decimals).astype(value.dtype) if value.dtype.kind == "f" else value
