"""Tries edits of a pass on its bench: a few texels first, all of them then, other inputs last."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.trial.scoring import Judge
from pipeline.plan import UniformValue
from pipeline.repair.bench import Area, Bench, Texels, Variant
from pipeline.repair.schemata import CHOICE, NUMBERS, TURNS, Edit
from pipeline.repair.standard import Standard, Wanted, others

# Drawn at first, so many texels in each direction around wrong elements.
_AROUND, _AREAS = 4, 4
# Turns of loops that a pass may take, looked for in this order; under an edit so many times as many.
_TURNS, _MORE_TURNS = (1 << 6, 1 << 9, 1 << 12, 1 << 15, 1 << 20), 3
# Where so many turns take that long, more of them are not tried.
_TURNS_SECONDS = 1.0
# What is redone in numpy comes as near, in bounds and of the largest value.
_BOUNDS, _NEAR = 8.0, 1e-5
# Stands among the numbers of causes for a factor that is left. What is left says so much of what is right at least.
SCALED, _SAYS = -1, 0.5
# A factor is told by so many elements, and is no rounding.
_FEWEST, _NO_FACTOR = 8, 1e-3
# An edit helps where it takes this from the errors.
_HELPS = 0.9

Chosen = tuple[Edit, ...]
Uniforms = Mapping[str, UniformValue]
_NONE: Uniforms = MappingProxyType({})


@dataclass(frozen=True)
class Looked:
    """What a few texels are like: how many elements of them are right, and how large the errors are, about.

    `halves` are the numbers of the halves that they are as, where two causes are known; `left` are those of the causes
    that alone would make them so.
    """

    right: int
    of: int
    errors: float
    spread: float
    broken: int = 0
    halves: tuple[int, ...] = ()
    left: tuple[int, ...] = ()

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong there."""
        return self.right == self.of


