"""Compares two formulas of one element: where the one that a shader has departs from the one that it should have."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from texelscope.pipeline.symbolic.canonical import GRID, Atom, Forms, Monomial, Part, Place, Sum, rounded
from texelscope.pipeline.symbolic.kinds import NEAR, Curved, Divergence, Missed, Moved, Numbered, Renamed, UnclearError, near

# Products of more functions are not told apart.
_MOST_FACTORS = 3
# A sum is a multiple of another one if this share of its terms is.
_MOST_OF = 0.8
# Formulas are compared to this depth.
_DEEPEST = 12
Tag = tuple[Any, ...]


class FormulaComparison:
    """Compares sums of one table of atoms."""

    def __init__(self, forms: Forms) -> None:
        self._forms = forms
        self._alike: dict[tuple[int, int], bool] = {}

    def diverging(self, got: Sum, expected: Sum, depth: int = 0, inside: str = "") -> list[Divergence]:
        """Returns how `got` departs from `expected`; empty for equal ones. Raises UnclearError."""
        if depth > _DEEPEST:
            raise UnclearError
        ours, theirs = self._matched(got, expected)
        if self._are_equal(ours, theirs):
            return []
        functions = self._functions(ours, theirs, depth, inside)
        if functions is not None:
            return functions
        return self._linear(ours, theirs, inside)

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
        own, free = ({atom for atom in of if not self._forms.atom_of(atom).is_element} for of in (read - known, known - read))
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
        own = [each for each in ours if not self._is_plain(each) and not self._is_in(each, ours[each], theirs)]
        other = [each for each in theirs if not self._is_plain(each) and not self._is_in(each, theirs[each], ours)]
        if not own and not other:
            return None
        if len(own) == len(other):
            return self._paired(got, expected, own, other, depth, inside)
        if len(own) + len(other) == 1:  # a function that the other formula lacks
            return self._missing(got, expected, (own or other)[0], is_extra=bool(own), depth=depth)
        raise UnclearError

    def _is_plain(self, monomial: Monomial) -> bool:
        return all(self._forms.atom_of(atom).is_element for atom in monomial)

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
            found += self._linear(rest[0], rest[1], inside)
        return found

    def _could_be(self, one: Monomial, other: Monomial) -> bool:
        names = [sorted(self._forms.atom_of(atom).name for atom in each) for each in (one, other)]
        return names[0] == names[1] or len(one) == len(other) == 1

    def _of_products(self, one: Monomial, other: Monomial, depth: int) -> list[Divergence]:
        mine, yours = Counter(one) - Counter(other), Counter(other) - Counter(one)
        a, b = ([self._forms.atom_of(atom) for atom in each.elements()] for each in (mine, yours))
        if len(a) != len(b) or len(a) > _MOST_FACTORS:
            raise UnclearError
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
                return [Renamed(expected.name, got.name, got.row)]
            return self._of_extremes(got, expected)
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

    def _of_extremes(self, got: Atom, expected: Atom) -> list[Divergence]:
        one = [each for each in got.arguments if not any(self.are_equal(each, of) for of in expected.arguments)]
        other = [each for each in expected.arguments if not any(self.are_equal(each, of) for of in got.arguments)]
        return list(self._of_places([*map(self._place_of, one)], [*map(self._place_of, other)], got.row))

    def _place_of(self, of: Sum) -> Place:
        """Returns the element that a sum is, times a number. Raises UnclearError for any other sum."""
        totals = of.totals
        if len(totals) != 1 or len(monomial := next(iter(totals))) != 1:
            raise UnclearError
        atom = self._forms.atom_of(monomial[0])
        if not atom.is_element:
            raise UnclearError
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

    # -- linear sums -----------------------------------------------------------------------------------------------

    def _linear(self, got: Sum, expected: Sum, inside: str) -> list[Divergence]:
        """Compares sums of products term by term; functions are equal on both sides."""
        got, expected = (
            Sum({each: parts for each, parts in of.parts.items() if self._is_plain(each)}) for of in (got, expected)
        )
        ours, theirs = got.totals, expected.totals
        plain = [{each for each in of if each} for of in (ours, theirs)]
        found = list(self._added(got, expected, inside))
        common = plain[0] & plain[1]
        changed = [each for each in common if not near(ours[each], theirs[each])]
        if plain[0] == plain[1] and changed and len(changed) == len(common):
            ratios = [ours[each] / theirs[each] for each in changed]
            if max(ratios) - min(ratios) <= NEAR * abs(ratios[0]):
                row = got.parts[changed[0]][-1].row
                beside = [each for each in found if isinstance(each, Numbered) and each.is_added]
                if len(beside) == 1 and near(beside[0].got, ratios[0] * beside[0].expected):
                    found.remove(beside[0])
                return [*found, Numbered(1.0, ratios[0], row, is_whole=True, inside=inside)]
        if not changed and plain[0] == plain[1]:
            return found
        return [*found, *self._terms(got, expected)]

    def _added(self, got: Sum, expected: Sum, inside: str) -> Iterator[Divergence]:
        a, b = got.totals.get((), 0.0), expected.totals.get((), 0.0)
        scale = max((abs(number) for number in expected.totals.values()), default=0.0)
        if not near(a, b, 0.1 * scale):
            parts = [of.parts.get((), ()) for of in (got, expected)]
            at = [tuple(place for part in of for place in part.constants) for of in parts]
            row = max((part.row for part in parts[0]), default=-1)
            yield Numbered(b, a, row, is_added=True, expected_at=at[1], got_at=at[0], inside=inside)

    def _terms(self, got: Sum, expected: Sum) -> Iterator[Divergence]:
        """Pairs terms by their weights, or by what they read: one of both is as it should be."""
        tensor = self._differing_tensor(got, expected)
        ours, theirs = self._list(got, tensor), self._list(expected, tensor)
        if not all(tag for tag, _, _ in ours) or not all(tag for tag, _, _ in theirs):
            ours, theirs = self._by_number(ours), self._by_number(theirs)
        tags = [Counter(tag for tag, _, _ in of) for of in (ours, theirs)]
        places = [Counter(place for _, place, _ in of) for of in (ours, theirs)]
        repeated = {each for each, count in tags[0].items() if count > tags[1][each] > 0}
        if max(tags[1].values(), default=0) > 1:  # equal weights tell nothing
            more, less = places[0] - places[1], places[1] - places[0]
            rows = {place: part.row for _, place, part in ours}
            yield from self._counted(ours, more, less, rows)
            return
        if tags[0] == tags[1]:
            yield from self._moved(ours, theirs)
        elif places[0] == places[1]:
            yield from self._weighted(ours, theirs)
        elif repeated or not (tags[0] - tags[1]) or not (tags[1] - tags[0]):
            yield from self._missed(ours, theirs)
        else:
            yield from self._weighted(ours, theirs)

    def _differing_tensor(self, got: Sum, expected: Sum) -> str:
        """Returns the tensor of which other elements are factors, for products of elements."""
        read: list[Counter[Place]] = []
        for of in (got, expected):
            atoms = (self._forms.atom_of(atom) for each in of.totals for atom in each)
            read.append(Counter((atom.tensor, atom.index) for atom in atoms))
        changed = Counter(tensor for tensor, _ in ((read[0] - read[1]) + (read[1] - read[0])).elements())
        return changed.most_common(1)[0][0] if changed else ""

    def _list(self, of: Sum, tensor: str) -> list[tuple[Tag, Place, Part]]:
        """Lists terms by their tag, the constants and other elements that are factors, and what they read."""
        found = []
        for monomial, parts in of.parts.items():
            atoms = [self._forms.atom_of(atom) for atom in monomial]
            if not atoms or (len(atoms) > 1 and not tensor):
                continue
            chosen = next((atom for atom in atoms if atom.tensor == tensor), atoms[0])
            beside = [(atom.tensor, atom.index) for atom in atoms if atom is not chosen]
            place = (chosen.tensor, chosen.index)
            found += [((*sorted(part.constants), *beside), place, part) for part in parts if part.number]
        return found

    @staticmethod
    def _by_number(terms: Sequence[tuple[Tag, Place, Part]]) -> list[tuple[Tag, Place, Part]]:
        return [((rounded(part.number),), place, part) for _, place, part in terms]

    def _moved(self, ours: Sequence[Any], theirs: Sequence[Any]) -> Iterator[Divergence]:
        right = {tag: (place, part) for tag, place, part in theirs}
        for tag, place, part in ours:
            wanted, other = right[tag]
            if wanted != place:
                yield Moved(wanted, place, False, part.row, self._weight(tag))
            elif not near(part.number, other.number):
                yield Numbered(other.number, part.number, part.row, place=place)

    def _weighted(self, ours: Sequence[Any], theirs: Sequence[Any]) -> Iterator[Divergence]:
        right = {place: (tag, part) for tag, place, part in theirs}
        for tag, place, part in ours:
            if place not in right:
                yield Missed(place, True, part.row, weight=self._weight(tag))
                continue
            wanted, other = right[place]
            if tag == wanted and near(part.number, other.number):
                continue
            less, more = Counter(wanted) - Counter(tag), Counter(tag) - Counter(wanted)
            if (
                less.total() == more.total() == 1
                and isinstance(next(iter(less)), tuple)
                and isinstance(next(iter(more)), tuple)
            ):
                yield Moved(next(iter(less)), next(iter(more)), True, part.row)
            else:
                yield Numbered(other.number, part.number, part.row, place=place)
        have = {place for _, place, _ in ours}
        yield from (Missed(place, False, -1, weight=self._weight(tag)) for tag, place, _ in theirs if place not in have)

    def _missed(self, ours: Sequence[Any], theirs: Sequence[Any]) -> Iterator[Divergence]:
        right = {(tag, place): part for tag, place, part in theirs}
        seen: Counter[Any] = Counter()
        for tag, place, part in ours:
            seen[tag, place] += 1
            if (tag, place) not in right:
                yield Missed(place, True, part.row, weight=self._weight(tag))
            elif seen[tag, place] > 1:
                yield Missed(place, True, part.row, times=float(seen[tag, place]), weight=self._weight(tag))
            elif not near(part.number, right[tag, place].number):
                yield Numbered(right[tag, place].number, part.number, part.row, place=place)
        for tag, place in right:
            if (tag, place) not in seen:
                yield Missed(place, False, -1, weight=self._weight(tag))

    def _weight(self, tag: Tag) -> Place | None:
        """Returns the factor of a term that has the most to say: an element of the largest constant."""
        places = [each for each in tag if isinstance(each, tuple)]
        return max(places, key=lambda place: self._forms.size_of(place[0])) if places else None

    @staticmethod
    def _counted(
        ours: Sequence[Any], more: Counter[Place], less: Counter[Place], rows: Mapping[Place, int]
    ) -> Iterator[Divergence]:
        known = Counter(place for _, place, _ in ours)
        one, other = sorted(more.elements()), sorted(less.elements())
        if len(one) == len(other):
            for a, b in zip(one, other, strict=True):
                yield Moved(b, a, False, rows.get(a, -1))
            return
        for place in one:
            times = float(known[place]) if known[place] > more[place] else 0.0
            yield Missed(place, True, rows.get(place, -1), times)
        yield from (Missed(place, False, -1) for place in other)
