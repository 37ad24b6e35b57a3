"""Solves for quasi-affine forms: sums of integer multiples, quotients and remainders of indices.

A form is k_1 f_1 + k_2 f_2 + … + k_0 with integers k and features f: an index itself, an index divided by a size or its
remainder. It is solved on a few rows and accepted if it holds on nearly all.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.int64]
Columns = Mapping[str, Array]

# A form has to hold on this share of the rows; of more rows than this a sample is tested.
_HOLDS, _MOST_ROWS = 0.9, 400
# Larger multiples have to be a size.
_LARGEST = 64
# A form is solved on so many choices of rows; one of a single index costs little, and its rows are often equal.
_TRIES, _TRIES_OF_ONE = 8, 32
_REGULAR, _WHOLE = 0.5, 1e-6
# Forms of the expected place are preferred to forms of an index that happens to be equal.
_NEAREST = "nchw"
# A table has at most this many entries, each seen this often on average; this many are shown.
_MOST_ENTRIES, _SEEN, _SHOWN = 64, 2, 16
_FEWEST_INSIDE = 6


@dataclass(frozen=True)
class Feature:
    """A feature is an index, or its quotient (`/`) or remainder (`%`) by `by`."""

    name: str
    operator: str = ""
    by: int = 1

    def of(self, columns: Columns) -> Array:
        """Returns its value, row by row."""
        column = np.asarray(columns[self.name], dtype=np.int64)
        return column // self.by if self.operator == "/" else column % self.by if self.operator == "%" else column

    def __str__(self) -> str:
        return f"{self.name} {self.operator} {self.by}" if self.operator else self.name


@dataclass(frozen=True)
class AffineExpr:
    """A quasi-affine form is a sum of integer multiples of features and a constant, or its remainder by `modulus`.

    `holds` is the share of the rows on which it holds. With a `table` it is the entry at its only feature; with `most`
    it is clamped between 0 and that. With a `part`, an index and some of its places, it holds there and is the index
    `otherwise` elsewhere.
    """

    terms: tuple[tuple[int, Feature], ...]
    offset: int = 0
    holds: float = 1.0
    modulus: int = 0
    table: tuple[int, ...] = ()
    most: int = 0
    part: tuple[str, tuple[int, ...]] = ("", ())
    otherwise: str = ""

    def of(self, columns: Columns) -> Array:
        """Returns its value, row by row."""
        if self.otherwise:
            name, places = self.part
            there = replace(self, otherwise="").of(columns)
            return np.where(np.isin(columns[name], places), there, columns[self.otherwise])
        if self.table:
            return np.take(np.array(self.table), self.terms[0][1].of(columns), mode="clip")
        rows = next(iter(columns.values()))
        total = np.full(np.shape(rows), self.offset, dtype=np.int64)
        for factor, feature in self.terms:
            total = total + factor * feature.of(columns)
        total = total % self.modulus if self.modulus else total
        return np.clip(total, 0, self.most) if self.most else total

    @property
    def names(self) -> frozenset[str]:
        """Returns the indices that it uses."""
        return frozenset((*(each.name for _, each in self.terms), *([self.part[0]] if self.otherwise else ())))

    @property
    def cost(self) -> float:
        """Returns its description length, by which the shortest form is chosen."""
        if self.table or self.otherwise:
            return 6.0
        parts = (1.0 + (factor != 1) + 2.0 * (factor < -1) + 0.6 * bool(each.operator) for factor, each in self.terms)
        twice = len(self.terms) - len({each.name for _, each in self.terms})
        both = twice and any(not each.operator for _, each in self.terms)
        away = sum(0.5 for _, each in self.terms if each.name not in _NEAREST)
        return sum(parts) + bool(self.most) + 0.5 * bool(self.offset) + bool(both) + bool(self.modulus) + away

    def __str__(self) -> str:
        if self.otherwise:
            name, places = self.part
            more = " ..." if len(places) > _SHOWN else ""
            elsewhere = replace(self, otherwise="")
            return f"{elsewhere} where {name} is {', '.join(map(str, places[:_SHOWN]))}{more}"
        if self.table:
            more = " ..." if len(self.table) > _SHOWN else ""
            return f"[{', '.join(map(str, self.table[:_SHOWN]))}{more}][{self.terms[0][1]}]"
        parts = []
        for factor, feature in self.terms:
            is_part = len(self.terms) + bool(self.offset) + (abs(factor) != 1) > 1
            text = f"({feature})" if feature.operator and is_part else str(feature)
            sign = "-" if factor < 0 else "+"
            times = "" if abs(factor) == 1 else f"{abs(factor)} * "
            parts.append(f"{sign} {times}{text}")
        if self.offset or not parts:
            parts.append(f"{'-' if self.offset < 0 else '+'} {abs(self.offset)}")
        text = " ".join(parts)
        text = text[2:] if text.startswith("+ ") else f"-{text[2:]}"
        if self.most:
            return f"clamp({text}, 0, {self.most})"
        whole = text if text.isidentifier() else f"({text})"
        return f"{whole} % {self.modulus}" if self.modulus else text


def tabulated(target: Array, columns: Columns) -> AffineExpr | None:
    """Returns the smallest table, indexed by one of the columns, that gives the target; every entry was seen."""
    for name, column in sorted(columns.items(), key=lambda each: (int(each[1].max(initial=0)), each[0])):
        size = int(column.max(initial=0)) + 1
        table = np.zeros(size, dtype=np.int64)
        table[column] = target
        is_seen = 2 < size <= _MOST_ENTRIES and size * _SEEN <= len(column) and len(np.unique(column)) == size
        if is_seen and (table[column] == target).all():
            return AffineExpr(((0, Feature(name)),), table=tuple(table.tolist()))
    return None


def held(target: Array, columns: Columns, sizes: Iterable[int], most: int) -> AffineExpr | None:
    """Solves for a form clamped between 0 and `most`, as at a texture's edges, which holds on all rows."""
    inside = (target > 0) & (target < most)
    if most < 2 or inside.all() or np.count_nonzero(inside) < _FEWEST_INSIDE:
        return None
    form = solve(target[inside], {name: column[inside] for name, column in columns.items()}, sizes, holds=1.0)
    if form is None or (form.of(columns) == target).all():
        return None  # nothing is clamped
    form = replace(form, most=most)
    return form if (form.of(columns) == target).all() else None