class Trials:
    """Trials of one pass: what it should be of its own inputs, and where that is looked at first."""

    def __init__(self, bench: Bench, standard: Standard, halves: Sequence[NDArray[Any]] = ()) -> None:
        """`halves`: what the first output is with either of two faults mended. Raises TexelscopeError."""
        self._bench, self._standard, self._halves = bench, standard, halves
        self.wanted: Mapping[str, Wanted] = standard.wanted(bench.inputs)
        self._left: tuple[NDArray[np.int64], NDArray[np.float64]] | None = None
        self._was_scaled, self._off_now = False, 0.0
        self._last: tuple[Variant, Chosen, Mapping[str, Texels]] | None = None
        self._areas: list[dict[str, Area]] = []
        self._before: list[dict[str, NDArray[np.bool_]]] = []
        self._wrong_first: NDArray[np.bool_] | None = None
        self.plain = Looked(0, 0, 0.0, 0.0)
        self._turns = _TURNS[-1]

    @property
    def elements(self) -> int:
        """How many elements of all outputs are judged."""
        return sum(wanted.value.size for wanted in self.wanted.values())

    def begin(self, variant: Variant, actual: Mapping[str, NDArray[np.float32]]) -> bool:
        """Whether the text as it is makes what the pass made, `actual` by output; then the wrong places are known."""
        for turns in _TURNS:
            self._turns, start = turns, time.process_time()
            if (wrong := self._wrong(variant, actual)) is not None or time.process_time() - start > _TURNS_SECONDS:
                break
        if not wrong or not any(each.any() for each in wrong.values()):
            return False
        self._wrong_first = wrong.get(self._bench.each.output)
        self._turns *= _MORE_TURNS
        self._areas = [self._whole()] if self._bench.each.dispatch is not None else list(self._around(wrong))
        self._before = [self._right(variant, (), area) for area in self._areas]
        self.plain = self.look(variant, ())
        return True

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """Which elements of the first output are wrong, in order."""
        return np.zeros(0, dtype=bool) if self._wrong_first is None else self._wrong_first

    def _wrong(
        self, variant: Variant, actual: Mapping[str, NDArray[np.float32]]
    ) -> dict[str, NDArray[np.bool_]] | None:
        """Which elements are wrong, in order; None where they are others than those of the pass."""
        drawn = variant.run(self._uniforms(()), self._whole())
        wrong: dict[str, NDArray[np.bool_]] = {}
        for key, wanted in self.wanted.items():
            values = self._elements(wanted, drawn[key])
            judge = Judge(actual[key].reshape(-1), wanted.value, wanted.bound)
            if judge.wrong().any() and not judge.reproduces(values).is_whole and not self._bench.shares_memory:
                return None  # what is read of shared memory before it is written is not the same each time
            wrong[key] = Judge(values, wanted.value, wanted.bound).wrong()
        return wrong

    def look(self, variant: Variant, edits: Chosen) -> Looked:
        """What the first few texels are like under some edits."""
        right = of = broken = 0
        sizes: list[NDArray[np.float64]] = []
        area, before = self._areas[0], self._before[0]
        drawn = variant.run(self._uniforms(edits), area)
        for key, part in area.items():
            close, off = self.wanted[key].held_against(self._cut(drawn[key], part), part)
            right, of = right + int(close.sum()), of + close.size
            broken += int(np.count_nonzero(before[key] & ~close))
            sizes.append(np.where(close, 0.0, off))
        errors = np.nan_to_num(np.concatenate(sizes), nan=1e30, posinf=1e30, neginf=-1e30) if sizes else np.zeros(1)
        if not errors.size:
            return Looked(right, of, 0.0, 0.0, broken)
        halves = tuple(number for number in range(len(self._halves)) if right < of and self._is_as(number, drawn, area))
        left = self._left_by(drawn) if right < of else ()
        if right < of and not broken and self._left is not None and (key := self._bench.each.output) in drawn:
            texels = self._cut(drawn[key], area[key])[self._cut_address(area[key]) >= 0]
            factor = _factor(texels.astype(np.float64), self.wanted[key].value[self.first])
            is_scaled = factor is not None and not self._was_scaled
            left = (*left, SCALED) if is_scaled else left
        return Looked(right, of, float(np.abs(errors).mean()), float(errors.std()), broken, halves, left)

    @property
    def first(self) -> NDArray[np.int64]:
        """The elements of the first output that are looked at first, by their linear indices; none of another's."""
        area = self._areas[0].get(self._bench.each.output) if self._areas else None
        if area is None:
            return np.zeros(0, dtype=np.int64)
        address = self._cut_address(area)
        return np.asarray(address[address >= 0], dtype=np.int64)

    def leave(self, variant: Variant, values: Mapping[int, NDArray[np.float64]]) -> None:
        """What the elements looked at first are under each of some causes, by number; see `Looked.left`.

        Of those under which they are as the pass has them now, or right, nothing is told.
        """
        key = self._bench.each.output
        drawn = variant.run(self._uniforms(()), self._areas[0])
        wanted = self.wanted[key].value[self.first]
        numbers = np.array([*values], dtype=np.int64)
        rows = np.array([*values.values()], dtype=np.float64).reshape(len(values), -1)
        self._left = numbers, rows
        now, right = {*self._left_by(drawn)}, self._near(rows, wanted).all(axis=1)
        kept = ~right & ~np.isin(numbers, [*now]) & np.isfinite(rows).all(axis=1)
        self._left = numbers[kept], rows[kept]
        texels = self._cut(drawn[key], self._areas[0][key])[self._cut_address(self._areas[0][key]) >= 0]
        self._was_scaled = _factor(texels.astype(np.float64), wanted) is not None
        self._off_now = self._off(self._elements(self.wanted[key], self._drawn_whole(variant, ())[key]))

    def _left_by(self, drawn: Mapping[str, Texels]) -> tuple[int, ...]:
        key = self._bench.each.output
        if self._left is None or key not in drawn:
            return ()
        area, (numbers, rows) = self._areas[0][key], self._left
        values = self._cut(drawn[key], area)[self._cut_address(area) >= 0].astype(np.float64)
        return tuple(int(number) for number in numbers[self._near(rows, values).all(axis=1)])

    def _near(self, rows: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.bool_]:
        bound = _BOUNDS * self.wanted[self._bench.each.output].bound[self.first]
        near = _NEAR * np.abs(rows).max(axis=1, initial=0.0, keepdims=True)
        return np.asarray(np.abs(rows - values) <= bound + near)

    def _cut_address(self, area: Area) -> NDArray[np.int32]:
        x, y, width, height = area
        return self.wanted[self._bench.each.output].address[y : y + height, x : x + width]

    def is_left_by(self, variant: Variant, edits: Chosen, value: NDArray[np.float64]) -> bool:
        """Whether edits make the first output such values, which are as near to what is right and say as much."""
        wanted = self.wanted[self._bench.each.output]
        if self._off(value) > self._off_now or _distinct(value) < _SAYS * _distinct(wanted.value):
            return False
        return self._is_close(value, self._drawn_whole(variant, edits), self._whole())

    def _off(self, value: NDArray[Any]) -> float:
        """How far the first output is off, about, where it is such values."""
        return float(np.nan_to_num(np.abs(value - self.wanted[self._bench.each.output].value), nan=np.inf).mean())

    def _drawn_whole(self, variant: Variant, edits: Chosen) -> Mapping[str, Texels]:
        """All that some edits make; the last of it is kept, for many causes are held against it."""
        if self._last is None or self._last[0] is not variant or self._last[1] != edits:
            self._last = variant, edits, variant.run(self._uniforms(edits), self._whole())
        return self._last[2]

    def factor_left_by(self, variant: Variant, edits: Chosen) -> float | None:
        """The one factor by which the first output is off under some edits; None where it is off otherwise."""
        key = self._bench.each.output
        value = self.wanted[key].value
        drawn = self._elements(self.wanted[key], self._drawn_whole(variant, edits)[key]).astype(np.float64)
        factor = _factor(drawn, value)
        if factor is None or not self.is_left_by(variant, edits, factor * value):
            return None
        return factor

    def is_half(self, variant: Variant, edits: Chosen, number: int) -> bool:
        """Whether edits make the first output what it is with that one of two causes mended."""
        return self._is_as(number, self._drawn_whole(variant, edits), self._whole())

    def _is_as(self, number: int, drawn: Mapping[str, Texels], area: Mapping[str, Area]) -> bool:
        key = self._bench.each.output
        if key not in area:
            return False
        return self._is_close(self._halves[number].astype(np.float64), drawn, area)

    def _is_close(self, value: NDArray[np.float64], drawn: Mapping[str, Texels], area: Mapping[str, Area]) -> bool:
        key = self._bench.each.output
        wanted = self.wanted[key]
        near = _NEAR * float(np.abs(value[np.isfinite(value)]).max(initial=0.0))
        half = replace(wanted, value=value, bound=_BOUNDS * wanted.bound + near)
        return bool(half.held_against(self._cut(drawn[key], area[key]), area[key])[0].all())

    def is_right_first(self, variant: Variant, edits: Chosen, beside: Uniforms = _NONE) -> bool:
        """Whether a few texels in several places are right."""
        for area in self._areas:
            if not all(right.all() for right in self._right(variant, edits, area, beside).values()):
                return False
        return True

    def is_right(
        self,
        variant: Variant,
        edits: Chosen,
        wanted: Mapping[str, Wanted] | None = None,
        *,
        beside: Uniforms = _NONE,
    ) -> bool:
        """Whether every element is, of the inputs that the bench has now, under uniforms `beside` the pass's own."""
        wanted = self.wanted if wanted is None else wanted
        drawn = variant.run({**self._uniforms(edits), **beside}, self._whole())
        for key, each in wanted.items():
            close, _ = each.held_against(drawn[key], self._whole()[key])
            if not close.all():
                return False
        return True

    def on_others(self) -> Iterator[Mapping[str, Wanted]]:
        """For each of some other inputs, put on the bench, what is right of them; its own are back afterwards."""
        try:
            for inputs in others(self._bench.inputs):
                wanted = self._standard.wanted(inputs)
                self._bench.feed(inputs)
                yield wanted
        finally:
            self._bench.restore()

    def _right(
        self, variant: Variant, edits: Chosen, area: Mapping[str, Area], beside: Uniforms = _NONE
    ) -> dict[str, NDArray[np.bool_]]:
        drawn = variant.run({**self._uniforms(edits), **beside}, area)
        return {
            key: self.wanted[key].held_against(self._cut(drawn[key], part), part)[0] for key, part in area.items()
        }  # fmt: skip

    def _uniforms(self, edits: Chosen) -> dict[str, UniformValue]:
        """The choice of up to two edits."""
        chosen = [*edits, *(None,) * (2 - len(edits))]
        numbers = [value for edit in chosen for value in (edit.proposal.values if edit is not None else (0.0, 0.0))]
        numbered = tuple(edit.number if edit is not None else 0 for edit in chosen)
        return {CHOICE: numbered, NUMBERS: tuple(numbers), TURNS: self._turns}

    @staticmethod
    def _cut(texels: Texels, area: Area) -> Texels:
        """The part of a whole texture, as a dispatch makes it."""
        x, y, width, height = area
        return texels if texels.shape[:2] == (height, width) else texels[y : y + height, x : x + width]

    def _whole(self) -> dict[str, Area]:
        return {key: (0, 0, each.address.shape[1], each.address.shape[0]) for key, each in self.wanted.items()}

    @staticmethod
    def _elements(wanted: Wanted, texels: Texels) -> NDArray[np.float32]:
        there = wanted.address >= 0
        values = np.full(wanted.value.size, np.nan, dtype=np.float32)
        values[wanted.address[there]] = texels[there]
        return values

    def _around(self, wrong: Mapping[str, NDArray[np.bool_]]) -> Iterator[dict[str, Area]]:
        """Parts of the targets around some wrong elements, all over each: of different texels and lanes."""
        for key, flat in wrong.items():
            address = self.wanted[key].address
            height, width, _ = address.shape
            places = np.argwhere(((address >= 0) & flat[np.maximum(address, 0)]).any(axis=2))
            found: dict[Area, None] = {}
            for position in np.linspace(0, len(places) - 1, _AREAS).astype(int) if len(places) else ():
                ty, tx = (int(each) for each in places[position])
                x, y = max(tx - _AROUND // 2, 0), max(ty - _AROUND // 2, 0)
                found[x, y, min(_AROUND, width - x), min(_AROUND, height - y)] = None
            yield from ({key: area} for area in found)


def helped(looked: Looked, plain: Looked) -> float:
    """How much an edit helps, from 0: what it makes right and what it takes from the errors; 0 if something breaks."""
    if looked.broken:
        return 0.0
    gained = (looked.right - plain.right) / max(plain.of, 1)
    left = min(looked.errors / plain.errors, looked.spread / plain.spread) if plain.errors and plain.spread else 1.0
    return max(gained, 0.0) + max(_HELPS - left, 0.0)


def _distinct(values: NDArray[np.float64]) -> int:
    """How many values there are, about."""
    finite = values[np.isfinite(values)]
    step = _NEAR * float(np.abs(finite).max(initial=0.0))
    return len(np.unique(np.rint(finite / step))) if step else 1


def _factor(values: NDArray[np.float64], right: NDArray[np.float64]) -> float | None:
    """The one factor between values and what is right; None where there is none, or they are right."""
    told = np.abs(right) > _NO_FACTOR * float(np.abs(right).max(initial=0.0))
    if np.count_nonzero(told) < _FEWEST or not np.isfinite(values[told]).all():
        return None
    ratios = values[told] / right[told]
    factor = float(np.median(ratios))
    is_one = abs(factor) > _NO_FACTOR and bool((np.abs(ratios - factor) <= _NO_FACTOR * abs(factor)).all())
    return factor if is_one and abs(factor - 1.0) > 2.0 * _NO_FACTOR and _distinct(right[told]) > 2 else None
