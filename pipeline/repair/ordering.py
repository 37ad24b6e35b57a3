"""In which order edits are tried, the likeliest first, and how many go into one program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pipeline.glsl.lines import Line
from pipeline.repair.edits.proposal import Kind
from pipeline.repair.schemata import Edit

# Operations that edits add to one program: more take a driver long to compile. Of heavier edits, which write functions
# out once more, so much of a rank is tried, that nearest to what is known, a few in a program of their own.
_WEIGHT, _HEAVY, _MOST_HEAVY = 500, 4_000, 24_000


def programs(
    edits: Sequence[Edit], lines: Sequence[Line], first: frozenset[Kind] = frozenset()
) -> list[tuple[int, list[Edit]]]:
    """The edits by rank, program by program; those of one place and template stay together.

    Whoever finds a repair in one rank may leave out the next ones. Of the kinds `first` those near `lines` come with
    the first rank.
    """

    def rank_of(edit: Edit) -> int:
        rank = _RANKS[edit.proposal.kind]
        if edit.weight > _WEIGHT:
            return _RANKS_OF_HEAVY[rank >= _RANKS["put in"]]
        return 0 if edit.proposal.kind in first and rank > 0 and _is_near(edit, lines) else rank

    branches: dict[int, list[Edit]] = {}
    for edit in edits:
        branches.setdefault(edit.number, []).append(edit)
    found: list[tuple[int, list[Edit]]] = []
    room, heavy = 0, Counter[int]()
    for branch in sorted(
        branches.values(), key=lambda each: (rank_of(each[0]), not _is_near(each[0], lines), each[0].weight)
    ):
        rank, weight = rank_of(branch[0]), branch[0].weight
        if weight > _WEIGHT:
            heavy[rank] += weight
            if weight > _HEAVY or heavy[rank] > _MOST_HEAVY:
                continue
        if not found or weight > room or found[-1][0] != rank or _crosses(branch[0], found[-1][1]):
            found.append((rank, []))
            room = _HEAVY if weight > _WEIGHT else _WEIGHT
        room -= weight
        found[-1][1].extend(branch)
    return found


def halved(edits: Sequence[Edit]) -> list[list[Edit]]:
    """The edits of a program in two parts, for a driver that did not take it; none where there is but one place."""
    numbers = sorted({edit.number for edit in edits})
    if len(numbers) < 2:
        return []
    first = {*numbers[: len(numbers) // 2]}
    return [[edit for edit in edits if (edit.number in first) == wanted] for wanted in (True, False)]


def _crosses(edit: Edit, others: Sequence[Edit]) -> bool:
    """Whether places overlap by a part: that of a statement and its next one, and of that and its next one."""
    start, stop = edit.proposal.start, edit.proposal.stop
    return edit.proposal.kind == "statement" and any(
        start < other.proposal.start < stop < other.proposal.stop
        or other.proposal.start < start < other.proposal.stop < stop
        for other in others
        if other.proposal.kind == "statement"
    )


def _is_near(edit: Edit, lines: Sequence[Line]) -> bool:
    return any(edit.line[0] == file and abs(edit.line[1] - number) <= 1 for file, number in lines)


_RANKS = {"barrier": -1, "replaced": 0, "swapped": 1, "index": 1, "statement": 1, "added": 3, "put in": 3, "moved": 3}
# Heavy ones of what says otherwise, and of what is put in: a driver may be busy with them for long.
_RANKS_OF_HEAVY = (2, 4)
