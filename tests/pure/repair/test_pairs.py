"""Tests which pairs of edits are tried: those that help together, all others behind the best few, each pair once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import cast

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.repair.attempts import SURELY, Attempts
from texelscope.pipeline.repair.candidate_pool import CandidatePool
from texelscope.pipeline.repair.harness.evaluator import Chosen
from texelscope.pipeline.repair.pairs import Pairs
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant
from texelscope.pipeline.repair.programs.ordering import WEIGHT
from texelscope.pipeline.repair.programs.pairing import packed
from texelscope.pipeline.repair.text.mutation import Mutation

PLAIN = 0


def edit(number: int, compile_cost: int = 1) -> Mutant:
    """Returns one of many that are apart, each on a separate line."""
    new = f"e{number}"
    return Mutant(
        ("a.frag", number), Mutation(10 * number, 10 * number + 1, "x", new, "swapped", new), number, compile_cost
    )


class Written:
    """A text in which no edit leaves anything to edit."""

    def after(self, edit: Mutant) -> Written:
        return self


class Attempted:
    """Remembers what was to be tried, and is late after so many programs."""

    def __init__(self, programs: int = 1000) -> None:
        self.noted, self.text, self.chosen = CandidatePool(PLAIN), Written(), list[Chosen]()
        self.programs, self.limits = programs, list[float]()

    @property
    def is_over(self) -> bool:
        return self.is_late()

    def is_late(self) -> bool:
        return self.programs <= 0

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        self.limits.append(seconds)
        yield

    def look_around(self) -> Generator[None, None, None]:
        for each in self.noted.promising():
            self.noted.note(each, 0.5, each.number)
        yield

    def mend(
        self, text: Written, edits: Sequence[Mutant], following: Sequence[Mutant] = (), chosen: Sequence[Chosen] = ()
    ) -> Generator[None, None, None]:
        assert all({*each} <= {*edits} for each in chosen)
        self.programs -= 1
        self.chosen += chosen
        yield


def nothing(text: MutableProgram, lines: Sequence[Line], is_wanted: Callable[[Mutant], bool]) -> list[list[Mutant]]:
    return []


def pairs_with(attempted: Attempted) -> Pairs:
    return Pairs(cast(Attempts, attempted), (), nothing)


def names(chosen: Sequence[Chosen]) -> list[set[int]]:
    return [{each.number for each in some} for some in chosen]


def test_those_that_help_are_tried_two_and_two_before_any_other_one() -> None:
    attempted = Attempted()
    for number in (1, 2, 3):
        attempted.noted.note(edit(number), 0.5, number)
    attempted.noted.see(edit(9), 9)
    [*pairs_with(attempted).search(1.0)]
    tried = names(attempted.chosen)
    assert {frozenset(each) for each in tried[:3]} == {frozenset((1, 2)), frozenset((1, 3)), frozenset((2, 3))}
    assert {frozenset(each) for each in tried[3:]} == {frozenset((number, 9)) for number in (1, 2, 3)}


def test_a_pair_is_tried_once_however_often_they_are_asked_for() -> None:
    attempted = Attempted()
    for number in (1, 2, 3):
        attempted.noted.note(edit(number), 0.5, number)
    pairs = pairs_with(attempted)
    [*pairs.search(1.0)]
    attempted.noted.see(edit(9), 9)
    [*pairs.search(1.0)]
    tried = [frozenset(each) for each in names(attempted.chosen)]
    assert len(tried) == len({*tried}) == 6


def test_what_there_was_no_time_for_is_tried_when_there_is() -> None:
    attempted = Attempted(programs=0)
    attempted.noted.note(edit(1), 0.5, 1)
    attempted.noted.note(edit(2), 0.4, 2)
    pairs = pairs_with(attempted)
    [*pairs.search(1.0)]
    assert not attempted.chosen
    attempted.programs = 10
    [*pairs.search(1.0)]
    assert names(attempted.chosen) == [{1, 2}]


def test_while_there_is_time_others_are_tried_behind_all_that_help() -> None:
    attempted = Attempted()
    for number in range(1, 11):
        attempted.noted.note(edit(number), 0.5 - 0.01 * number, number)
    attempted.noted.see(edit(20), 20)
    pairs = pairs_with(attempted)
    [*pairs.search(1.0)]
    assert {10, 20} not in names(attempted.chosen)
    [*pairs.search_on()]
    assert {10, 20} in names(attempted.chosen)
    assert len(attempted.chosen) == 10 * 9 // 2 + 10


def test_not_widely_only_those_that_help_are_tried() -> None:
    attempted = Attempted()
    attempted.noted.note(edit(1), 0.5, 1)
    attempted.noted.see(edit(9), 9)
    [*pairs_with(attempted).search(2.0, widely=False)]
    assert (attempted.chosen, attempted.limits) == ([], [2.0])


def test_the_next_edits_are_tried_alone_and_behind_what_is_sure_to_mend_one_fault() -> None:
    attempted = Attempted()
    sure, weak, following = edit(1), edit(2), [edit(5), edit(6)]
    attempted.noted.note(sure, SURELY, 1)
    attempted.noted.note(weak, 0.1, 2)
    edits, chosen = pairs_with(attempted).beside(following, are_last=False)
    assert [*edits] == [*following, sure]
    assert names(chosen) == [{5}, {6}, {1, 5}, {1, 6}]


def test_the_last_edits_are_tried_behind_what_helps_much_and_no_others_are() -> None:
    attempted, following = Attempted(), [edit(5)]
    attempted.noted.note(edit(1), 0.7, 1)
    pairs = pairs_with(attempted)
    assert pairs.beside(following, are_last=False) == (following, ())
    assert names(pairs.beside(following, are_last=True)[1]) == [{5}, {1, 5}]


def test_without_one_that_helps_much_the_next_edits_are_tried_alone() -> None:
    attempted, following = Attempted(), [edit(5)]
    attempted.noted.note(edit(1), 0.1, 1)
    assert pairs_with(attempted).beside(following, are_last=True) == (following, ())


def test_a_program_of_pairs_is_no_heavier_than_others() -> None:
    some = [edit(number, WEIGHT // 4) for number in range(12)]
    pairs = [(first, second) for first in some[:2] for second in some[2:]]
    programs = [*packed(pairs)]
    assert [pair for each in programs for pair in each.chosen] == pairs
    assert all(sum(one.compile_cost for one in each.edits) <= WEIGHT for each in programs)
