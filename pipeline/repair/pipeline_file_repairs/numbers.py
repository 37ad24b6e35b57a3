"""Tries other numbers in a pipeline file: in uniforms, members and arrays, push constants, constants and defines.

Where the file has a number, and which number of which uniform it is, is found by planning the file with another number
in its place. Then values of uniforms are tried on the running program; a define, or a constant that is specialized,
changes the text, so that each value of it is planned and compiled.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.glsl.vulkan import vulkan_to_gl
from texelscope.pipeline.pipeline_file.file_plan import FilePlan
from texelscope.pipeline.plan import Pass, UniformValue
from texelscope.pipeline.repair.harness.evaluator import Evaluator
from texelscope.pipeline.repair.harness.harness import Variant
from texelscope.pipeline.repair.harness.solving import solved, ways_to_write
from texelscope.pipeline.repair.pipeline_file_repairs.lines import set_in
from texelscope.pipeline.repair.pipeline_file_repairs.number_places import (
    NumberPlace,
    expressions_in,
    number_places,
    with_numbers,
)
from texelscope.pipeline.repair.pipeline_file_repairs.tried import lines_of, planned_with, repair_of_file

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

# Uniforms of more lanes are tables.
_MOST_LANES = 4
# At most this many numbers of a pass are looked at, pairs of them exchanged, and other texts compiled.
_MOST_PLACES, _MOST_PAIRS, _MOST_TEXTS = 48, 200, 24
# Whole numbers that constants often have.
_SMALL = (1, 2, 3, 4, 5)
# Tables whose values are in the text that the driver compiles.
_OF_TEXTS = ("defines", "specialization")


@dataclass(frozen=True)
class _Held:
    """A number of the file: its place, the uniform that it belongs to, and which of its numbers it is."""

    place: NumberPlace
    uniform: str
    lane: int


class OtherNumbers:
    """Tries other numbers for one pass, whose unedited program is `plain` on the evaluator's harness. GL thread."""

    def __init__(
        self, session: Session, shader_pass: Pass, plain: Variant, evaluator: Evaluator, numbers: Sequence[float]
    ) -> None:
        """`numbers` are those that a finding names, and the model's."""
        self._session, self._pass, self._plain, self._evaluator = session, shader_pass, plain, evaluator
        self._numbers = numbers
        self._file, self._lines = lines_of(session.plan)
        self._places = number_places(self._lines, shader_pass.name)[:_MOST_PLACES]
        self._held: list[_Held] = []
        self.is_cured = False
        self.repairs: tuple[Repair, ...] = ()

    def run(self, is_late: Callable[[], bool]) -> Generator[None, None, None]:
        """Tries exchanged numbers, then the file's own expressions, then new numbers, until some are right."""
        for place in self._places:
            if is_late():
                return
            self._held += self._of(place) if place.table not in _OF_TEXTS else ()
            yield
        for values in itertools.islice(self._exchanged(), _MOST_PAIRS):
            if is_late() or self.repairs:
                return
            yield from self._try(values)
        yield from self._try_expressions(is_late)
        for name, value in self._pass.uniforms.items() if not self.repairs else ():
            for other in other_values(value, self._numbers):
                if is_late():
                    return
                if (yield from self._try({name: other})):
                    break
            yield
        if not self.is_cured:
            yield from self._solve(is_late)
        if not self.is_cured:
            yield from self._try_texts(is_late)

    def _of(self, place: NumberPlace) -> Iterator[_Held]:
        """Yields the uniform and the lane that a number of the file is; nothing if it is not one alone."""
        for other in (place.number + 1, place.number - 1):
            plan = planned_with(self._session.plan, self._edits({place: other}))
            again = plan.find(self._pass.name) if plan is not None else None
            if again is None:
                continue
            was, now = self._pass.uniforms, again.uniforms
            changed = [
                _Held(place, name, lane)
                for name in now
                for lane, (one, two) in enumerate(zip(_lanes(was.get(name, ())), _lanes(now[name]), strict=False))
                if one != two
            ]
            if len(changed) == 1:
                yield changed[0]
            return

    def _exchanged(self) -> Iterator[Mapping[str, UniformValue]]:
        """Yields values of uniforms with two numbers of the file exchanged, those nearest to each other first."""
        pairs = sorted(itertools.combinations(range(len(self._held)), 2), key=lambda pair: pair[1] - pair[0])
        for one, other in ((self._held[first], self._held[second]) for first, second in pairs):
            a, b = self._value(one), self._value(other)
            if a != b and type(a) is type(b):
                values = {held.uniform: list(_lanes(self._pass.uniforms[held.uniform])) for held in (one, other)}
                values[one.uniform][one.lane], values[other.uniform][other.lane] = b, a
                yield {name: lanes[0] if len(lanes) == 1 else tuple(lanes) for name, lanes in values.items()}

    def _value(self, held: _Held) -> float:
        return _lanes(self._pass.uniforms[held.uniform])[held.lane]

    def _try(self, values: Mapping[str, UniformValue]) -> Generator[None, None, bool]:
        """Whether the pass is right with other values; adds the repair that writes them."""
        evaluator, plain = self._evaluator, self._plain
        if not (evaluator.is_right_first(plain, (), values) and evaluator.is_right(plain, (), settings=values)):
            return False
        self.is_cured = True
        changed = {
            held.place: lane
            for held in self._held
            if held.uniform in values and (lane := _lanes(values[held.uniform])[held.lane]) != self._value(held)
        }
        edits = self._edits(changed)
        if edits and self._values_with(edits) == dict(values):
            self.repairs += yield from repair_of_file(self._session, self._pass, edits)
        return True

    def _values_with(self, edits: Sequence[LineEdit]) -> Mapping[str, UniformValue]:
        """Returns the uniforms that have other values with edits of the file."""
        plan = planned_with(self._session.plan, edits)
        again = plan.find(self._pass.name) if plan is not None else None
        return {name: value for name, value in (again.uniforms if again is not None else {}).items()
                if value != self._pass.uniforms.get(name)}  # fmt: skip

    def _edits(self, numbers: Mapping[NumberPlace, float]) -> tuple[LineEdit, ...]:
        edited = with_numbers(self._lines, numbers)
        return tuple(LineEdit(self._file, line, before, after) for line, before, after in edited)

    def _try_expressions(self, is_late: Callable[[], bool]) -> Generator[None, None, None]:
        """Tries expressions that the file has elsewhere in place of a pass's numbers."""
        seen: set[tuple[tuple[str, UniformValue], ...]] = set()
        for line, before, after in expressions_in(self._lines, self._pass.name):
            if is_late() or self.repairs:
                return
            edits = (LineEdit(self._file, line, before, after),)
            values = self._values_with(edits)
            key = tuple(sorted(values.items()))
            if values and key not in seen:
                seen.add(key)
                evaluator, plain = self._evaluator, self._plain
                if evaluator.is_right_first(plain, (), values) and evaluator.is_right(plain, (), settings=values):
                    self.is_cured = True
                    self.repairs += yield from repair_of_file(self._session, self._pass, edits)
            yield

    def _solve(self, is_late: Callable[[], bool]) -> Generator[None, None, None]:
        """Solves for each number alone, and tries the shortest spelling of it that is right."""
        for held in self._held:
            start = self._value(held)
            if is_late():
                return
            if isinstance(start, int):
                continue
            value = solved(lambda number, held=held: self._evaluator.errors(  # type: ignore[misc]
                self._plain, (), self._with(held, number)), start)  # fmt: skip
            for shown, number in ways_to_write(value, is_factor=False) if value is not None else ():
                if "/" not in shown and (yield from self._try(self._with(held, number))):
                    return
            yield

    def _with(self, held: _Held, number: float) -> Mapping[str, UniformValue]:
        """Returns a uniform with one of its numbers replaced."""
        lanes = [*_lanes(self._pass.uniforms[held.uniform])]
        lanes[held.lane] = number
        return {held.uniform: lanes[0] if len(lanes) == 1 else tuple(lanes)}

    def _try_texts(self, is_late: Callable[[], bool]) -> Generator[None, None, None]:
        """Tries other numbers of defines and of constants that are specialized."""
        places = [place for place in self._places if place.table in _OF_TEXTS]
        changes: list[Mapping[NumberPlace, float]] = [
            {one: other.number, other: one.number}
            for one, other in itertools.combinations(places, 2)
            if one.number != other.number
        ]
        likely = [[{place: number} for number in _likely(place, self._numbers)] for place in places]
        changes += [each for of_all in itertools.zip_longest(*likely) for each in of_all if each is not None]
        edited = [self._edits(numbers) for numbers in changes]
        for edits in itertools.islice(itertools.chain(edited, self._specialized()), _MOST_TEXTS):
            if is_late() or self.repairs:
                return
            self.repairs += yield from repair_of_file(self._session, self._pass, edits, is_as_written=False)
        self.is_cured |= bool(self.repairs)

    def _specialized(self) -> Iterator[tuple[LineEdit, ...]]:
        """Yields edits that specialize a constant of the shader which the file leaves as it is."""
        plan, files = self._session.plan, self._pass.program.files
        entries = plan.entries.passes if isinstance(plan, FilePlan) else ()
        compute = next((each.compute for each in entries if each.name == self._pass.name), None)
        if compute is None or not files:
            return
        numbers = dict.fromkeys((*_SMALL, *(int(each) for each in self._numbers if float(each).is_integer())))
        for constant in vulkan_to_gl(files[0].text, {}).constants:
            is_given = {constant.name, str(constant.number)} & {*compute.specialization}
            for number in numbers if constant.type in ("int", "uint") and not is_given else ():
                values = [(f"specialization.{constant.name}", str(number))]
                for added in itertools.islice(set_in(self._lines, self._pass.name, values), 1):
                    yield tuple(LineEdit(self._file, *each) for each in added)


