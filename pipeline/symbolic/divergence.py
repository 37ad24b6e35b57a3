"""Compares two formulas of one element: where the one that a shader has departs from the one that it should have."""

from __future__ import annotations

import itertools
import math
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from texelscope.pipeline.symbolic.canonical import GRID, Atom, Forms, Monomial, Part, Place, Sum, rounded
from texelscope.pipeline.symbolic.kinds import (
    Curved,
    Divergence,
    Missed,
    Moved,
    Numbered,
    Renamed,
    UnclearError,
    near,
)
from texelscope.pipeline.symbolic.linear import LinearComparison

# Products of more functions are not told apart.
_MOST_FACTORS = 3
# A sum is a multiple of another one if this share of its terms is.
_MOST_OF = 0.8
# Formulas are compared to this depth.
_DEEPEST = 12


class FormulaComparison:
    """Compares sums of one table of atoms."""

    def __init__(self, forms: Forms) -> None:
        self._forms = forms
        self._linear = LinearComparison(forms)
        self._alike: dict[tuple[int, int], bool] = {}
        # A comparison that goes on, by the processor time of the thread, is unclear: pairs of atoms may be very many.
        self.deadline = math.inf

    def diverging(self, got: Sum, expected: Sum, depth: int = 0, inside: str = "") -> list[Divergence]:
        """Returns how `got` departs from `expected`; empty for equal ones. Raises UnclearError."""
        if depth > _DEEPEST or time.thread_time() > self.deadline:
            raise UnclearError
        ours, theirs = self._matched(got, expected)
        if self._are_equal(ours, theirs):
            return []
        found = self._functions(ours, theirs, depth, inside)
        if found is None:
            found = self._linear.diverging(ours, theirs, inside)
        if not found:  # they differ, though nothing that differs was found
            raise UnclearError
        return found

    # -- equal or not ----------------------------------------------------------------------------------------------

    def _are_equal(self, got: Sum, expected: Sum) -> bool:
        one, other = got.totals, expected.totals
        scale = max((abs(number) for each, number in other.items() if each), default=0.0)
        scale = scale or abs(other.get((), 0.0))
        return all(near(one.get(each, 0.0), other.get(each, 0.0), 0.01 * scale) for each in {*one, *other})

    def _matched(self, got: Sum, expected: Sum) -> tuple[Sum, Sum]:
        """Returns both with atoms of `got` replaced by the equal ones of `expected`, which rounding parted."""
        known = {atom for each in expected.parts for atom in each}
        read = {atom for each in got.parts for atom in each}
        own, free = (
            {atom for atom in of if not self._forms.atom_of(atom).is_element} for of in (read - known, known - read)
        )
        names: dict[int, int] = {}
        for atom in own:
            found = next((other for other in free if self._atoms_equal(atom, other)), None)
            if found is not None:
                names[atom] = found
        if not names:
            return got, expected
        parts: dict[Monomial, tuple[Part, ...]] = {}
        for each, inner in got.parts.items():
            key = tuple(sorted(names.get(atom, atom) for atom in each))
            parts[key] = (*parts.get(key, ()), *inner)
        return Sum(parts), expected

    def _atoms_equal(self, a: int, b: int) -> bool:
        if a == b:
            return True
        if (a, b) not in self._alike:
            if time.thread_time() > self.deadline:
                raise UnclearError
            one, other = self._forms.atom_of(a), self._forms.atom_of(b)
            self._alike[a, b] = (
                not one.is_element
                and not other.is_element
                and one.name == other.name
                and len(one.arguments) == len(other.arguments)
                and self._curves_equal(one, other)
                and all(self.are_equal(x, y) for x, y in zip(one.arguments, other.arguments, strict=True))
            )
        return self._alike[a, b]

    @staticmethod
    def _curves_equal(one: Atom, other: Atom) -> bool:
        return len(one.values) == len(other.values) and all(map(near, one.values, other.values))

    def are_equal(self, got: Sum, expected: Sum) -> bool:
        """Whether two sums are equal but for rounding."""
        return got.key == expected.key or self._are_equal(*self._matched(got, expected))

    # -- functions -------------------------------------------------------------------------------------------------

    def _functions(self, got: Sum, expected: Sum, depth: int, inside: str) -> list[Divergence] | None:
        """Compares sums by their functions of sums: one of each that differ; None where they have none."""
        ours, theirs = got.totals, expected.totals
        own = [each for each in ours if not self._linear.is_plain(each) and not self._is_in(each, ours[each], theirs)]
        other = [
            each for each in theirs if not self._linear.is_plain(each) and not self._is_in(each, theirs[each], ours)
        ]
        if not own and not other:
            return None
        if len(common := self._function_terms(ours, own)) > 1 and (
            found := self._terms(got, expected, own, other, common)
        ):
            return found
        if len(own) == len(other):
            return self._paired(got, expected, own, other, depth, inside)
        if len(own) + len(other) == 1:  # a function that the other formula lacks
            return self._missing(got, expected, (own or other)[0], is_extra=bool(own), depth=depth)
        raise UnclearError

    def _function_terms(self, totals: Mapping[Monomial, float], without: Sequence[Monomial]) -> list[Monomial]:
        return [each for each in totals if each not in without and not self._linear.is_plain(each)]

    def _terms(
        self, got: Sum, expected: Sum, own: Sequence[Monomial], other: Sequence[Monomial], common: Sequence[Monomial]
    ) -> list[Divergence]:
        """Names functions that a sum of several lacks, has without need, or has several times; empty for others."""
        found: list[Divergence] = []
        if not set(own) <= set(other) and not set(other) <= set(own):
            return []
        known = {place for each in common for place in self._elements(each)}
        for is_extra, of, here, there in ((True, got, own, other), (False, expected, other, own)):
            for each in here:
                if each in there and not is_extra:
                    continue
                times = got.totals[each] / expected.totals[each] if each in there else 0.0
                places = self._elements(each)
                place = next((each for each in places if each not in known), places[0] if places else None)
                if place is None or (each in there and not (times > 1.0 and near(times, round(times)))):
                    return []
                row = of.parts[each][-1].row if is_extra else self._linear.usual_row(got)
                found.append(Missed(place, is_extra, row, times))
        rest = [Sum({key: parts for key, parts in of.parts.items() if key not in away})
                for of, away in ((got, own), (expected, other))]  # fmt: skip
        return found if self._are_equal(*rest) else []

    def _elements(self, monomial: Monomial) -> list[Place]:
        """Returns the elements that a product of functions reads, those in the fewest functions first."""
        found: list[Place] = []
        level = [monomial]
        while level:
            atoms = [self._forms.atom_of(atom) for each in level for atom in each]
            found += [(atom.tensor, atom.index) for atom in atoms if atom.is_element]
            level = [inner for atom in atoms for of in atom.arguments for inner in of.totals]
        return [*dict.fromkeys(found)]

    @staticmethod
    def _is_in(monomial: Monomial, number: float, totals: Mapping[Monomial, float]) -> bool:
        return monomial in totals and near(number, totals[monomial])

    def _paired(
        self, got: Sum, expected: Sum, own: Sequence[Monomial], other: Sequence[Monomial], depth: int, inside: str
    ) -> list[Divergence]:
        found: list[Divergence] = []
        left = list(other)
        for each in own:
            beside = each if each in left else next((of for of in left if self._could_be(each, of)), None)
            if beside is None:
                raise UnclearError
            left.remove(beside)
            a, b = got.totals[each], expected.totals[beside]
            found += self._of_products(each, beside, depth)
            if not near(a, b):
                found.append(Numbered(b, a, got.parts[each][-1].row, is_whole=True))
        rest = [Sum({key: parts for key, parts in of.parts.items() if key not in away})
                for of, away in ((got, own), (expected, other))]  # fmt: skip
        if not self._are_equal(*rest):
            found += self._linear.diverging(rest[0], rest[1], inside)
        return found

    def _could_be(self, one: Monomial, other: Monomial) -> bool:
        names = [sorted(self._forms.atom_of(atom).name for atom in each) for each in (one, other)]
        return names[0] == names[1] or len(one) == len(other) == 1

    def _of_products(self, one: Monomial, other: Monomial, depth: int) -> list[Divergence]:
        mine, yours = Counter(one) - Counter(other), Counter(other) - Counter(one)
        if sorted(mine.values()) != sorted(yours.values()) or len(mine) > _MOST_FACTORS:
            raise UnclearError
        # Powers of an atom are compared once, with those of the same exponent first.
        a, b = ([self._forms.atom_of(atom) for atom, _ in each.most_common()] for each in (mine, yours))
        best: list[Divergence] | None = None
        for order in itertools.permutations(b):
            try:
                found = [each for x, y in zip(a, order, strict=True) for each in self._of_atoms(x, y, depth)]
            except UnclearError:
                continue
            if best is None or len(found) < len(best):
                best = found
        if best is None:
            raise UnclearError
        return best

    def _of_atoms(self, got: Atom, expected: Atom, depth: int) -> list[Divergence]:
        if got.is_element and expected.is_element:
            return [Moved((expected.tensor, expected.index), (got.tensor, got.index), False, got.row)]
        if got.is_element or expected.is_element:
            raise UnclearError
        if got.is_curve and expected.is_curve:
            return self._of_curves(got, expected, depth)
        if {got.name, expected.name} <= {"max", "min"}:
            if got.name != expected.name:
                if self._of_extremes(got, expected, depth):
                    raise UnclearError  # nested ones in the other order have other operands, too
                return [Renamed(expected.name, got.name, got.row)]
            return self._of_extremes(got, expected, depth)
        if got.name != expected.name or len(got.arguments) != len(expected.arguments):
            raise UnclearError
        found: list[Divergence] = []
        for a, b in zip(got.arguments, expected.arguments, strict=True):  # a condition has what it chooses from, too
            found += [each for each in self.diverging(a, b, depth + 1, got.name) if each not in found]
        return found

    def _of_curves(self, got: Atom, expected: Atom, depth: int) -> list[Divergence]:
        mine, yours = (each.arguments[0].scaled(each.unit) for each in (got, expected))
        points = [at * abs(expected.unit) for at in GRID]
        right = tuple(self._forms.curve_at(expected, at) for at in points)
        # The function tells best how many times its argument is the other one's.
        ratios = dict.fromkeys((1.0, *self._ratios(mine, yours), self._unit(mine, yours)))
        values = {by: tuple(self._forms.curve_at(got, at * by) for at in points) for by in ratios}
        ratio = next((by for by, of in values.items() if all(map(near, right, of))), self._unit(mine, yours))
        mine = mine.scaled(1.0 / ratio)
        found = [] if self.are_equal(mine, yours) else self.diverging(mine, yours, depth + 1, "curve")
        if not all(map(near, right, values[ratio])):
            found.append(Curved(right, values[ratio], tuple(points), got.row))
        return found

    @staticmethod
    def _ratios(plain: Sum, argument: Sum) -> Iterator[float]:
        """Yields how many times its argument a linear sum is, by its commonest terms."""
        counts: Counter[float] = Counter()
        exact: dict[float, float] = {}
        for each, number in argument.totals.items():
            if each and each in plain.totals:
                ratio = plain.totals[each] / number
                counts[rounded(ratio)] += 1
                exact.setdefault(rounded(ratio), ratio)
        yield from (exact[ratio] for ratio, _ in counts.most_common(3))

    def _of_extremes(self, got: Atom, expected: Atom, depth: int) -> list[Divergence]:
        one = [each for each in got.arguments if not any(self.are_equal(each, of) for of in expected.arguments)]
        other = [each for each in expected.arguments if not any(self.are_equal(each, of) for of in got.arguments)]
        if len(one) == len(other) == 1 and not (self._is_place(one[0]) and self._is_place(other[0])):
            return self.diverging(one[0], other[0], depth + 1, got.name)
        return list(self._of_places([*map(self._place_of, one)], [*map(self._place_of, other)], got.row))

    def _is_place(self, of: Sum) -> bool:
        """Whether a sum is an element, times a number."""
        totals = of.totals
        return len(totals) == 1 and len(only := next(iter(totals))) == 1 and self._forms.atom_of(only[0]).is_element

    def _place_of(self, of: Sum) -> Place:
        """Returns the element that a sum is, times a number. Raises UnclearError for any other sum."""
        if not self._is_place(of):
            raise UnclearError
        atom = self._forms.atom_of(next(iter(of.totals))[0])
        return atom.tensor, atom.index

    @staticmethod
    def _of_places(got: Sequence[Place], expected: Sequence[Place], row: int) -> Iterator[Divergence]:
        if len(got) == len(expected):
            for one, other in zip(sorted(got), sorted(expected), strict=True):
                yield Moved(other, one, False, row)
            return
        yield from (Missed(each, True, row) for each in got)
        yield from (Missed(each, False, row) for each in expected)

    def _missing(self, got: Sum, expected: Sum, monomial: Monomial, *, is_extra: bool, depth: int) -> list[Divergence]:
        """Compares a linear sum with a function of one."""
        own, other = (got, expected) if is_extra else (expected, got)
        atom = self._forms.atom_of(monomial[0])
        if len(monomial) == 1 and len(atom.arguments) == 1 and self.are_equal(other, atom.arguments[0]):
            names = ("", atom.name) if is_extra else (atom.name, "")
            return [Renamed(*names, atom.row if is_extra else -1)]
        if len(monomial) != 1 or not atom.is_curve:
            raise UnclearError
        rest = Sum({each: parts for each, parts in own.parts.items() if each != monomial})
        plain = self._difference(other, rest)
        if not self._forms.is_linear(plain):
            raise UnclearError
        argument, number = atom.arguments[0].scaled(atom.unit), own.totals[monomial]
        ratio = self._unit(plain, argument)
        row = own.parts[monomial][-1].row if is_extra else -1
        line, found = argument.scaled(ratio), list[Divergence]()
        if not self.are_equal(plain, line):
            found += self.diverging(*((line, plain) if is_extra else (plain, line)), depth + 1)
        points = [at * abs(atom.unit) for at in GRID]
        values = tuple(number * self._forms.curve_at(atom, at) for at in points)
        straight = tuple(ratio * at for at in points)
        right, wrong = (straight, values) if is_extra else (values, straight)
        found.append(Curved(right, wrong, tuple(points), row))
        return found

    @staticmethod
    def _difference(one: Sum, other: Sum) -> Sum:
        parts = {each: tuple(of) for each, of in one.parts.items()}
        for each, of in other.parts.items():
            negative = tuple(Part(-part.number, part.constants, part.row) for part in of)
            parts[each] = (*parts.get(each, ()), *negative)
        return Sum(parts)

    @staticmethod
    def _unit(plain: Sum, argument: Sum) -> float:
        """Returns how many times its argument a linear sum mostly is; once where nothing shows it."""
        ratios = [
            plain.totals[each] / number for each, number in argument.totals.items() if each in plain.totals and each
        ]
        near_one = sum(near(ratio, 1.0) for ratio in ratios)
        if not ratios or 2 * near_one >= len(ratios):
            return 1.0
        middle = sorted(ratios)[len(ratios) // 2]
        alike = sum(near(ratio, middle) for ratio in ratios)
        return middle if alike >= _MOST_OF * len([each for each in argument.totals if each]) else 1.0
