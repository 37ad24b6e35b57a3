"""In which order edits are tried, the likeliest first, and how many go into one program."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.repair.programs.likely_edits import NOTHING, LikelyEdits
from texelscope.pipeline.repair.programs.mutant_schema import Mutant
from texelscope.pipeline.repair.words.mutation import Kind

# Operations that edits add to one program: more take a driver long to compile. Of heavier edits, which write functions
# out once more, so much of a rank is tried, that nearest to what is known, a few in a program of their own.
WEIGHT, _HEAVY, _MOST_HEAVY = 500, 4_000, 24_000
# From so many operations on an edit takes a driver a hundred times as long as most: of a rank those come last.
LABORIOUS = 40
# The rank of what is asked for, as of what is left out. That of edits of values where addresses are at fault, or the
# other way about. That of functions that the model has, where nothing is asked for.
_ASKED, _ELSEWHERE, _OF_NODES = -1, 3, 2
# That of numbers on a line with so many of them, where no finding names it.
_OF_TABLES, _WEIGHTS = 2, 4
_FRACTION = re.compile(r"-?(\d+\.\d*|\.\d+)([eE][-+]?\d+)?[fF]?")
# Of what is put in a fourth are quotients by sizes, or by their roots, and few are right: of a rank they come late.
_DIVIDED = re.compile(r"/ (sqrt\()?\d+\.0\)?$")
# That of kinds which are likely near the lines that are known, where no finding names the line. Behind all others of
# it come numbers that are added, one text at a place for all of them: few programs, before two and two.
_LIKELY = 1


def programs(
    edits: Sequence[Mutant],
    lines: Sequence[Line],
    first: frozenset[Kind] = frozenset(),
    named: Sequence[Line] = (),
    asked: LikelyEdits = NOTHING,
) -> list[tuple[int, list[Mutant]]]:
    """The edits by rank, program by program; those of one place and template stay together.

    Whoever finds a repair in one rank may leave out the next ones. Of the kinds `first` those near `lines` come
    early, all on the lines `named` by a finding with the first rank, and before these what is `asked` for.
    """
    branches: dict[int, list[Mutant]] = {}
    for edit in edits:
        branches.setdefault(edit.number, []).append(edit)
    tables = _tables(edits) - {*named}
    found: list[tuple[int, list[Mutant]]] = []
    room, heavy, likeliest = 0, Counter[int](), asked.likeliest(edits)

    def order(edit: Mutant) -> tuple[int, int, bool, bool, bool, bool, bool, int]:
        if edit.number in likeliest and edit.weight <= WEIGHT:
            is_known = edit.line in named
            rank = _ASKED if asked.is_by_finding else min(_OF_NODES, rank_of(edit, lines, first, named))
            is_far = not is_near(edit, lines)
            return rank, likeliest[edit.number], False, not is_known, False, False, is_far, edit.weight
        is_elsewhere = asked.is_elsewhere(edit)
        rank = _ELSEWHERE if is_elsewhere and edit.weight <= WEIGHT else rank_of(edit, lines, first, named)
        is_a_number = edit.proposal.kind == "added" and not is_elsewhere and _LIKELY < rank <= _RANKS["added"]
        rank = _LIKELY if is_a_number else rank
        return (
            max(rank, _OF_TABLES) if edit.line in tables and _is_a_fraction(edit) else rank,
            is_a_number,
            is_elsewhere,
            edit.line not in named,
            edit.weight > LABORIOUS,
            edit.line not in named and _DIVIDED.search(edit.proposal.new) is not None,
            not is_near(edit, lines),
            edit.weight,
        )

    ordered = sorted(((order(each[0]), each) for each in branches.values()), key=lambda each: each[0])
    for (rank, *_), branch in ordered:
        weight = branch[0].weight
        if weight > WEIGHT:
            heavy[rank] += weight
            if weight > _HEAVY or heavy[rank] > _MOST_HEAVY:
                continue
        if not found or weight > room or found[-1][0] != rank or crosses(branch[0], found[-1][1]):
            found.append((rank, []))
            room = _HEAVY if weight > WEIGHT else WEIGHT
        room -= weight
        found[-1][1].extend(branch)
    return found


def _tables(edits: Sequence[Mutant]) -> set[Line]:
    """Lines that weights are written on: others of them are looked for behind what says what is done with them."""
    places: dict[Line, set[int]] = {}
    for edit in edits:
        if _is_a_fraction(edit):
            places.setdefault(edit.line, set()).add(edit.proposal.start)
    return {line for line, some in places.items() if len(some) >= _WEIGHTS}


def _is_a_fraction(edit: Mutant) -> bool:
    """Whether an edit is of one number with a point."""
    return _FRACTION.fullmatch(edit.proposal.old) is not None


def is_laborious(edits: Sequence[Mutant]) -> bool:
    """Whether a program is of few edits that a driver has much to do with each."""
    return any(edit.weight > LABORIOUS for edit in edits)


def rank_of(
    edit: Mutant, lines: Sequence[Line] = (), first: frozenset[Kind] = frozenset(), named: Sequence[Line] = ()
) -> int:
    """Of an edit, the first ones tried first; see `programs`."""
    rank = _RANKS[edit.proposal.kind]
    if edit.weight > WEIGHT:
        return _RANKS_OF_HEAVY[rank >= _RANKS["put in"]]
    if edit.line in named:
        return min(rank, 0)
    return min(rank, _LIKELY) if edit.proposal.kind in first and is_near(edit, lines) else rank


def halved(edits: Sequence[Mutant]) -> list[list[Mutant]]:
    """The edits of a program in two parts, for a driver that did not take it; none where there is but one place."""
    numbers = sorted({edit.number for edit in edits})
    if len(numbers) < 2:
        return []
    first = {*numbers[: len(numbers) // 2]}
    return [[edit for edit in edits if (edit.number in first) == wanted] for wanted in (True, False)]


def crosses(edit: Mutant, others: Sequence[Mutant]) -> bool:
    """Whether places overlap by a part: that of a statement and its next one, and of that and its next one."""
    own = [each for each in edit.places if each.kind == "statement"]
    return bool(own) and any(
        each.start < place.start < each.stop < place.stop or place.start < each.start < place.stop < each.stop
        for each in own
        for other in others
        for place in other.places
        if place.kind == "statement"
    )


def is_near(edit: Mutant, lines: Sequence[Line]) -> bool:
    """Whether an edit is of one of some lines, or beside one."""
    return any(edit.line[0] == file and abs(edit.line[1] - number) <= 1 for file, number in lines)


_RANKS = {"barrier": -1, "left out": -1, "replaced": 0, "swapped": 1, "index": 1, "statement": 1, "added": 3,
          "put in": 3, "moved": 3}  # fmt: skip
# Heavy ones of what says otherwise, and of what is put in: a driver may be busy with them for long.
_RANKS_OF_HEAVY = (2, 4)
