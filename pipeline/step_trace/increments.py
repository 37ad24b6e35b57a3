"""Finds running sums in a trace: variables that grow from their own value, each increment, and the reads behind it.

No product is recognised by its name: an increment is one if values that were read, multiplied in one of the ways in
which shaders do it, make the very number that the variable grew by, within float32's rounding.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from texelscope.pipeline.step_trace.provenance import VariableHomes, base_of, names_used
from texelscope.pipeline.step_trace.trace import Assigned, Number, TexelRead, Trace, TraceStep

_NUMBER = re.compile(r"(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
# Assignments between a read and its sum, at most.
_DEEPEST = 12
# Rounding of a float32 sum or product, relative to its operands.
ROUNDED = 2.0**-22


@dataclass(frozen=True)
class ProductPart:
    """A product within an increment: a value that was read, in lane `lane`, times a weight, read too or written out."""

    read: TexelRead
    lane: int
    value: float
    weight: float
    weight_read: TexelRead | None = None
    weight_lane: int = 0

    @property
    def product(self) -> float:
        """Value times weight, exactly."""
        return self.value * self.weight


@dataclass(frozen=True)
class Increment:
    """What one step added to a lane of a sum: `before` and `after`, the reads behind it, and its products.

    Without `parts` the numbers do not prove that it is a sum of products of what was read.
    """

    step: TraceStep
    before: float
    after: float
    reads: tuple[TexelRead, ...]
    parts: tuple[ProductPart, ...] = ()

    @property
    def added(self) -> float:
        """How much the sum grew."""
        return self.after - self.before


@dataclass(frozen=True)
class Segment:
    """Follows a lane of a variable from its reset (at `start`, with `value`) to its last increment."""

    function: str
    call: int
    name: str
    lane: int
    start: TraceStep | None
    value: float
    increments: tuple[Increment, ...]

    @property
    def proven(self) -> int:
        """Counts increments that are products."""
        return sum(bool(each.parts) for each in self.increments)


@dataclass(frozen=True)
class _Added:
    """One assignment: its lanes, all lanes before and after, the reads behind it."""

    step: TraceStep
    lanes: tuple[int, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    reads: tuple[TexelRead, ...]


@dataclass
class _Sum:
    """Tracks a variable: its lanes' values, its start, its increments."""

    start: TraceStep | None
    first: tuple[float, ...]
    now: tuple[float, ...]
    added: list[_Added] = field(default_factory=list)


def segments(trace: Trace, key: str, weight_key: str, count: int) -> list[Segment]:
    """Returns every lane of every running sum with reads of the texture `key` behind it, in order of their starts.

    `weight_key` is the texture of the weights, empty where there is none; `count` the lanes of a texel of `key`.
    """
    return list(_Finder(trace, key, weight_key, count).find())


