"""Index forms: what is solved is what was put in, in the fewest words, and nothing where nothing small is true."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.index_maps.affine_expr import held, in_part, solve, tabulated

RANDOM = np.random.default_rng(0)
COLUMNS = {name: RANDOM.integers(0, size, 300) for name, size in (("c", 16), ("h", 10), ("y", 5), ("q", 3))}
SIZES = (2, 3, 4, 5, 8, 10, 16)
C, H, Y, Q = COLUMNS.values()


@pytest.mark.parametrize(
    ("target", "text"),
    [
        (C % 4 * 4 + C // 4, "(c / 4) + 4 * (c % 4)"),
        (H + 1, "h + 1"),
        (9 - H, "-h + 9"),
        (2 * Y + Q - 1, "2 * y + q - 1"),
        (C // 4 * 4 + 3 - C % 4, "4 * (c / 4) - (c % 4) + 3"),
        (3 * C % 16, "(3 * c) % 16"),
        ((C + 1) % 16, "(c + 1) % 16"),
        (C // 8 * 8 + Q, "q + 8 * (c / 8)"),
        (C % 4, "c % 4"),
        (0 * C + 3, "3"),
    ],
)
def test_a_form_is_found_in_its_shortest_words(target: NDArray[Any], text: str) -> None:
    found = solve(target, COLUMNS, SIZES)
    assert found is not None
    assert str(found) == text
    assert np.array_equal(found.of(COLUMNS), target)


def test_rows_that_are_mostly_equal_do_not_hide_a_form() -> None:
    for rows in range(20, 90):
        for group in range(4, 16):
            columns = {"h": np.arange(rows) % 3, "y": np.array([0, 8, 7, 7, 8])[np.arange(rows) // group % 5]}
            found = solve(columns["y"], columns, (2, 3, 9, 13))
            assert str(found) == "y", (rows, group)


def test_a_few_rows_that_are_otherwise_do_not_hide_a_form() -> None:
    found = solve(np.where(RANDOM.random(300) < 0.05, 0, C + 2), COLUMNS, SIZES)
    assert found is not None
    assert str(found) == "c + 2"
    assert 0.9 < found.holds < 1.0


def test_what_is_no_small_form_is_none() -> None:
    assert solve(RANDOM.integers(0, 16, 300), COLUMNS, SIZES) is None


def test_a_place_held_at_an_edge_is_solved_for_inside_and_true_of_all() -> None:
    found = held(np.clip(2 * Y + Q - 2, 0, 6), COLUMNS, SIZES, 6)
    assert found is not None
    assert str(found) == "clamp(2 * y + q - 2, 0, 6)"
    assert np.array_equal(found.of(COLUMNS), np.clip(2 * Y + Q - 2, 0, 6))
    assert held(2 * Y + Q, COLUMNS, SIZES, 99) is None


def test_what_hangs_on_one_index_by_no_formula_is_a_table() -> None:
    table = np.array([4, 1, 1, 0, 2, 5, 9, 9, 3, 7])
    found = tabulated(table[H], COLUMNS)
    assert found is not None
    assert str(found) == "[4, 1, 1, 0, 2, 5, 9, 9, 3, 7][h]"
    assert np.array_equal(found.of(COLUMNS), table[H])
    assert tabulated(table[H] + Q, COLUMNS) is None


def test_what_is_another_place_in_a_part_alone_says_where() -> None:
    found = in_part(np.where(C == 4, 0, Q), COLUMNS, SIZES, "q")
    assert found is not None
    assert str(found) == "0 where c is 4"
    assert np.array_equal(found.of(COLUMNS), np.where(C == 4, 0, Q))
    assert in_part(np.where(C > 1, Y, Q), COLUMNS, SIZES, "q") is None
