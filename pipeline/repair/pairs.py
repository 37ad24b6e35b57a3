"""Searches for two mutations that fix a pass together: pairs of helpful ones, then all others with the best few."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.repair.attempts import SURELY, Attempts
from texelscope.pipeline.repair.candidate_pool import STRONGLY, HelpingGroup, pairs_of
from texelscope.pipeline.repair.harness.evaluator import Chosen
from texelscope.pipeline.repair.harness.rehearsal import AT_ONCE
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant
from texelscope.pipeline.repair.programs.ordering import LABORIOUS
from texelscope.pipeline.repair.programs.pairing import packed

# Helpful mutations that are paired with each other; those that others are combined with, if some surely belong to one
# fault, and if none does.
_TWO_AND_TWO, _BEHIND_SURE, _BEHIND = 24, 3, 4
# Others are combined with this many strong ones as soon as they are tried alone.
_BESIDE = 2

# Returns all mutations of a text, one mutant schema after another.
Programs = Callable[[MutableProgram, Sequence[Line], Callable[[Mutant], bool]], list[list[Mutant]]]


class Pairs:
    """Searches for pairs among mutations that were tried alone; may be called again when there are more."""

    def __init__(self, attempts: Attempts, lines: Sequence[Line], programs: Programs) -> None:
        """Mistakes near `lines` come first; `programs` makes the mutant schemata of another text."""
        self._attempts, self._lines, self._programs = attempts, lines, programs
        self._tried = set[tuple[int, int]]()
        self._done = set[int]()

    def search(self, seconds: float, *, widely: bool = True) -> Generator[None, None, None]:
        """Tries pairs for some seconds: those that help alone, then combinations with the best of them."""
        noted = self._attempts.noted
        with self._attempts.within(seconds):
            yield from self._attempts.look_around()
            helping = noted.helping(_TWO_AND_TWO)
            yield from self._each(pairs_of(helping, [edit for each in helping for edit in each.edits[:1]]))
            yield from self._behind(self._firsts() if widely else [])

    def search_on(self) -> Generator[None, None, None]:
        """Continues with more and more of the helpful ones, until none or no time is left."""
        most, count = _BEHIND, len(self._attempts.noted.helping())
        while most < count and not self._attempts.is_over:
            most *= 2
            yield from self._behind(self._attempts.noted.first(most))

    @property
    def strong(self) -> list[Mutant]:
        """Returns those that help so much that each may fix one of two faults, the likeliest first."""
        return [each.edits[0] for each in self._firsts() if each.helps >= STRONGLY]

    def _behind(self, firsts: Sequence[HelpingGroup]) -> Generator[None, None, None]:
        yield from self._each(pairs_of(firsts, self._attempts.noted.others(self._lines)))
        for each in firsts:
            yield from self._within(each.edits[0])

    @property
    def are_likely(self) -> bool:
        """Whether some mutation helps so much that it may fix one of two faults."""
        return bool(self.strong)

    def beside(self, edits: Sequence[Mutant], *, are_last: bool) -> tuple[Sequence[Mutant], Sequence[Chosen]]:
        """Returns a mutant schema with the mutations that surely fix one fault added, and the combinations to try.

        These are each mutation alone, and with those. The last schema has all very helpful mutations too.
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

    def _firsts(self) -> list[HelpingGroup]:
        """Returns the few that all others are combined with."""
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
                if max(each.compile_cost for each in pair) <= LABORIOUS:
                    yield pair

    def _within(self, first: Mutant) -> Generator[None, None, None]:
        """Tries another mutation at the place of the first one: of the same words, or of the surrounding ones."""
        if id(first) in self._done or self._attempts.is_over:
            return
        self._done.add(id(first))
        text = self._attempts.text.after(first)
        start, stop = first.proposal.start, first.proposal.start + len(first.proposal.new.encode())

        def is_there(edit: Mutant) -> bool:
            return edit.compile_cost <= LABORIOUS and any(
                each.start < stop and start < each.stop for each in edit.places
            )

        programs = self._programs(text, (first.line, *self._lines), is_there)
        for number, some in enumerate(programs):
            if self._attempts.is_over:
                return
            yield from self._attempts.mend(text, some, programs[number + 1 : number + 1 + AT_ONCE])


def _key(pair: Sequence[Mutant]) -> tuple[int, int]:
    """Returns the identity of a pair: the pool keeps both alive."""
    one, other = sorted(id(each) for each in pair)
    return one, other
