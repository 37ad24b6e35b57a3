"""Compares two sums of products of elements, term by term."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from texelscope.pipeline.symbolic.canonical import Forms, Monomial, Part, Place, Sum, rounded
from texelscope.pipeline.symbolic.kinds import NEAR, Divergence, Missed, Moved, Numbered, UnclearError, near

Tag = tuple[Any, ...]
# A term: the constants and other elements that are factors, what it reads, and how it is written.
Term = tuple[Tag, Place, Part]


class LinearComparison:
    """Compares sums of one table of atoms, but for their functions. Raises UnclearError."""

    def __init__(self, forms: Forms) -> None:
        self._forms = forms

    def is_plain(self, monomial: Monomial) -> bool:
        """Whether a product is of elements alone."""
        return all(self._forms.atom_of(atom).is_element for atom in monomial)

    def diverging(self, got: Sum, expected: Sum, inside: str) -> list[Divergence]:
        """Compares sums of products term by term; functions are equal on both sides."""
        got, expected = (
            Sum({each: parts for each, parts in of.parts.items() if self.is_plain(each)}) for of in (got, expected)
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
        own, other = plain[0] - plain[1], plain[1] - plain[0]
        if own and other and {*map(len, own)} != {*map(len, other)}:
            raise UnclearError  # a factor more or less is no element in place of another one
        row = self.usual_row(got)
        for each in self._terms(got, expected):
            is_missing = isinstance(each, Missed) and not each.is_extra and each.row < 0
            found.append(dataclasses.replace(each, row=row) if is_missing else each)
        return found

    @staticmethod
    def usual_row(of: Sum) -> int:
        """Returns the row that adds most terms; -1 for none."""
        rows = Counter(part.row for each, parts in of.parts.items() if each for part in parts if part.row >= 0)
        return rows.most_common(1)[0][0] if rows else -1

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
        ours, theirs = self._without_plain(self._list(got, tensor), self._list(expected, tensor))
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

    def _list(self, of: Sum, tensor: str) -> list[Term]:
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
    def _without_plain(ours: list[Term], theirs: list[Term]) -> tuple[list[Term], list[Term]]:
        """Leaves out equal terms without a factor, such as what a block adds to its convolution."""
        plain = [{place: part.number for tag, place, part in of if not tag} for of in (ours, theirs)]
        equal = {place for place, number in plain[0].items() if place in plain[1] and near(number, plain[1][place])}
        one, other = ([each for each in of if each[0] or each[1] not in equal] for of in (ours, theirs))
        return one, other

    @staticmethod
    def _by_number(terms: Sequence[Term]) -> list[Term]:
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
        rows: dict[Any, int] = {}
        for tag, place, part in ours:  # what is added again is mostly added again further down
            rows[tag, place] = max(part.row, rows.get((tag, place), -1))
        for tag, place, part in ours:
            seen[tag, place] += 1
            if (tag, place) not in right:
                yield Missed(place, True, part.row, weight=self._weight(tag))
            elif seen[tag, place] > 1:
                times = float(seen[tag, place])
                yield Missed(place, True, rows[tag, place], times=times, weight=self._weight(tag))
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