def _likely(place: NumberPlace, numbers: Sequence[float]) -> Iterator[float]:
    yield from (other for other in other_values(place.number, numbers) if isinstance(other, int | float))


def _lanes(value: UniformValue) -> tuple[float, ...]:
    return value if isinstance(value, tuple) else (value,)


def other_values(value: UniformValue, numbers: Sequence[float]) -> list[UniformValue]:
    """Returns likely values of a uniform: another order first, then one more or less, twice or half, expected ones."""
    lanes = _lanes(value)
    if any(isinstance(lane, bool) or not isinstance(lane, int | float) for lane in lanes) or len(lanes) > _MOST_LANES:
        return []
    whole = all(isinstance(lane, int) for lane in lanes)
    found: list[tuple[float, ...]] = [lanes[::-1]]
    for one, other in itertools.combinations(range(len(lanes)), 2):
        exchanged = [*lanes]
        exchanged[one], exchanged[other] = lanes[other], lanes[one]
        found.append(tuple(exchanged))
    changes: list[Callable[[float], float]] = [lambda x: x / 2, lambda x: -x]
    changes += [partial(_plus, by) for by in (1, -1, 0.5, -0.5)] + [
        partial(_times, by) for by in (2, *(() if whole else (10, 0.1)))
    ]
    changes += [partial(_is, number) for number in numbers]
    for change in changes:
        found.append(tuple(change(lane) for lane in lanes))
        found += [(*lanes[:k], change(lanes[k]), *lanes[k + 1 :]) for k in range(len(lanes) if len(lanes) > 1 else 0)]
    kept = dict.fromkeys(each for each in found if each != lanes)
    if whole:  # a negative count never ends a loop
        lowest = min(0, *lanes)
        kept = dict.fromkeys(
            tuple(int(x) for x in each) for each in kept if all(float(x).is_integer() and x >= lowest for x in each)
        )
    return [each if isinstance(value, tuple) else each[0] for each in kept]


def _plus(by: float, x: float) -> float:
    return x + by


def _times(by: float, x: float) -> float:
    return x * by


def _is(number: float, _x: float) -> float:
    return number
