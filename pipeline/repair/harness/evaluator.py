"""Evaluates edits of a pass on its harness: a few texels first, then all of them, then held-out inputs."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.judge import Judge
from texelscope.pipeline.plan import UniformValue
from texelscope.pipeline.repair.harness.harness import Area, Groups, Harness, Texels, Variant
from texelscope.pipeline.repair.harness.held_out_inputs import (
    ExpectedOutput,
    Inputs,
    Standard,
    other_moments,
    shuffled,
)
from texelscope.pipeline.repair.harness.spot_check import (
    BOUNDS,
    NEAR,
    SCALED,
    Causes,
    SpotCheck,
    SpotCheckResult,
    distinct,
    factor_of,
)
from texelscope.pipeline.repair.programs.mutant_schema import CHOICE, NUMBERS, Mutant
from texelscope.pipeline.repair.programs.schema_text import TURNS

# The first draw covers this many texels in each direction around wrong elements, in so many areas.
_AROUND, _AREAS = 4, 4
# A part of a dispatch covers at least this many elements.
_FEWEST = 16
# Limits of loop iterations, tried in this order for the unedited pass; an edit may take this multiple.
_TURNS, _MORE_TURNS = (1 << 6, 1 << 9, 1 << 12, 1 << 15, 1 << 20), 3
# If a limit takes this long, larger ones are not tried.
_TURNS_SECONDS = 1.0
# A residual must explain at least this share of the right values.
_SAYS = 0.5

Chosen = tuple[Mutant, ...]
Uniforms = Mapping[str, UniformValue]
_NONE: Uniforms = MappingProxyType({})


class Evaluator:
    """Evaluates edits of one pass: what it should give for its own inputs, and where that is checked first."""

    def __init__(
        self,
        harness: Harness,
        standard: Standard,
        single_fault_outputs: Sequence[NDArray[Any]] = (),
        turns: int = _TURNS[-1],
    ) -> None:
        """`single_fault_outputs`: the first output with either of two faults fixed; `turns` limit all loops.

        Raises TexelscopeError.
        """
        self._bench, self._standard, self._halves = harness, standard, single_fault_outputs
        self.wanted: Mapping[str, ExpectedOutput] = standard.wanted(harness.inputs)
        self._causes: Causes | None = None
        self._was_scaled, self._off_now = False, 0.0
        self._last: tuple[Variant, Chosen, Mapping[str, Texels]] | None = None
        self._areas: list[dict[str, Area]] = []
        self._spots: list[list[SpotCheck]] = []
        # The parts checked first, and the work groups that compute them if not all do.
        self._first: Mapping[str, ExpectedOutput] = self.wanted
        self._groups: Groups | None = None
        self._wrong_first: NDArray[np.bool_] | None = None
        # Their spot check without an edit, in one place and in several.
        self.plain = self.plain_around = SpotCheckResult(0, 0, 0.0, 0.0)
        self._turns = turns

    @property
    def turns(self) -> int:
        """Returns how often the loops of an invocation may turn, all together."""
        return self._turns

    @property
    def elements(self) -> int:
        """Returns how many elements of all outputs are judged."""
        return sum(wanted.value.size for wanted in self.wanted.values())

    def begin(self, variant: Variant, actual: Mapping[str, NDArray[np.float32]]) -> bool:
        """Whether the unedited text gives the pass's own result, `actual` by output; then wrong places are known."""
        for turns in _TURNS:
            self._turns, start = turns, time.process_time()
            if (wrong := self._wrong(variant, actual)) is not None or time.process_time() - start > _TURNS_SECONDS:
                break
        if not wrong or not any(each.any() for each in wrong.values()):
            return False
        first, stored = self._bench.shader_pass.output, self._bench.plan.textures
        alike = [key for key in wrong if stored[key].shape == stored[first].shape and wrong[key].any()]
        self._wrong_first = wrong.get(first if first in alike or not alike else alike[0])
        self._turns *= _MORE_TURNS
        self._areas = [self._whole()] if self._bench.shader_pass.dispatch is not None else list(self._around(wrong))
        if self._bench.shader_pass.dispatch is not None:
            self._look_at_few(variant, self._bench.shader_pass.dispatch.groups, wrong)
        self._spots = [self._spots_of(variant, area) for area in self._areas]
        self.plain, self.plain_around = self.look(variant, ()), self.look_around(variant, ())
        return True

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """Returns a mask of the first output's wrong elements; if it is right, that of another output of its size."""
        return np.zeros(0, dtype=bool) if self._wrong_first is None else self._wrong_first

    def _wrong(
        self, variant: Variant, actual: Mapping[str, NDArray[np.float32]]
    ) -> dict[str, NDArray[np.bool_]] | None:
        """Returns masks of the wrong elements, in order; None if they differ from those of the pass."""
        drawn = variant.run(self._uniforms(()), self._whole())
        wrong: dict[str, NDArray[np.bool_]] = {}
        for key, wanted in self.wanted.items():
            values = self._elements(wanted, drawn[key])
            judge = Judge(actual[key].reshape(-1), wanted.value, wanted.bound)
            if judge.wrong().any() and not judge.reproduces(values).is_whole and not self._bench.shares_memory:
                return None  # reads of shared memory before a write differ from run to run
            wrong[key] = Judge(values, wanted.value, wanted.bound).wrong()
        return wrong

    def _look_at_few(self, variant: Variant, groups: Groups, wrong: Mapping[str, NDArray[np.bool_]]) -> None:
        """Chooses the fewest work groups of a dispatch that compute some wrong elements, and what they surely write.

        A zero may be old content. Under an edit other groups may compute them.
        """
        whole = self._whole()
        if not self._bench.is_of_groups:
            return
        every = variant.run(self._uniforms(()), whole)
        for few in dict.fromkeys(((1, 1, 1), (groups[0], 1, 1), (groups[0], groups[1], 1))):
            drawn = variant.run(self._uniforms(()), whole, few) if few != groups else every
            first = {}
            for key, wanted in self.wanted.items():
                is_made = (drawn[key] == every[key]) & (drawn[key] != 0.0)
                first[key] = replace(wanted, address=np.where(is_made, wanted.address, -1))
            made = [wrong[key][each.address[each.address >= 0]] for key, each in first.items()]
            if few != groups and sum(each.size for each in made) >= _FEWEST and any(each.any() for each in made):
                self._first, self._groups = first, few
                return

    def look(self, variant: Variant, edits: Chosen) -> SpotCheckResult:
        """Spot checks the first few texels under some edits."""
        drawn = variant.run(self._uniforms(edits), self._areas[0], self._groups)
        looked = self._told(self._spots[:1], [drawn])
        if not looked.of:
            return looked
        area = self._areas[0]
        single_fault_outputs = tuple(
            number for number in range(len(self._halves)) if self._is_as(number, drawn, area, self._first)
        )
        left = self._left_by(drawn)
        if not looked.broken and self._causes is not None and (key := self._bench.shader_pass.output) in drawn:
            factor = factor_of(self._values(drawn), self.wanted[key].value[self.first])
            left = (*left, SCALED) if factor is not None and not self._was_scaled else left
        return replace(looked, single_fault_outputs=single_fault_outputs, left=left)

    def seems_right(self, variant: Variant, edits: Chosen) -> bool:
        """Whether nothing is wrong in the first few texels, as far as known."""
        drawn = variant.run(self._uniforms(edits), self._areas[0], self._groups)
        return self._told(self._spots[:1], [drawn]).is_right

    def look_around(self, variant: Variant, edits: Chosen) -> SpotCheckResult:
        """Spot checks several places: what helps at the first one may do harm at others."""
        drawn = [variant.run(self._uniforms(edits), area, self._groups) for area in self._areas]
        return self._told(self._spots, drawn)

    def _told(self, spots: Sequence[Sequence[SpotCheck]], drawn: Sequence[Mapping[str, Texels]]) -> SpotCheckResult:
        """Combines the spot checks of some areas."""
        right = of = broken = unknown = unmade = 0
        errors = squares = products = whole = 0.0
        values = []
        for some, every in zip(spots, drawn, strict=True):
            for spot in some:
                texels = self._cut(every[spot.key], spot.area)
                told = spot.told(texels)
                right, of = right + int(told.close.sum()), of + told.close.size
                if self._bench.shader_pass.dispatch is not None:  # it may have written nothing there
                    unmade += int(np.count_nonzero(told.close & ~spot.before & (texels[spot.there] == 0.0)))
                broken += int(np.count_nonzero(spot.before & ~told.close))
                if self._groups is not None:
                    unknown += int(np.count_nonzero(~told.close & (texels[spot.there] == 0.0)))
                errors += float(told.off.sum())
                squares, products, whole = squares + told.squares, products + told.products, whole + spot.squares
                values.append(told.values.tobytes())
        fitted = products**2 / (squares * whole) if squares * whole > 0.0 else 0.0
        residue = float(np.sqrt(max(1.0 - fitted, 0.0)))
        outcome = hash((*values,))
        return SpotCheckResult(right, of, errors / max(of, 1), residue, broken, (), (), unknown, unmade, outcome)

    @property
    def first(self) -> NDArray[np.int64]:
        """Returns the elements of the first output that are checked first, by linear index; none of other outputs."""
        key = self._bench.shader_pass.output
        if not self._areas or key not in self._areas[0]:
            return np.zeros(0, dtype=np.int64)
        address = self._cut_address(key, self._areas[0][key])
        return np.asarray(address[address >= 0], dtype=np.int64)

    def leave(self, variant: Variant, values: Mapping[int, NDArray[np.float64]]) -> None:
        """Stores the values of those elements under each of some causes, by number; see `SpotCheckResult.left`.

        Causes that give the current values, or the right ones, are dropped.
        """
        key = self._bench.shader_pass.output
        now = self._values(variant.run(self._uniforms(()), self._areas[0], self._groups))
        right = self.wanted[key].value[self.first]
        self._causes = Causes(values, self.wanted[key].bound[self.first])
        self._causes.keep(now, right)
        self._was_scaled = factor_of(now, right) is not None
        self._off_now = self._off(self._elements(self.wanted[key], self._drawn_whole(variant, ())[key]))

    def errors(self, variant: Variant, edits: Chosen, settings: Uniforms = _NONE) -> NDArray[np.float64] | None:
        """Returns the errors of those elements, in their bounds; None if no element of the first output is checked."""
        key = self._bench.shader_pass.output
        if key not in self._areas[0]:
            return None
        first, wanted = self.first, self.wanted[key]
        drawn = self._values(variant.run(self._uniforms(edits), self._areas[0], self._groups, settings))
        return (drawn - wanted.value[first]) / np.maximum(wanted.bound[first], np.finfo(np.float32).tiny)

    def _left_by(self, drawn: Mapping[str, Texels]) -> tuple[int, ...]:
        is_known = self._causes is not None and self._bench.shader_pass.output in drawn
        return self._causes.like(self._values(drawn)) if is_known and self._causes is not None else ()

    def _values(self, drawn: Mapping[str, Texels]) -> NDArray[np.float64]:
        """Returns the values of those elements, in that order."""
        key = self._bench.shader_pass.output
        area = self._areas[0][key]
        return self._cut(drawn[key], area)[self._cut_address(key, area) >= 0].astype(np.float64)

    def _cut_address(self, key: str, area: Area) -> NDArray[np.int32]:
        x, y, width, height = area
        return self._first[key].address[y : y + height, x : x + width]

    def is_left_by(self, variant: Variant, edits: Chosen, value: NDArray[np.float64]) -> bool:
        """Whether edits give these values in the first output, as near to the right ones and as informative."""
        wanted = self.wanted[self._bench.shader_pass.output]
        if self._off(value) > self._off_now or distinct(value) < _SAYS * distinct(wanted.value):
            return False
        return self._is_close(value, self._drawn_whole(variant, edits), self._whole())

    def _off(self, value: NDArray[Any]) -> float:
        """Returns roughly the error of the first output with these values."""
        return float(
            np.nan_to_num(np.abs(value - self.wanted[self._bench.shader_pass.output].value), nan=np.inf).mean()
        )

    def _drawn_whole(self, variant: Variant, edits: Chosen) -> Mapping[str, Texels]:
        """Draws everything under some edits; the last result is kept, since many causes are compared with it."""
        if self._last is None or self._last[0] is not variant or self._last[1] != edits:
            self._last = variant, edits, variant.run(self._uniforms(edits), self._whole())
        return self._last[2]

    def factor_left_by(self, variant: Variant, edits: Chosen) -> float | None:
        """Returns the factor by which the first output is off under some edits; None for other errors."""
        key = self._bench.shader_pass.output
        value = self.wanted[key].value
        drawn = self._elements(self.wanted[key], self._drawn_whole(variant, edits)[key]).astype(np.float64)
        factor = factor_of(drawn, value)
        if factor is None or not self.is_left_by(variant, edits, factor * value):
            return None
        return factor

    def is_half(self, variant: Variant, edits: Chosen, number: int) -> bool:
        """Whether edits give the first output with that one of two causes fixed."""
        return self._is_as(number, self._drawn_whole(variant, edits), self._whole(), self.wanted)

    def _is_as(
        self, number: int, drawn: Mapping[str, Texels], area: Mapping[str, Area], of: Mapping[str, ExpectedOutput]
    ) -> bool:
        if self._bench.shader_pass.output not in area:
            return False
        return self._is_close(self._halves[number].astype(np.float64), drawn, area, of)

    def _is_close(
        self,
        value: NDArray[np.float64],
        drawn: Mapping[str, Texels],
        area: Mapping[str, Area],
        of: Mapping[str, ExpectedOutput] | None = None,
    ) -> bool:
        key = self._bench.shader_pass.output
        wanted = (of or self.wanted)[key]
        near = NEAR * float(np.abs(value[np.isfinite(value)]).max(initial=0.0))
        half = replace(wanted, value=value, bound=BOUNDS * wanted.bound + near)
        return bool(half.held_against(self._cut(drawn[key], area[key]), area[key])[0].all())

    def is_right_first(self, variant: Variant, edits: Chosen, settings: Uniforms = _NONE) -> bool:
        """Whether a few texels in several places are right, with other values of the pass's own uniforms."""
        for area in self._areas:
            if not all(right.all() for right in self._right(variant, edits, area, settings).values()):
                return False
        return True

    def is_right(
        self,
        variant: Variant,
        edits: Chosen,
        wanted: Mapping[str, ExpectedOutput] | None = None,
        *,
        settings: Uniforms = _NONE,
    ) -> bool:
        """Whether every element is right, on the harness's current inputs, with other values of the pass's uniforms."""
        wanted = self.wanted if wanted is None else wanted
        drawn = variant.run(self._uniforms(edits), self._whole(), settings=settings)
        for key, each in wanted.items():
            close, _ = each.held_against(drawn[key], self._whole()[key])
            if not close.all():
                return False
        return True

    def on_others(self, others: Sequence[Inputs] | None = None) -> Iterator[Mapping[str, ExpectedOutput]]:
        """Yields the expected outputs for each of some other inputs, which it sets; restores the own ones afterwards.

        By default they are the own inputs shuffled. Uniforms that change from frame to frame are those of other frames.
        """
        moments = itertools.cycle(other_moments(self._bench.plan))
        try:
            for inputs in shuffled(self._bench.inputs) if others is None else others:
                moment = next(moments)
                wanted = self._standard.wanted(inputs, moment)
                self._bench.feed(inputs)
                self._bench.go_to(moment)
                yield wanted
        finally:
            self._bench.restore()

    def _right(
        self, variant: Variant, edits: Chosen, area: Mapping[str, Area], settings: Uniforms = _NONE
    ) -> dict[str, NDArray[np.bool_]]:
        drawn = variant.run(self._uniforms(edits), area, settings=settings)
        return {
            key: self.wanted[key].held_against(self._cut(drawn[key], part), part)[0] for key, part in area.items()
        }  # fmt: skip

    def _spots_of(self, variant: Variant, some: Mapping[str, Area]) -> list[SpotCheck]:
        """Returns areas of outputs, with the texels of the unedited pass."""
        drawn = variant.run(self._uniforms(()), some, self._groups)
        return [SpotCheck(self._first[key], key, area, self._cut(drawn[key], area)) for key, area in some.items()]

    def _uniforms(self, edits: Chosen) -> dict[str, UniformValue]:
        """Returns the uniforms that choose up to two edits."""
        chosen = [*edits, *(None,) * (2 - len(edits))]
        numbers = [value for edit in chosen for value in (edit.proposal.values if edit is not None else (0.0, 0.0))]
        numbered = tuple(edit.number if edit is not None else 0 for edit in chosen)
        return {CHOICE: numbered, NUMBERS: tuple(numbers), TURNS: self._turns}

    @staticmethod
    def _cut(texels: Texels, area: Area) -> Texels:
        """Returns the part of a whole texture, which a dispatch returns."""
        x, y, width, height = area
        return texels if texels.shape[:2] == (height, width) else texels[y : y + height, x : x + width]

    def _whole(self) -> dict[str, Area]:
        return {key: (0, 0, each.address.shape[1], each.address.shape[0]) for key, each in self.wanted.items()}

    @staticmethod
    def _elements(wanted: ExpectedOutput, texels: Texels) -> NDArray[np.float32]:
        there = wanted.address >= 0
        values = np.full(wanted.value.size, np.nan, dtype=np.float32)
        values[wanted.address[there]] = texels[there]
        return values

    def _around(self, wrong: Mapping[str, NDArray[np.bool_]]) -> Iterator[dict[str, Area]]:
        """Yields parts of the targets around some wrong elements, spread evenly: of different texels and lanes."""
        for key, flat in wrong.items():
            address = self.wanted[key].address
            height, width, _ = address.shape
            places = np.argwhere(((address >= 0) & flat[np.maximum(address, 0)]).any(axis=2))
            found: dict[Area, None] = {}
            spread = np.linspace(0, len(places) - 1, _AREAS).astype(int) if len(places) else ()
            # At the first element all indices are zero under any edit: it does not come first.
            for position in np.roll(spread, -1):
                ty, tx = (int(each) for each in places[position])
                x, y = max(tx - _AROUND // 2, 0), max(ty - _AROUND // 2, 0)
                found[x, y, min(_AROUND, width - x), min(_AROUND, height - y)] = None
            yield from ({key: area} for area in found)
