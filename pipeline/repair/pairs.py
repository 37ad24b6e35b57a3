"""The search for two edits that mend a pass together: those that help, two and two; all others behind the best few."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.repair.attempts import SURELY, Attempts
from texelscope.pipeline.repair.candidate_pool import Helping, pairs_of
from texelscope.pipeline.repair.harness.evaluator import Chosen
from texelscope.pipeline.repair.harness.rehearsal import AT_ONCE
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant
from texelscope.pipeline.repair.programs.ordering import LABORIOUS
from texelscope.pipeline.repair.programs.pairing import packed
from texelscope.pipeline.repair.residual import STRONGLY

# Edits that help that are tried two and two; those that others are tried behind, with those that are sure to be of one
# fault, and without any.
_TWO_AND_TWO, _BEHIND_SURE, _BEHIND = 24, 3, 4
# Others are tried behind so many that help strongly as soon as these are tried alone.
_BESIDE = 2

# All edits of a text, program by program.
Programs = Callable[[MutableProgram, Sequence[Line], Callable[[Mutant], bool]], list[list[Mutant]]]


class Pairs:
    """Looks for two edits among those that were looked at alone; may be asked again when there are more of them."""

    def __init__(self, attempts: Attempts, lines: Sequence[Line], programs: Programs) -> None:
        """`lines` are those near which mistakes are looked for first; `programs` makes those of another text."""
        self._attempts, self._lines, self._programs = attempts, lines, programs
        self._tried = set[tuple[int, int]]()
        self._done = set[int]()

    def search(self, seconds: float, *, widely: bool = True) -> Generator[None, None, None]:
        """Tries pairs for so long: those that help alone, two and two, then what is behind the best of them."""
        noted = self._attempts.noted
        with self._attempts.within(seconds):
            yield from self._attempts.look_around()
            helping = noted.helping(_TWO_AND_TWO)
            yield from self._each(pairs_of(helping, [edit for each in helping for edit in each.edits[:1]]))
            yield from self._behind(self._firsts() if widely else [])

    def search_on(self) -> Generator[None, None, None]:
        """Goes on behind more and more of those that help, until there are no more of them or no time is left."""
        most, count = _BEHIND, len(self._attempts.noted.helping())
        while most < count and not self._attempts.is_over:
            most *= 2
            yield from self._behind(self._attempts.noted.first(most))

    @property
    def strong(self) -> list[Mutant]:
        """Those that help so much that each may mend one of two faults, the likeliest first."""
        return [each.edits[0] for each in self._firsts() if each.helps >= STRONGLY]

    def _behind(self, firsts: Sequence[Helping]) -> Generator[None, None, None]:
        yield from self._each(pairs_of(firsts, self._attempts.noted.others(self._lines)))
        for each in firsts:
            yield from self._within(each.edits[0])

    @property
    def are_likely(self) -> bool:
        """Whether some edit helps so much that it may mend one of two faults."""
        return bool(self.strong)

    def beside(self, edits: Sequence[Mutant], *, are_last: bool) -> tuple[Sequence[Mutant], Sequence[Chosen]]:
        """A program of edits with those in it that are sure to mend one fault, and what of it is tried.

        That is each alone, and behind those. With the last edits there are, what helps much is in it too.
        """
        least = STRONGLY if are_last else SURELY
        strong = [each for each in self._firsts() if each.helps >= least][:_BESIDE]
        pairs = [*self._untried(pairs_of(strong, edits))]
        if not pairs:
            return edits, ()
        self._tried.update(_key(pair) for pair in pairs)
        known = {id(edit) for edit in edits}
        firsts = {id(first): first for first, _ in pairs if id(first) not in known}
        return [*edits, *firsts.values()], [*((edit,) for edit in edits), *pairs]

    def _firsts(self) -> list[Helping]:
        """The few that all others are tried behind."""
        first = self._attempts.noted.first(_BEHIND)
        return first[:_BEHIND_SURE] if first and first[0].helps >= SURELY else first

    def _each(self, pairs: Iterable[tuple[Mutant, Mutant]]) -> Generator[None, None, None]:
        programs = packed(self._untried(pairs))
        ahead = deque(itertools.islice(programs, AT_ONCE + 1))
        while ahead and not self._attempts.is_over:
            program = ahead.popleft()
            following = [each.edits for each in ahead]
            yield from self._attempts.mend(self._attempts.text, program.edits, following, program.chosen)
            if not self._attempts.is_late():
                self._tried.update(_key(pair) for pair in program.chosen)
            ahead.extend(itertools.islice(programs, 1))

    def _untried(self, pairs: Iterable[tuple[Mutant, Mutant]]) -> Iterator[Chosen]:
        seen = set[tuple[int, int]]()
        for pair in pairs:
            key = _key(pair)
            if key not in self._tried and key not in seen and pair[0].number != pair[1].number:
                seen.add(key)
                if max(each.weight for each in pair) <= LABORIOUS:
                    yield pair

    def _within(self, first: Mutant) -> Generator[None, None, None]:
        """What another edit does where the first one is: of the same words, or of what is around them."""
        if id(first) in self._done or self._attempts.is_over:
            return
        self._done.add(id(first))
        text = self._attempts.text.after(first)
        start, stop = first.proposal.start, first.proposal.start + len(first.proposal.new.encode())

        def is_there(edit: Mutant) -> bool:
            return edit.weight <= LABORIOUS and any(each.start < stop and start < each.stop for each in edit.places)

        programs = self._programs(text, (first.line, *self._lines), is_there)
        for number, some in enumerate(programs):
            if self._attempts.is_over:
                return
            yield from self._attempts.mend(text, some, programs[number + 1 : number + 1 + AT_ONCE])


def _key(pair: Sequence[Mutant]) -> tuple[int, int]:
    """Which two edits they are: both are held by what was noted."""
    one, other = sorted(id(each) for each in pair)
    return one, other
