"""Tests that moved reads of a window are found from all outputs with the whole of it, and from nothing less."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.pipeline.repair.read_diff import ElementReads, moved

WINDOW = [(-1, -1), (-1, 0), (0, -1), (0, 0), (1, 1)]


def around(
    at: tuple[int, int], by: tuple[float, float], scale: tuple[int, int] = (1, 1), channel: int = 0
) -> ElementReads:
    """Returns a window around an output, and the same one moved by rows and columns and spread."""
    right = np.array([(0, at[0] + row, at[1] + column) for row, column in WINDOW])
    wrong = [(channel, at[0] + by[0] + row * scale[0], at[1] + by[1] + column * scale[1]) for row, column in WINDOW]
    return ElementReads(at, np.array(wrong).astype(np.int64), right)


PLACES = [(4, 4), (4, 7), (6, 5)]


@pytest.mark.parametrize(
    ("every", "expected"),
    [
        ([around(at, (0, 2)) for at in PLACES], "moved"),
        ([around(at, (at[0], 0)) for at in PLACES], "other steps"),
        ([around(at, (0, at[1] * 2)) for at in PLACES], "other steps"),
        ([around(at, (0, 0), (1, 2)) for at in PLACES], "other distances"),
        ([around(at, (0, 0), (2, 2)) for at in PLACES], "other distances"),
        ([around(at, (0, number**2)) for number, at in enumerate(PLACES)], None),  # by no line of the output's place
        ([around(at, (0, 0), (1, 1 + number)) for number, at in enumerate(PLACES)], None),  # by no one ratio
        ([around(at, (0, 2), channel=1) for at in PLACES], None),  # of another channel
        ([around(PLACES[0], (0, 2))], None),  # one output alone says nothing
        ([], None),
    ],
)
def test_it_is_told_where_all_agree(every: list[ElementReads], expected: str | None) -> None:
    assert moved(every) == expected


def test_windows_that_a_border_cuts_off_say_nothing() -> None:
    cut = around((0, 0), (0, 1))
    cut = ElementReads(cut.at, cut.before[2:], cut.after[2:])
    assert moved([cut, *(around(at, (0, 2)) for at in PLACES)]) == "moved"
    fewer = ElementReads((9, 9), around((9, 9), (5, 5)).before[1:], around((9, 9), (0, 0)).after)
    assert moved([fewer, *(around(at, (0, 2)) for at in PLACES)]) == "moved"


def test_a_part_of_the_window_that_moves_at_a_border_is_not_the_whole_of_it() -> None:
    few = [around(at, (0, 2)) for at in PLACES]
    few = [ElementReads(each.at, each.before[:1], each.after[:1]) for each in few]
    one_less = around((9, 9), (0, 0))
    assert moved([*few, ElementReads(one_less.at, one_less.before[1:], one_less.after)]) is None


def test_a_window_that_is_read_backwards_is_not_moved() -> None:
    backwards = [around(at, (0, 2)) for at in PLACES]
    assert moved([ElementReads(each.at, each.before[::-1], each.after) for each in backwards]) is None
