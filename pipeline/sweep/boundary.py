"""Where along sizes a pass begins to be wrong.

Errors need not stay once they began: a width that is a power of two may be right beyond one that is wrong. So ends and
powers of two are looked at first, and only between a right one and the wrong one after it is the place bisected.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from texelscope.pipeline.sweep.braces import Brace
from texelscope.pipeline.sweep.points import SweepPoint

# Sizes that do not run are stepped over so often before a stretch is left as it is.
_STEPS = 6

Try = Callable[[Mapping[str, int]], SweepPoint]


@dataclass
class BoundarySearch:
    """One search over the braces; `points` are all that were tried, in order."""

    braces: Sequence[Brace]
    attempt: Try
    end: float
    points: list[SweepPoint] = field(default_factory=list)

    def smallest(self) -> SweepPoint | None:
        """The smallest sizes found wrong: every brace as small as it may be with the others where they are."""
        values = self._first_wrong()
        if values is None:
            return None
        for brace in self.braces:
            values = {**values, brace.text: self._shrunk(brace, values)}
        return self._at(values)

    @property
    def ended(self) -> bool:
        """Whether time ran out."""
        return time.monotonic() > self.end

    def _first_wrong(self) -> dict[str, int] | None:
        """All braces go up through their probes together until something is wrong."""
        probes = {brace.text: brace.probes for brace in self.braces}
        count = max((len(each) for each in probes.values()), default=1)
        for step in range(count):
            values = {text: each[_scaled(step, count, len(each))] for text, each in probes.items()}
            if self._at(values).state == "wrong":
                last = {brace.text: brace.values[-1] for brace in self.braces}
                if last != values and not self.ended:
                    self._at(last)  # whether it stays wrong
                return values
            if self.ended:
                break
        return None

    def _shrunk(self, brace: Brace, values: Mapping[str, int]) -> int:
        """The smallest wrong value of one brace, the others held: below the first wrong probe, then bisected."""
        now = values[brace.text]
        right = -1
        for probe in brace.probes:
            if probe >= now or self.ended:
                break
            state = self._at({**values, brace.text: probe}).state
            if state == "wrong":
                now = probe
                break
            if state == "right":
                right = probe
        return self._bisected(brace, values, right, now) if right >= 0 else now

    def _bisected(self, brace: Brace, values: Mapping[str, int], right: int, wrong: int) -> int:
        """The smallest value that is wrong between one that is right and one that is not."""
        low, high = brace.values.index(right), brace.values.index(wrong)
        while high - low > 1 and not self.ended:
            middle = (low + high) // 2
            for place in _nearby(low, middle, high):
                state = self._at({**values, brace.text: brace.values[place]}).state
                if state != "not run":
                    low, high = (place, high) if state == "right" else (low, place)
                    break
            else:
                break
        return brace.values[high]

    def _at(self, values: Mapping[str, int]) -> SweepPoint:
        for point in self.points:
            if point.sizes == values:
                return point
        point = self.attempt(values)
        self.points.append(point)
        return point


def _scaled(step: int, count: int, length: int) -> int:
    """The place of step `step` of `count` in a list of `length`."""
    return round(step * (length - 1) / (count - 1)) if count > 1 else 0


def _nearby(low: int, middle: int, high: int) -> list[int]:
    """Places between both, nearest to the middle first."""
    places = [middle, *(middle + sign * far for far in range(1, _STEPS) for sign in (1, -1))]
    return [place for place in places if low < place < high]
