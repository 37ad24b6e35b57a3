"""Combines mutations that belong together: exchanged parts of two places, and the same change at several places.

Mutations are compared word by word: two make the same change, or one removes what the other inserts.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from texelscope.pipeline.compare.repairs import common_ends
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse, without_precisions
from texelscope.pipeline.glsl.semantics.questions import WORD
from texelscope.pipeline.glsl.semantics.statements import FunctionDefinition
from texelscope.pipeline.repair.operators.axis_names import canonical
from texelscope.pipeline.repair.programs.mutant_schema import Mutant
from texelscope.pipeline.repair.programs.ordering import LABORIOUS, WEIGHT, crosses, is_near, rank_of
from texelscope.pipeline.repair.text.mutation import NUMBER, Mutation

_NUMBERS = re.compile(r"-?\s*\d[\w.]*|\d+")
Words = tuple[str, ...]
# Places belong together if they are at most this many rows apart, or in equal rows.
_APART = 2
# Names of one thing have at least this many letters in common.
_IN_COMMON = 3
# The most places of one mistake, and the most mistakes at more than two places.
_MOST_PLACES, _MOST_GROUPS = 12, 60
# Above this rank mutations insert something, many for each place: only those of two axes or two ends are combined.
_SAYING_OTHERWISE = 1
Chosen = tuple[Mutant, ...]


@dataclass(frozen=True)
class Change:
    """The words that a mutation removes, and those that it inserts, written as `comes`.

    They are removed from byte `start` to `stop`, in a row of the text. If the old text is an `operand` of the new one,
    `old` and `new` are the words before and after it.
    """

    edit: Mutant
    start: int
    stop: int
    row: int
    operand: Words
    old: Words
    new: Words
    comes: str


class Text:
    """Counts the rows and functions of a shader, by the bytes of its text."""

    def __init__(self, source: str) -> None:
        data = source.encode()
        self._ends = [place for place, byte in enumerate(data) if byte == ord("\n")]
        self._rows = [_NUMBERS.sub("0", canonical_text(row)) for row in source.split("\n")]
        root = parse(constructors_as_calls(without_precisions(data)))
        self._functions = [each.start_byte for each in root.of_type(FunctionDefinition)]

    def row(self, place: int) -> int:
        """Returns the row of a byte, from 0."""
        return bisect(self._ends, place)

    def function(self, place: int) -> int:
        """Returns the number of the function that contains a byte, or precedes it."""
        return bisect(self._functions, place)

    def are_alike(self, row: int, other: int) -> bool:
        """Whether two rows are equal except for numbers, their signs, and axes."""
        return self._rows[row] == self._rows[other]


def change_of(edit: Mutant, text: Text) -> Change:
    """Returns what a mutation of one place changes there."""
    place = edit.proposal
    (starts, whole), (places, every) = _words(place.old), _words(place.new)
    new, old, row = _bare(every), _bare(whole), text.row(place.start)
    for at in range(len(new) - len(old) + 1) if len(new) > len(old) else ():
        if new[at : at + len(old)] == old:
            return Change(edit, place.start, place.stop, row, old, new[:at], new[at + len(old) :], place.new)
    head = tail = 0
    while head < min(len(whole), len(new)) and whole[head] == new[head]:
        head += 1
    while tail < min(len(whole), len(new)) - head and whole[-1 - tail] == new[-1 - tail]:
        tail += 1
    skipped, goes, comes = (len(every) - len(new)) // 2, whole[head : len(whole) - tail], new[head : len(new) - tail]
    start = place.start + _bytes(place.old, starts[head] if head < len(starts) else len(place.old))
    last = len(whole) - tail - 1
    stop = place.start + _bytes(place.old, starts[last] + len(whole[last])) if goes else start
    first, end = skipped + head, skipped + len(new) - tail - 1
    written = place.new[places[first] : places[end] + len(every[end])] if comes else ""
    return Change(edit, start, stop, row, (), goes, comes, written)


def _bytes(text: str, letters: int) -> int:
    return len(text[:letters].encode())


def canonical_text(text: str) -> str:
    """Returns a text with all names as those of the first axis."""
    return WORD.sub(lambda found: canonical_word(found[0]), text)


@lru_cache(maxsize=1 << 14)
def canonical_word(word: str) -> str:
    """Returns a name as that of the first axis."""
    return canonical(word)


@lru_cache(maxsize=1 << 14)
def _words(text: str) -> tuple[tuple[int, ...], Words]:
    """Returns where the words of a text begin, and the words."""
    found = [*WORD.finditer(text)]
    return tuple(each.start() for each in found), tuple(each[0] for each in found)


def _bare(words: Words) -> Words:
    """Removes the parentheses around all of them."""
    while len(words) > 2 and words[0] == "(" and _closing(words) == len(words) - 1:
        words = words[1:-1]
    return words


def _closing(words: Words) -> int:
    depth = 0
    for at, word in enumerate(words):
        depth += {"(": 1, ")": -1}.get(word, 0)
        if depth == 0:
            return at
    return -1


@dataclass(frozen=True)
class JoinedMutations:
    """Joins mutations of one schema with the combinations to try."""

    edits: tuple[Mutant, ...]
    chosen: tuple[Chosen, ...]


def together(source: str, edits: Sequence[Mutant], lines: Sequence[Line], most: int) -> list[JoinedMutations]:
    """Returns the likeliest mistakes at several places, at most `most`, in schemata that run them.

    Mistakes near `lines` come first.
    """
    text, known = Text(source), dict[tuple[object, ...], Change]()
    for edit in sorted((each for each in edits if not each.beside and each.compile_cost <= WEIGHT), key=rank_of):
        if edit.proposal.kind != "barrier":
            change = change_of(edit, text)
            known.setdefault((change.start, change.operand, change.old, change.new), change)
    changes = [*known.values()]
    first = 1 + max((edit.number for edit in edits), default=0)
    found: dict[Chosen, tuple[int, bool, int, int]] = {}
    light = [each for each in changes if each.edit.compile_cost <= LABORIOUS]
    for one, other in (*_exchanged(light, text), *_alike(light, text), *_ends(light, text)):
        pair = (one.edit, other.edit) if one.start < other.start else (other.edit, one.edit)
        rank = max(rank_of(each) for each in pair)
        is_far = not any(is_near(each, lines) for each in pair)
        found.setdefault(pair, (rank, is_far, abs(one.row - other.row), min(one.start, other.start)))
    groups = [*itertools.islice(_grouped(changes, text, first), _MOST_GROUPS)]
    groups += itertools.islice(_nested(source.encode(), light, text, first + len(groups)), _MOST_GROUPS)
    return [*packed([*((each,) for each in groups), *sorted(found, key=lambda pair: found[pair])[:most]])]


def as_one(pair: Chosen, number: int) -> Mutant:
    """Joins two mutations of one mistake under that number."""
    one, other = pair
    if one.proposal.values != other.proposal.values:
        one, other = (replace(each, proposal=_without_numbers(each.proposal)) for each in pair)
    beside = (*one.beside, *other.places)
    return replace(one, number=number, compile_cost=one.compile_cost + other.compile_cost, beside=beside)


def _without_numbers(proposal: Mutation) -> Mutation:
    """Returns a proposal with its numbers written out."""
    if NUMBER not in proposal.template:
        return replace(proposal, values=(0.0, 0.0))
    template = proposal.new if proposal.kind == "statement" else f"({proposal.new})"
    return replace(proposal, template=template, values=(0.0, 0.0), at=None)


def _are_apart(one: Change, other: Change) -> bool:
    return are_apart(one.edit, other.edit)


def _are_nested(one: Change, other: Change) -> bool:
    """Whether two mutations overlap and change different parts."""
    return not are_apart(one.edit, other.edit) and (one.stop < other.start or other.stop < one.start)


def _exchanged(
    changes: Sequence[Change], text: Text, are_two: Callable[[Change, Change], bool] = _are_apart
) -> Iterator[tuple[Change, Change]]:
    """Yields pairs in which one inserts what the other removes, and the other way round."""
    by: dict[tuple[object, object], list[Change]] = {}
    for change in changes:
        if not change.operand and rank_of(change.edit) <= _SAYING_OTHERWISE:
            by.setdefault((change.old, change.new), []).append(change)
    for (old, new), some in by.items():
        for one, other in itertools.product(some, by.get((new, old), ())):
            if one.start < other.start and are_two(one, other) and _belong_together(one, other, text):
                yield one, other


def _alike(
    changes: Sequence[Change], text: Text, are_two: Callable[[Change, Change], bool] = _are_apart
) -> Iterator[tuple[Change, Change]]:
    """Yields equal changes at two places, or changes equal except for the axis."""
    by: dict[tuple[object, ...], list[Change]] = {}
    for change in changes:
        by.setdefault(_form(change), []).append(change)
    for some in by.values():
        for one, other in itertools.combinations(some, 2):
            is_put_in = max(rank_of(one.edit), rank_of(other.edit)) > _SAYING_OTHERWISE
            if is_put_in and not _are_of_two_axes(one, other):
                continue
            if are_two(one, other) and _belong_together(one, other, text):
                yield one, other


def _ends(changes: Sequence[Change], text: Text) -> Iterator[tuple[Change, Change]]:
    """Yields pairs of a clamp of a start to the first index and a clamp of an end to the last one."""
    lower, upper = (
        [each for each in changes if each.operand and each.old[:2] == (name, "(") and each.new[-1:] == (")",)]
        for name in ("max", "min")
    )
    for one, other in itertools.product(lower, upper):
        is_other = one.row == other.row and one.operand != other.operand
        if is_other and _are_apart(one, other) and _belong_together(one, other, text):
            yield one, other


def _grouped(changes: Sequence[Change], text: Text, first: int) -> Iterator[Mutant]:
    """Yields equal changes at more than two places of equal rows, as single mutations numbered from `first`."""
    by: dict[tuple[object, ...], list[Change]] = {}
    for change in changes:
        if rank_of(change.edit) <= _SAYING_OTHERWISE and change.edit.proposal.kind != "statement":
            key = (*_but_for_numbers(change.operand, change.old, change.new), change.edit.proposal.values)
            by.setdefault(key, []).append(change)
    for some in by.values():
        alike = [each for each in some if text.are_alike(each.row, some[0].row)]
        if 2 < len(alike) <= _MOST_PLACES and all(
            are_apart(one.edit, other.edit) for one, other in itertools.combinations(alike, 2)
        ):
            one, *others = (each.edit for each in alike)
            compile_cost = sum(each.edit.compile_cost for each in alike)
            if compile_cost <= WEIGHT:
                yield replace(
                    one, number=first, compile_cost=compile_cost, beside=tuple(each.proposal for each in others)
                )
                first += 1


def _nested(source: bytes, changes: Sequence[Change], text: Text, first: int) -> Iterator[Mutant]:
    """Yields two changes of which one lies inside the other, as single mutations numbered from `first`."""
    some = [each for each in changes if not each.operand and rank_of(each.edit) <= _SAYING_OTHERWISE]
    seen = set[tuple[int, str]]()
    for one, other in (*_exchanged(some, text, _are_nested), *_alike(some, text, _are_nested)):
        inner, outer = sorted((one, other), key=lambda each: each.edit.proposal.stop - each.edit.proposal.start)
        place = outer.edit.proposal
        new = source[place.start : place.stop]
        for each in sorted((inner, outer), key=lambda each: -each.start):
            new = new[: each.start - place.start] + each.comes.encode() + new[each.stop - place.start :]
        compile_cost = outer.edit.compile_cost + inner.edit.compile_cost
        if compile_cost <= LABORIOUS and (place.start, new.decode()) not in seen:
            seen.add((place.start, new.decode()))
            template = new.decode() if place.kind == "statement" else f"({new.decode()})"
            made = replace(place, new=new.decode(), template=template, values=(0.0, 0.0))
            yield replace(outer.edit, proposal=made, number=first, compile_cost=compile_cost)
            first += 1


def _but_for_numbers(*some: Words) -> tuple[Words, ...]:
    """Replaces numbers that occur in several texts by their index: they are moved, not changed."""
    counts = Counter(word for words in some for word in {*words} if word[0].isdigit() or word[0] == ".")
    names: dict[str, str] = {}
    return tuple(
        tuple(names.setdefault(word, f"#{len(names)}") if counts[word] > 1 else word for word in words)
        for words in some
    )


def _form(change: Change) -> tuple[object, ...]:
    """Returns what two changes must have in common; in new words names of the other axis count as equal.

    If a name replaces a similar one, only their different parts count: this covers all names of that form.
    """
    if len(change.old) == len(change.new) == 1 and change.old[0].isidentifier() and change.new[0].isidentifier():
        head, tail = common_ends(change.old[0], change.new[0])
        parts = (name[head : len(name) - tail] for name in (change.old[0], change.new[0]))
        if head + tail >= _IN_COMMON:
            return bool(change.operand), "part", *parts
    old, new = (tuple(canonical_word(word) for word in words) for words in (change.old, change.new))
    if old == new:
        old, new = change.old, change.new
    return bool(change.operand), old, new


def _belong_together(one: Change, other: Change, text: Text) -> bool:
    if text.function(one.start) != text.function(other.start):
        return False
    return abs(one.row - other.row) <= _APART or text.are_alike(one.row, other.row)


def _are_of_two_axes(one: Change, other: Change) -> bool:
    """Whether two operands correspond on two axes, and so do the expressions around them, if these name an axis."""
    if one.operand == other.operand or [*map(canonical_word, one.operand)] != [*map(canonical_word, other.operand)]:
        return False
    around, beyond = (*one.old, *one.new), (*other.old, *other.new)
    return around != beyond or all(canonical_word(word) == word for word in around)


def packed(found: Iterable[Chosen]) -> Iterator[JoinedMutations]:
    """Yields them as schemata, in order, each of a size that a driver compiles easily."""
    edits, numbers, chosen, room = dict[Mutant, None](), set[int](), list[Chosen](), WEIGHT
    for each in found:
        compile_cost = sum(edit.compile_cost for edit in each if edit.number not in numbers)
        is_full = compile_cost > room or any(edit not in edits and crosses(edit, [*edits]) for edit in each)
        if chosen and is_full:
            yield JoinedMutations(tuple(edits), tuple(chosen))
            edits, numbers, chosen, room = {}, set(), [], WEIGHT
            compile_cost = sum(edit.compile_cost for edit in each)
        room -= compile_cost
        edits.update(dict.fromkeys(each))
        numbers.update(edit.number for edit in each)
        chosen.append(each)
    if chosen:
        yield JoinedMutations(tuple(edits), tuple(chosen))


def are_apart(first: Mutant, second: Mutant) -> bool:
    """Whether two mutations are at places that do not overlap."""
    return all(a.stop <= b.start or b.stop <= a.start for a in first.places for b in second.places)
