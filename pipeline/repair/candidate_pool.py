"""What was looked at and does not mend a pass: edits that help, the most first, and all others that do something.

Two edits that make the same values are one as far as anybody knows: few of them are tried with others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.repair.programs.mutant_schema import Mutant
from texelscope.pipeline.repair.programs.shortest import are_apart

# Edits that help are remembered, as many; of one outcome so many, and so many outcomes of one line come first.
_NOTED, _OF_AN_OUTCOME, _OF_A_LINE = 40, 3, 2
# Of edits that were merely looked at, of one outcome.
_SEEN_OF_AN_OUTCOME = 3
# What helps no more may do so by chance.
_LITTLE = 0.1


@dataclass(frozen=True)
class Helping:
    """Edits that make the same values, with how much they help."""

    helps: float
    edits: tuple[Mutant, ...]

    def besides(self, other: Mutant) -> Mutant | None:
        """One of them that is apart from another edit."""
        return next((each for each in self.edits if are_apart(each, other)), None)


class CandidatePool:
    """Edits of one text, by what they do there."""

    def __init__(self, plain: int) -> None:
        """`plain` is the outcome of the text as it is."""
        self._plain = plain
        self._helping: dict[int, Helping] = {}
        self._promising: dict[int, Helping] = {}
        self._seen: dict[tuple[int, int, str], tuple[Mutant, int]] = {}
        self._counts = Counter[int]()

    def see(self, edit: Mutant, outcome: int) -> None:
        """Remembers an edit that was looked at, a few of one outcome: where nobody looked they may differ."""
        key = _said(edit)
        if key not in self._seen and (outcome == self._plain or self._counts[outcome] < _SEEN_OF_AN_OUTCOME):
            self._seen[key] = edit, outcome
            self._counts[outcome] += 1

    def promise(self, edit: Mutant, helps: float, outcome: int) -> None:
        """Remembers an edit that helps at the first few texels, until it is looked at in several places."""
        if helps > _LITTLE:
            _put(self._promising, edit, helps, outcome)

    def promising(self) -> list[Mutant]:
        """Those to look at in several places now, the most promising first; they are forgotten here."""
        found = [edit for each in _by_help(self._promising) for edit in each.edits]
        self._promising = {}
        return found

    def note(self, edit: Mutant, helps: float, outcome: int) -> None:
        """Remembers an edit that helps wherever it was looked at."""
        if helps > 0.0:
            _put(self._helping, edit, helps, outcome)

    def helping(self, most: int = _NOTED) -> list[Helping]:
        """Those that help, the most first."""
        return _by_help(self._helping)[:most]

    def first(self, most: int) -> list[Helping]:
        """A few that help, of several lines."""
        found, lines = list[Helping](), Counter[Line]()
        for each in self.helping():
            line = each.edits[0].line
            lines[line] += 1
            if lines[line] <= _OF_A_LINE:
                found.append(each)
        return found[:most]

    def others(self, lines: Sequence[Line]) -> list[Mutant]:
        """All to try behind one that helps: those that help themselves first, then those on `lines`.

        What does something alone comes before what does nothing.
        """
        helping = [edit for each in self.helping() for edit in each.edits]
        known = {id(edit) for edit in helping}
        named = {*lines}
        rest = sorted(
            ((edit, outcome) for edit, outcome in self._seen.values() if id(edit) not in known),
            key=lambda each: (each[0].line not in named, each[1] == self._plain),
        )
        return [*helping, *(edit for edit, _ in rest)]


def pairs_of(firsts: Sequence[Helping], others: Sequence[Mutant]) -> Iterator[tuple[Mutant, Mutant]]:
    """Every edit with those before it, `others` in their order."""
    for edit in others:
        for each in firsts:
            if (first := each.besides(edit)) is not None:
                yield first, edit


def _put(into: dict[int, Helping], edit: Mutant, helps: float, outcome: int) -> None:
    """Among those that help most; edits of one place that read alike are one."""
    known = into.get(outcome, Helping(helps, ()))
    if _said(edit) in map(_said, known.edits):
        return
    # The less an edit holds, the more others are apart from it.
    edits = sorted((*known.edits, edit), key=lambda each: each.proposal.stop - each.proposal.start)
    into[outcome] = Helping(max(helps, known.helps), tuple(edits[:_OF_AN_OUTCOME]))
    if len(into) > _NOTED:
        into.pop(min(into, key=lambda key: into[key].helps))


def _said(edit: Mutant) -> tuple[int, int, str]:
    """The place that an edit is of, in bytes, and what it says there."""
    return edit.proposal.start, edit.proposal.stop, edit.proposal.new


def _by_help(some: Mapping[int, Helping]) -> list[Helping]:
    return sorted(some.values(), key=lambda each: -each.helps)