def in_part(target: Array, columns: Columns, sizes: Iterable[int], axis: str) -> AffineExpr | None:
    """Solves for a form that holds at some places of one index, while the target is the index `axis` elsewhere.

    It takes the index with the fewest such places, which must be less than half of all.
    """
    off = target != columns[axis]
    if np.count_nonzero(off) < _FEWEST_INSIDE:
        return None
    parts = [(name, np.unique(column[off]), np.unique(column)) for name, column in columns.items()]
    for name, places, every in sorted(parts, key=lambda part: len(part[1])):
        inside = np.isin(columns[name], places)
        if 2 * len(places) < len(every):
            own = {other: column[inside] for other, column in columns.items()}
            form = solve(target[inside], own, sizes, holds=1.0)
            if form is not None:
                return replace(form, part=(name, tuple(places.tolist())), otherwise=axis)
    return None


def solve(
    target: Array, columns: Columns, sizes: Iterable[int], *, holds: float = _HOLDS, largest: int = _LARGEST
) -> AffineExpr | None:
    """Returns the shortest form of the columns that equals the target on nearly all rows; None if there is none.

    Multiples are at most `largest`.
    """
    rows = len(target)
    if rows == 0:
        return None
    some = np.arange(rows) if rows <= _MOST_ROWS else np.random.default_rng(0).choice(rows, _MOST_ROWS, replace=False)
    wanted = np.asarray(target, dtype=np.int64)[some]
    table = {name: np.asarray(column, dtype=np.int64)[some] for name, column in columns.items()}
    apart = {column.tobytes(): name for name, column in reversed(table.items()) if len(np.unique(column)) > 1}
    plain = [Feature(name) for name in table if name in apart.values()]
    whole = sorted({int(size) for size in sizes if size > 1})
    parts = [
        Feature(feature.name, operator, size)
        for feature in plain
        for size in whole
        if size <= int(table[feature.name].max())
        for operator in "/%"
    ]
    best: AffineExpr | None = None
    for features in _stages(plain, parts):
        groups = (list(group) for _, group in itertools.groupby(features, key=len))
        found = [form for group in groups for form in _solved(wanted, table, group, largest) if form.holds >= holds]
        is_whole = any(form.holds == 1.0 for form in found)
        if not is_whole and features != [()] and all(len(each) == 1 for each in features):
            found += [form for form in _left(wanted, table, plain, whole) if form.holds >= holds]
        if found:
            best = min(found, key=lambda form: (form.cost - 2.0 * (form.holds == 1.0), -form.holds))
            break
    return best