class _Finder:
    def __init__(self, trace: Trace, key: str, weight_key: str, count: int) -> None:
        self._trace, self._key, self._weight_key, self._count = trace, key, weight_key, count
        self._homes = VariableHomes(trace)
        self._last: dict[tuple[str, int, str], list[TraceStep]] = {}
        self._given = [float(value) for values in (*trace.uniforms.values(), *trace.constants.values())
                       for value in values[:4096]]  # fmt: skip

    def find(self) -> Iterator[Segment]:
        sums: dict[tuple[str, int, str], _Sum] = {}
        done: list[tuple[tuple[str, int, str], _Sum]] = []
        for step in self._trace.steps:
            for made in step.assigned:
                name, lanes = _element_and_lanes(made)
                place = (*self._homes.of(made.function, made.call, made.name)[:2], name)
                value = tuple(float(each) for each in made.value)
                known = sums.get(place)
                goes_on = known is not None and _goes_on(step, made)
                if known is None or not goes_on:
                    sums[place] = _Sum(step, value, value)
                    done.append((place, sums[place]))
                else:
                    after = _replaced(known.now, lanes, value)
                    reads = tuple(self._reads_behind(step, base_of(made.name)))
                    known.added.append(_Added(step, lanes, known.now, after, reads))
                    known.now = after
            for made in step.assigned:
                self._last.setdefault(self._homes.of(made.function, made.call, made.name), []).append(step)
        for (function, call, name), each in done:
            if any(read.key == self._key for one in each.added for read in one.reads):
                yield from self._segments(function, call, name, each)

    def _segments(self, function: str, call: int, name: str, each: _Sum) -> Iterator[Segment]:
        for lane in range(len(each.first)):
            increments = []
            for one in each.added:
                if lane in one.lanes and lane < len(one.before):
                    before, after = one.before[lane], one.after[lane]
                    parts = self._parts(one, lane)
                    increments.append(Increment(one.step, before, after, one.reads, parts))
            yield Segment(function, call, name, lane, each.start, each.first[lane], tuple(increments))

    # -- reads behind a statement ----------------------------------------------------------------------------

    def _reads_behind(self, step: TraceStep, own: str) -> list[TexelRead]:
        """Returns the reads whose values a statement uses: its own, of functions it calls, of variables it mentions."""
        found: list[TexelRead] = []
        seen: set[int] = {step.number}
        self._collect(step, own, found, seen, 0)
        return found

    def _collect(self, step: TraceStep, own: str, found: list[TexelRead], seen: set[int], depth: int) -> None:
        here = [*step.reads, *(read for later in self._within(step) for read in later.reads)]
        found.extend(here)
        if depth >= _DEEPEST or (here and depth > 0):
            return
        for name in dict.fromkeys(base_of(name) for name in names_used(step.text) if not name.endswith("()")):
            if name == own:
                continue
            before = self._last_of(step, name)
            if before is None or before.number in seen:
                continue
            if before.call != step.call and before.depth < step.depth:
                found.extend(before.reads)  # a parameter: the rest of what its caller did is done here, or beside it
                continue
            seen.add(before.number)
            self._collect(before, own, found, seen, depth + 1)

    def _within(self, step: TraceStep) -> Iterator[TraceStep]:
        """Yields the steps of functions that a step called."""
        steps, first = self._trace.steps, self._trace.first
        for later in itertools.islice(steps, step.number - first + 1, None):
            if later.depth <= step.depth:
                return
            yield later

    def _last_of(self, step: TraceStep, name: str) -> TraceStep | None:
        found = self._last.get(self._homes.of(step.function, step.call, name), ())
        return next((before for before in reversed(found) if before.number < step.number), None)

    # -- products --------------------------------------------------------------------------------------------

    def _parts(self, one: _Added, lane: int) -> tuple[ProductPart, ...]:
        """Returns the first way to multiply the reads that yields the increment; none where no way does."""
        added, carried = one.after[lane] - one.before[lane], abs(one.before[lane]) + abs(one.after[lane])
        values = [read for read in one.reads if read.key == self._key]
        weights = [read for read in one.reads if self._weight_key and read.key == self._weight_key]
        if not values:
            return ()
        ways = (
            self._read_weights(values, weights, lane) if weights else self._own_weights(values, lane, one.step, added)
        )
        for way in ways:
            total, size = sum(part.product for part in way), sum(abs(part.product) for part in way)
            if way and abs(total - added) <= ROUNDED * (carried + size) + 1e-37:
                return tuple(way)
        return ()

    def _lanes(self, read: TexelRead) -> list[list[int]]:
        """Returns the lanes of a read that may count: those used, or those that hold something."""
        used = list(read.lanes)
        held = [lane for lane in used if lane < self._count]
        return [used] if used == held or not held else [held, used]

    def _read_weights(
        self, values: Sequence[TexelRead], weights: Sequence[TexelRead], lane: int
    ) -> Iterator[list[ProductPart]]:
        flat = [(read, k) for read in values for k in self._lanes(read)[0]]
        for others in {tuple((read, k) for read in weights for k in read.lanes),
                       tuple((read, read.lanes[0]) for read in weights)}:  # fmt: skip
            if len(others) == len(flat):
                yield [_part(a, k, w, j) for (a, k), (w, j) in zip(flat, others, strict=True)]
        lanes_there = all(lane in read.lanes for read in weights)
        if lanes_there and len(weights) == len(flat):
            yield [_part(a, k, w, lane) for (a, k), w in zip(flat, weights, strict=True)]
        if len(weights) == len(values):
            if lanes_there and all(lane in read.lanes for read in values):
                yield [_part(a, lane, w, lane) for a, w in zip(values, weights, strict=True)]
            if all(lane in read.lanes for read in values):
                yield [_part(a, lane, w, w.lanes[0]) for a, w in zip(values, weights, strict=True)]
        if values and len(weights) % len(values) == 0:
            each = len(weights) // len(values)
            if lane < each:
                rows = [weights[number * each + lane] for number in range(len(values))]
                yield [_part(a, k, w, k) for a, w in zip(values, rows, strict=True) for k in a.lanes if k in w.lanes]
        for a, w in itertools.product(values, weights):
            yield [_part(a, k, w, k) for k in a.lanes if k in w.lanes]
            yield from ([_part(a, k, w, j)] for k in a.lanes for j in w.lanes)

    def _own_weights(
        self, values: Sequence[TexelRead], lane: int, step: TraceStep, added: float
    ) -> Iterator[list[ProductPart]]:
        """Yields weights that are written out, or uniforms; a mean has none."""
        numbers = [float(text) for text in _NUMBER.findall(step.text)]
        flat = [(read, k) for read in values for k in self._lanes(read)[0]]
        if all(lane in read.lanes for read in values):
            yield [ProductPart(read, lane, float(read.value[lane]), 1.0) for read in values]
        yield [ProductPart(read, k, float(read.value[k]), 1.0) for read, k in flat]
        size = len(flat)
        for start in range(len(numbers) - size + 1):
            yield _with(flat, numbers[start : start + size])
        rows = len(numbers) // size if size else 0
        if rows > 1:  # a matrix, column by column
            yield _with(flat, [numbers[rows * k + lane] for k in range(size)] if lane < rows else [])
        if len(flat) == 1:
            read, k = flat[0]
            value = float(read.value[k])
            known = (*numbers, *self._given, *self._assigned(step))
            for weight in (sign * number for number in known for sign in (1.0, -1.0)):
                if value * weight and abs(value * weight - added) <= 2.0**-8 * abs(added):
                    yield [ProductPart(read, k, value, weight)]

    def _assigned(self, step: TraceStep) -> Iterator[float]:
        """Yields numbers in the variables that a statement mentions."""
        for name in names_used(step.text):
            before = self._last_of(step, base_of(name))
            for made in before.assigned if before is not None else ():
                if base_of(made.name) == base_of(name):
                    yield from (float(value) for value in made.value)


