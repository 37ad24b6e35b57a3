"""Edits that belong together: what was exchanged between two places, and what is amiss alike at two or more.

A slip is often made twice, once for each axis, side or half, and either edit alone mends nothing.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from texelscope.pipeline.compare.common_ends import common_ends
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.repair.programs.changes import Change, Text, Words, canonical_word, change_of
from texelscope.pipeline.repair.programs.mutant_schema import Mutant
from texelscope.pipeline.repair.programs.ordering import LABORIOUS, WEIGHT, crosses, is_near, rank_of
from texelscope.pipeline.repair.programs.shortest import are_apart
from texelscope.pipeline.repair.words.mutation import NUMBER, Mutation

# Places belong together that are not farther apart than so many rows, or in rows that read alike.
_APART = 2
# Letters that two names have in common which are of one thing.
_IN_COMMON = 3
# Places of one slip, and slips at more than two of them that are tried.
_MOST_PLACES, _MOST_GROUPS = 12, 60
# Of ranks above this one edits put something beside, many for each place: only of two axes, or of two ends.
_SAYING_OTHERWISE = 1
Chosen = tuple[Mutant, ...]


@dataclass(frozen=True)
class Together:
    """Edits of one program with what of them is tried at once."""

    edits: tuple[Mutant, ...]
    chosen: tuple[Chosen, ...]


def together(source: str, edits: Sequence[Mutant], lines: Sequence[Line], most: int) -> list[Together]:
    """What is likeliest to be amiss at more than one place, `most` of it, as programs that run it.

    `lines` are those near which mistakes are looked for first.
    """
    text, known = Text(source), dict[tuple[object, ...], Change]()
    for edit in sorted((each for each in edits if not each.beside and each.weight <= WEIGHT), key=rank_of):
        if edit.proposal.kind != "barrier":
            change = change_of(edit, text)
            known.setdefault((change.start, change.operand, change.old, change.new), change)
    changes = [*known.values()]
    first = 1 + max((edit.number for edit in edits), default=0)
    found: dict[Chosen, tuple[int, bool, int, int]] = {}
    light = [each for each in changes if each.edit.weight <= LABORIOUS]
    for one, other in (*_exchanged(light, text), *_alike(light, text), *_ends(light, text)):
        pair = (one.edit, other.edit) if one.start < other.start else (other.edit, one.edit)
        rank = max(rank_of(each) for each in pair)
        is_far = not any(is_near(each, lines) for each in pair)
        found.setdefault(pair, (rank, is_far, abs(one.row - other.row), min(one.start, other.start)))
    groups = [*itertools.islice(_grouped(changes, text, first), _MOST_GROUPS)]
    groups += itertools.islice(_nested(source.encode(), light, text, first + len(groups)), _MOST_GROUPS)
    return [*packed([*((each,) for each in groups), *sorted(found, key=lambda pair: found[pair])[:most]])]


def as_one(pair: Chosen, number: int) -> Mutant:
    """Two edits of one slip as one with that number."""
    one, other = pair
    if one.proposal.values != other.proposal.values:
        one, other = (replace(each, proposal=_without_numbers(each.proposal)) for each in pair)
    beside = (*one.beside, *other.places)
    return replace(one, number=number, weight=one.weight + other.weight, beside=beside)


def _without_numbers(proposal: Mutation) -> Mutation:
    """With its numbers as they are written."""
    if NUMBER not in proposal.template:
        return replace(proposal, values=(0.0, 0.0))
    template = proposal.new if proposal.kind == "statement" else f"({proposal.new})"
    return replace(proposal, template=template, values=(0.0, 0.0), at=None)


def _are_apart(one: Change, other: Change) -> bool:
    return are_apart(one.edit, other.edit)


def _are_nested(one: Change, other: Change) -> bool:
    """Whether two edits are of places that overlap, and change different parts of them."""
    return not are_apart(one.edit, other.edit) and (one.stop < other.start or other.stop < one.start)


def _exchanged(
    changes: Sequence[Change], text: Text, are_two: Callable[[Change, Change], bool] = _are_apart
) -> Iterator[tuple[Change, Change]]:
    """What goes at one place and comes at another one, and the other way about."""
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
    """The same at two places, or the same but for the axis."""
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
    """What begins held above the first one, and what ends held below the last one."""
    lower, upper = (
        [each for each in changes if each.operand and each.old[:2] == (name, "(") and each.new[-1:] == (")",)]
        for name in ("max", "min")
    )
    for one, other in itertools.product(lower, upper):
        is_other = one.row == other.row and one.operand != other.operand
        if is_other and _are_apart(one, other) and _belong_together(one, other, text):
            yield one, other


def _grouped(changes: Sequence[Change], text: Text, first: int) -> Iterator[Mutant]:
    """The same at more than two places of rows that read alike, as one edit each; numbered from `first` on."""
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
            weight = sum(each.edit.weight for each in alike)
            if weight <= WEIGHT:
                yield replace(one, number=first, weight=weight, beside=tuple(each.proposal for each in others))
                first += 1


def _nested(source: bytes, changes: Sequence[Change], text: Text, first: int) -> Iterator[Mutant]:
    """Two changes of which the edit of one holds the other, as one edit each; numbered from `first` on."""
    some = [each for each in changes if not each.operand and rank_of(each.edit) <= _SAYING_OTHERWISE]
    seen = set[tuple[int, str]]()
    for one, other in (*_exchanged(some, text, _are_nested), *_alike(some, text, _are_nested)):
        inner, outer = sorted((one, other), key=lambda each: each.edit.proposal.stop - each.edit.proposal.start)
        place = outer.edit.proposal
        new = source[place.start : place.stop]
        for each in sorted((inner, outer), key=lambda each: -each.start):
            new = new[: each.start - place.start] + each.comes.encode() + new[each.stop - place.start :]
        weight = outer.edit.weight + inner.edit.weight
        if weight <= LABORIOUS and (place.start, new.decode()) not in seen:
            seen.add((place.start, new.decode()))
            template = new.decode() if place.kind == "statement" else f"({new.decode()})"
            made = replace(place, new=new.decode(), template=template, values=(0.0, 0.0))
            yield replace(outer.edit, proposal=made, number=first, weight=weight)
            first += 1


def _but_for_numbers(*some: Words) -> tuple[Words, ...]:
    """Words with those numbers as which one they are that stand in more than one of some texts: moved, not changed."""
    counts = Counter(word for words in some for word in {*words} if word[0].isdigit() or word[0] == ".")
    names: dict[str, str] = {}
    return tuple(
        tuple(names.setdefault(word, f"#{len(names)}") if counts[word] > 1 else word for word in words)
        for words in some
    )


def _form(change: Change) -> tuple[object, ...]:
    """What two changes have to be alike in; names of the other axis count as the same where something comes anew.

    Of a name in place of one that has a part in common with it only the other part counts: of all that are called so.
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
    """Whether two operands are the same of two axes, and what they are put into is, if it says which."""
    if one.operand == other.operand or [*map(canonical_word, one.operand)] != [*map(canonical_word, other.operand)]:
        return False
    around, beyond = (*one.old, *one.new), (*other.old, *other.new)
    return around != beyond or all(canonical_word(word) == word for word in around)


def packed(found: Iterable[Chosen]) -> Iterator[Together]:
    """In programs, in order, each as large as a driver takes without much ado."""
    edits, numbers, chosen, room = dict[Mutant, None](), set[int](), list[Chosen](), WEIGHT
    for each in found:
        weight = sum(edit.weight for edit in each if edit.number not in numbers)
        is_full = weight > room or any(edit not in edits and crosses(edit, [*edits]) for edit in each)
        if chosen and is_full:
            yield Together(tuple(edits), tuple(chosen))
            edits, numbers, chosen, room = {}, set(), [], WEIGHT
            weight = sum(edit.weight for edit in each)
        room -= weight
        edits.update(dict.fromkeys(each))
        numbers.update(edit.number for edit in each)
        chosen.append(each)
    if chosen:
        yield Together(tuple(edits), tuple(chosen))