def _left(wanted: Array, table: Columns, plain: Sequence[Feature], sizes: Sequence[int]) -> Iterable[AffineExpr]:
    """Yields remainders by a size of a multiple of an index, or of a sum or difference of two."""
    sums = [((factor, feature),) for feature in plain for factor in (1, -1, 2, 3, 4, 5, 7, 8)]
    of_two = [((1, one), (sign, other)) for one, other in itertools.permutations(plain, 2) for sign in (1, -1)]
    for size in (size for size in sizes if size > wanted.max()):
        for terms in (*sums, *of_two):
            left = (wanted - sum(factor * feature.of(table) for factor, feature in terms)) % size
            offset = int(np.bincount(left).argmax())
            yield AffineExpr(terms, offset, float(np.mean(left == offset)), size)


def _stages(plain: Sequence[Feature], parts: Sequence[Feature]) -> Iterable[list[tuple[Feature, ...]]]:
    """Yields sets of features, the shortest first."""
    yield [()]
    yield [(each,) for each in plain]
    yield [*itertools.combinations(plain, 2), *((each,) for each in parts)]
    yield [pair for pair in itertools.combinations((*plain, *parts), 2) if pair[0].operator or pair[1].operator]
    yield [*itertools.combinations(plain, 3)]
    yield [(*pair, part) for pair in itertools.combinations(plain, 2) for part in parts]
    yield [*itertools.combinations(plain, 4)]


def _solved(wanted: Array, table: Columns, sets: Sequence[tuple[Feature, ...]], largest: int) -> Iterable[AffineExpr]:
    """Yields forms of those sets of features, each solved on a few rows, with the share of rows on which it holds."""
    if not sets:
        return
    count, rows = len(sets[0]), len(wanted)
    if rows <= count:
        return
    values = {feature: feature.of(table) for feature in {each for features in sets for each in features}}
    random = np.random.default_rng(0)
    picks = np.stack(
        [random.choice(rows, count + 1, replace=False) for _ in range(_TRIES if count > 1 else _TRIES_OF_ONE)]
    )
    stack = np.stack([np.stack([values[each] for each in features] + [np.ones(rows, np.int64)]) for features in sets])
    systems = stack[:, :, picks].transpose(0, 2, 3, 1).astype(np.float64)  # [sets, tries, rows, unknowns]
    regular = np.nonzero(np.abs(np.linalg.det(systems)) > _REGULAR)
    right = np.broadcast_to(wanted[picks].astype(np.float64), systems.shape[:3])[regular]
    solved = np.linalg.solve(systems[regular], right[..., None])[..., 0]
    factors = np.rint(solved)
    whole = (np.abs(solved - factors) < _WHOLE).all(axis=1) & (np.abs(factors[:, :-1]) <= largest).all(axis=1)
    whole &= (factors[:, :-1] != 0).all(axis=1)
    known: set[tuple[int, ...]] = set()
    for number, factor in zip(regular[0][whole].tolist(), factors[whole].astype(np.int64), strict=True):
        key = (number, *factor.tolist())
        if key not in known:
            known.add(key)
            share = float(np.mean(factor @ stack[number] == wanted))
            terms = tuple(zip(factor[:-1].tolist(), sets[number], strict=True))
            yield AffineExpr(terms, int(factor[-1]), share)