def _with(flat: Sequence[tuple[TexelRead, int]], weights: Sequence[float]) -> list[ProductPart]:
    if len(weights) != len(flat):
        return []
    return [ProductPart(read, k, float(read.value[k]), weight) for (read, k), weight in zip(flat, weights, strict=True)]


def _part(value: TexelRead, lane: int, weight: TexelRead, weight_lane: int) -> ProductPart:
    return ProductPart(value, lane, float(value.value[lane]), float(weight.value[weight_lane]), weight, weight_lane)


def _element_and_lanes(made: Assigned) -> tuple[str, tuple[int, ...]]:
    """Splits `acc[2].xy` into `acc[2]` and lanes 0 and 1; without a swizzle all lanes."""
    base, dot, letters = made.name.rpartition(".")
    if dot and len(letters) == len(made.value):
        for alphabet in ("xyzw", "rgba", "stpq"):
            if set(letters) <= set(alphabet):
                return base, tuple(alphabet.index(letter) for letter in letters)
    return made.name, tuple(range(len(made.value)))


def _replaced(values: tuple[float, ...], lanes: tuple[int, ...], new: tuple[Number, ...]) -> tuple[float, ...]:
    size = max(len(values), max(lanes, default=-1) + 1)
    found = [*values, *[0.0] * (size - len(values))]
    for lane, value in zip(lanes, new, strict=True):
        found[lane] = float(value)
    return tuple(found)


def _goes_on(step: TraceStep, made: Assigned) -> bool:
    """Whether the statement computed the variable from its own value."""
    return made.call == step.call and base_of(made.name) in {base_of(name) for name in names_used(step.text)}
