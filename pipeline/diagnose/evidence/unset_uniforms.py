"""Finds the values of unset uniforms with which a wrong pass is right: what a pipeline file leaves out is 0.

First each uniform alone has each likely value (`likely_values`); then the floats are solved for by Gauss-Newton steps
from the errors of a few elements, one uniform alone and all together; last come likely values of two at once, and of
one beside solved floats. What is found is rounded to the fewest digits with which the pass stays right. GL thread only.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.judge import FITTED_EACH
from texelscope.pipeline.diagnose.evidence.evidence import UniformSetting
from texelscope.pipeline.diagnose.evidence.interventions import Redraws
from texelscope.pipeline.diagnose.evidence.likely_values import Numbers, as_uniform_value, likely_values
from texelscope.pipeline.plan import Pass, Plan, UnsetUniform

# No draw begins after this.
_SECONDS = 1.5
# At most this many numbers are solved for together; errors of at most this many elements are looked at for that.
_MOST_NUMBERS, _MOST_ELEMENTS = 48, 4096
# The most steps towards a solution; the share of the errors that each has to remove at least.
_STEPS, _GAINS = 8, 0.2
# The step of a difference: the first, which is exact for what is linear, and the others, relative to a number or to 1.
_FIRST, _LATER = 1.0, 0.02
# Fractions of a step that goes too far.
_SHARES = (1.0, 0.3, 0.1)
# The most pairs of likely values.
_MOST_PAIRS = 600
_DIGITS = 9
# A number this small beside the largest one is 0.
_NOTHING = 1e-6

Values = dict[UnsetUniform, Numbers]


class _LateError(Exception):
    """No time is left."""


@dataclass(frozen=True)
class ExpectedElements:
    """What the pass should give, flat: values and their bounds, as its texels hold them.

    `address` are the elements by texel and lane, [height, width, lanes], -1 for none.
    """

    value: NDArray[np.float64]
    bound: NDArray[np.float64]
    address: NDArray[np.int32]


def unset_uniforms(
    plan: Plan, shader_pass: Pass, redraws: Redraws, expected: ExpectedElements
) -> Generator[None, None, tuple[UniformSetting, ...]]:
    """Returns the uniforms that have to be set, each with its value; none if no values make the pass right.

    `plan` has the nodes whose numbers are likely.
    """
    search = _Search(plan, shader_pass, redraws, expected)
    try:
        found = yield from search.run()
        rounded = search.rounded(found) if found is not None else {}
        return tuple(UniformSetting(each, as_uniform_value(each, numbers)) for each, numbers in rounded.items())
    except _LateError:
        return ()


def shows_only_if_set(shader_pass: Pass, redraws: Redraws) -> bool:
    """Reports whether a few rows of the result are all 0, and are not if every unset uniform is 1."""
    ones = {each.name: as_uniform_value(each, (1.0,) * each.count) for each in shader_pass.unset}
    unset, all_set = (redraws.draw(settings, is_of_few=True) for settings in ({}, ones))
    return not unset.texels[unset.rows].any() and bool(all_set.texels[all_set.rows].any())


class _Search:
    def __init__(self, plan: Plan, shader_pass: Pass, redraws: Redraws, expected: ExpectedElements) -> None:
        self._plan, self._pass, self._redraws, self._expected = plan, shader_pass, redraws, expected
        self._end = time.monotonic() + _SECONDS
        self._likely = {each: likely_values(plan, shader_pass, each) for each in shader_pass.unset}
        self._floats = [each for each in shader_pass.unset if each.kind == "float" and each.count <= _MOST_NUMBERS]
        positive = expected.bound[expected.bound > 0.0]
        self._scale = float(np.median(positive)) if positive.size else 1.0

    def run(self) -> Generator[None, None, Values | None]:
        unset = self._pass.unset
        for values in self._alone():
            if self._is_right(values):
                return values
            yield
        for each in self._floats:
            if (found := self._solved([each], {})) is not None:
                return found
            yield
        if len(self._floats) > 1 and (found := self._solved(self._floats, {})) is not None:
            return self._fewest(found)
        yield
        if len(unset) < 2:
            return None
        for values in itertools.islice(self._pairs(), _MOST_PAIRS):
            if self._is_right(values):
                return values
            yield
        for values in self._alone():
            others = [each for each in self._floats if each not in values]
            if others and (found := self._solved(others, values)) is not None:
                return self._fewest(found)
            yield
        return None

    def _alone(self) -> Iterator[Values]:
        for uniform, likely in self._likely.items():
            yield from ({uniform: each.numbers} for each in likely)

    def _pairs(self) -> Iterator[Values]:
        for (one, first), (other, second) in itertools.combinations(self._likely.items(), 2):
            for a, b in sorted(itertools.product(range(len(first)), range(len(second))), key=sum):
                yield {one: first[a].numbers, other: second[b].numbers}

    # -- draws -----------------------------------------------------------------------------------------------

    def _drawn(self, values: Values, *, is_of_few: bool = False) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """Returns the drawn values and which elements they are."""
        if time.monotonic() > self._end:
            raise _LateError
        settings = {each.name: as_uniform_value(each, numbers) for each, numbers in values.items()}
        drawn = self._redraws.draw(settings, is_of_few=is_of_few)
        address = self._expected.address[drawn.rows]
        there = address >= 0
        return drawn.texels[drawn.rows][there].astype(np.float64), address[there]

    def _is_right(self, values: Values) -> bool:
        """Whether everything is right; a few rows decide for most values, also where a count makes loops long."""
        return self._are_right(*self._drawn(values, is_of_few=True)) and self._are_right(*self._drawn(values))

    def _are_right(self, drawn: NDArray[np.float64], elements: NDArray[np.int32]) -> bool:
        value, bound = self._expected.value[elements], self._expected.bound[elements]
        is_right = (np.abs(drawn - value) <= bound) | (drawn == value) | (np.isnan(drawn) & np.isnan(value))
        return bool(is_right.all())

    def _errors(self, values: Values) -> tuple[NDArray[np.float64], bool]:
        """Returns the errors of some elements, spread evenly, in the usual bound; and whether all are right."""
        drawn, elements = self._drawn(values)
        off = (drawn - self._expected.value[elements]) / self._scale
        return off[:: max(off.size // _MOST_ELEMENTS, 1)], self._are_right(drawn, elements)

    # -- solving ---------------------------------------------------------------------------------------------

    def _solved(self, uniforms: Sequence[UnsetUniform], fixed: Values) -> Values | None:
        """Returns the fixed values and those of `uniforms` with which everything is right; None if none are found."""
        count = sum(each.count for each in uniforms)
        if count > _MOST_NUMBERS or self._expected.value.size < FITTED_EACH * count:
            return None
        for start in (0.0, 1.0):  # a product of two zeros, or one divided by zero, says nothing
            found = self._from(np.full(count, start), lambda numbers: {**fixed, **_split(uniforms, numbers)})
            if found is not None:
                return {**fixed, **_split(uniforms, found)}
        return None

    def _from(
        self, numbers: NDArray[np.float64], values: Callable[[NDArray[np.float64]], Values]
    ) -> NDArray[np.float64] | None:
        """Returns the numbers with which everything is right, after some steps from the given ones."""
        errors, is_right = self._errors(values(numbers))
        for step in range(_STEPS):
            if is_right:
                return numbers
            if not np.isfinite(errors).all():
                return None
            slopes = np.zeros((errors.size, numbers.size))
            for place in range(numbers.size):
                by = _FIRST if step == 0 else _LATER * max(abs(numbers[place]), 1.0)
                moved = numbers.copy()
                moved[place] += by
                beside, _ = self._errors(values(moved))
                slopes[:, place] = (beside - errors) / by
            if not np.isfinite(slopes).all() or not slopes.any():
                return None
            move = np.linalg.lstsq(slopes, -errors, rcond=1e-9)[0]
            before = float(np.linalg.norm(errors))
            for share in _SHARES:
                following = numbers + share * move
                made, is_right = self._errors(values(following))
                if is_right or float(np.nan_to_num(np.linalg.norm(made), nan=np.inf)) <= (1.0 - _GAINS) * before:
                    break
            else:
                return None
            numbers, errors = following, made
        return numbers if is_right else None

    def _fewest(self, found: Values) -> Values:
        """Leaves out, as long as the others can be solved for, uniforms that need no value."""
        for uniform in sorted(found, key=lambda each: float(np.abs(found[each]).max())):
            rest = [each for each in found if each is not uniform and each in self._floats]
            fixed = {each: found[each] for each in found if each is not uniform and each not in self._floats}
            if rest and len(found) > 1 and (fewer := self._solved(rest, fixed)) is not None:
                found = fewer
        return found

    # -- numbers as a person writes them -----------------------------------------------------------------------

    def rounded(self, found: Values) -> Values:
        """Returns the values with the fewest digits with which everything stays right.

        Lanes that no element depends on get the value of the others, if these are equal.
        """
        self._end = time.monotonic() + _SECONDS
        for uniform in found:
            if self._is_likely(uniform, found[uniform]):
                continue
            largest = float(np.abs(found[uniform]).max())
            used = [number for number in found[uniform] if abs(number) > _NOTHING * largest]
            alike = {**found, uniform: (float(np.median(used or [0.0])),) * uniform.count}
            if uniform.kind == "float" and self._is_right(alike):
                found = alike
            for digits in range(1, _DIGITS):
                numbers = tuple(
                    float(f"{number:.{digits}g}") if abs(number) > _NOTHING * largest else 0.0
                    for number in found[uniform]
                )
                if uniform.kind == "float" and self._is_right({**found, uniform: numbers}):
                    found = {**found, uniform: numbers}
                    break
        return found

    def _is_likely(self, uniform: UnsetUniform, numbers: Numbers) -> bool:
        """Whether a value is one of the likely ones, which are exact."""
        return any(each.numbers == numbers for each in self._likely[uniform])


def _split(uniforms: Sequence[UnsetUniform], numbers: NDArray[np.float64]) -> Values:
    found, start = {}, 0
    for each in uniforms:
        found[each] = tuple(float(number) for number in numbers[start : start + each.count])
        start += each.count
    return found
