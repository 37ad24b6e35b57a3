"""Edits that make the same values are one; what helps comes first, behind it what is on the lines that are known."""

from __future__ import annotations

from texelscope.pipeline.repair.candidate_pool import CandidatePool, pairs_of
from texelscope.pipeline.repair.programs.mutant_schema import Mutant
from texelscope.pipeline.repair.text.mutation import Mutation

PLAIN = 7


def edit(start: int, new: str, line: int = 1, stop: int | None = None) -> Mutant:
    end = start + 1 if stop is None else stop
    return Mutant(
        ("a.frag", line), Mutation(start, end, "x" * (end - start), new, "swapped", new), 100 * start + line, 1
    )


def test_what_makes_the_same_values_is_one_and_the_shortest_of_it_comes_first() -> None:
    noted, long, short, other = CandidatePool(PLAIN), edit(0, "a", stop=9), edit(4, "b"), edit(20, "c")
    noted.note(long, 0.5, 1)
    noted.note(short, 0.5, 1)
    noted.note(other, 0.9, 2)
    assert [each.edits for each in noted.helping()] == [(other,), (short, long)]


def test_one_that_overlaps_is_stood_in_for_by_one_that_makes_the_same_values() -> None:
    noted, inside, elsewhere, second = CandidatePool(PLAIN), edit(4, "b"), edit(20, "c", stop=23), edit(4, "d")
    noted.note(inside, 0.5, 1)
    noted.note(elsewhere, 0.5, 1)
    assert [*pairs_of(noted.helping(), [second, inside])] == [(elsewhere, second), (elsewhere, inside)]


def test_those_of_one_line_do_not_keep_out_those_of_others() -> None:
    noted = CandidatePool(PLAIN)
    for number in range(6):
        noted.note(edit(number, "a", line=3), 0.9 - 0.01 * number, number)
    noted.note(edit(50, "b", line=8), 0.2, 9)
    assert [each.edits[0].line[1] for each in noted.first(3)] == [3, 3, 8]


def test_of_what_does_the_same_few_are_tried_behind_others_and_of_what_does_nothing_all() -> None:
    noted = CandidatePool(PLAIN)
    for number in range(5):
        noted.see(edit(number, "same"), 1)
        noted.see(edit(number, "nothing"), PLAIN)
    names = [each.proposal.new for each in noted.others(())]
    assert names == ["same"] * 3 + ["nothing"] * 5


def test_behind_one_that_helps_come_those_that_help_then_those_of_the_lines_that_are_known() -> None:
    noted, helping, near, far = CandidatePool(PLAIN), edit(0, "helps", 9), edit(10, "near", 5), edit(20, "far", 6)
    for number, each in enumerate((far, near, helping)):
        noted.see(each, number)
    noted.note(helping, 0.4, 3)
    assert noted.others([("a.frag", 5)]) == [helping, near, far]


def test_what_does_not_help_is_not_noted() -> None:
    noted = CandidatePool(PLAIN)
    noted.note(edit(0, "a"), 0.0, 1)
    assert noted.helping() == []


def test_what_helps_at_the_first_texels_is_looked_at_once_more_the_most_promising_first() -> None:
    noted = CandidatePool(PLAIN)
    for number, helps in enumerate((0.01, 0.4, 0.8)):
        noted.promise(edit(10 * number, f"e{number}"), helps, number)
    assert [each.proposal.new for each in noted.promising()] == ["e2", "e1"]
    assert noted.promising() == []
    assert noted.helping() == []
