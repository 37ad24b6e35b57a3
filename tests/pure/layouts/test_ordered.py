"""An order of axes puts each element where its text says, and is refused in one line where it cannot."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from texelscope.layouts import LayoutError, as_nchw, layout
from texelscope.layouts.axis_order import MOST_CHARACTERS, MOST_TERMS


def places(order: str, shape: tuple[int, ...]) -> list[int]:
    """Returns the elements in the order of their places, -1 for padding, of the texture without its last texels."""
    entry = layout("ordered", order=order)
    count = entry.places(shape).count  # type: ignore[attr-defined]
    return [int(each) for each in entry.address(shape).reshape(-1)[:count]]


def test_axes_run_from_the_slowest_to_the_fastest() -> None:
    assert places("n, c, y, x", (1, 2, 2, 2)) == [0, 1, 2, 3, 4, 5, 6, 7]
    assert places("n, y, x, c", (1, 2, 2, 2)) == [0, 4, 1, 5, 2, 6, 3, 7]
    assert places("ky, kx, i, o", (2, 3, 1, 1)) == [0, 3, 1, 4, 2, 5]
    assert places("x, y", (2, 3)) == [0, 3, 1, 4, 2, 5]


def test_an_axis_that_is_no_multiple_of_the_divisor_is_padded() -> None:
    assert places("o/4, i, ky, kx, o%4", (5, 2, 1, 1)) == [0, 2, 4, 6, 1, 3, 5, 7, 8, -1, -1, -1, 9, -1, -1, -1]
    assert places("i/2, o, i%2", (1, 3, 1, 1)) == [0, 1, 2, -1]


def test_terms_in_one_part_are_digits_of_one_number() -> None:
    assert places("o/2, i/2, o%2 i%2", (2, 4, 1, 1)) == places("o/2, i/2, o%2, i%2", (2, 4, 1, 1))
    assert places("o/2, i/2, o%2 i%2", (2, 4, 1, 1)) == [0, 1, 4, 5, 2, 3, 6, 7]


def test_a_quotient_may_have_a_remainder() -> None:
    assert places("x%2, x/2%2, x/4", (8,)) == [0, 4, 2, 6, 1, 5, 3, 7]


def test_an_axis_that_stands_whole_and_divided_leaves_padding() -> None:
    assert places("i, i%2", (1, 3, 1, 1)) == [0, -1, -1, 1, 2, -1]


def test_an_axis_of_one_element_may_be_left_out_or_divided() -> None:
    assert places("x", (3,)) == [0, 1, 2]
    assert places("o/4, x%3".replace("x", "kx") + ", o%4", (1, 1, 1, 3)) == [
        0,
        -1,
        -1,
        -1,
        1,
        -1,
        -1,
        -1,
        2,
        -1,
        -1,
        -1,
    ]


@pytest.mark.parametrize("shape", [(16, 8, 3, 3), (5, 7, 3, 2), (1, 3, 1, 1), (12, 4, 1, 5)], ids=str)
def test_the_order_of_packed_weights_is_that_of_ncnn(shape: tuple[int, ...]) -> None:
    """Source: "dst = pa-pb-kw-kh-inch/pa-outch/pb", from the fastest axis on."""
    ordered = layout("ordered_rgba", order="o/8, i/4, ky, kx, o%8 i%4")
    assert np.array_equal(ordered.address(shape), layout("ncnn_weights", pack=4, out_pack=8).address(shape))


def test_blocks_of_neighbours_are_those_of_tensorflow_js() -> None:
    packed, shape = layout("tfjs_packed"), (1, 5, 3, 4)
    ordered = layout("ordered_rgba", order="n, c, y/2, x/2, y%2 x%2", width=packed.texture_shape(shape)[1])
    assert np.array_equal(ordered.address(shape), packed.address(shape))
    assert ordered.block == packed.block == (2, 2)


@pytest.mark.parametrize(
    ("order", "axis"),
    [("n, y, x, c", None), ("c/4, n, y, x, c%4", 1), ("c/8, n, y, x, c%8", 1), ("n, c, y, x", 3),
     ("n, x, c, y, x%4", None)],
)  # fmt: skip
def test_lanes_hold_neighbours_along_the_axis_of_a_last_term_that_fills_them(order: str, axis: int | None) -> None:
    assert layout("ordered_rgba", order=order).lane_axis((2, 5, 3, 8)) == axis
    assert layout("ordered", order=order).lane_axis((2, 5, 3, 8)) is None


def test_a_layout_whose_order_does_not_fit_a_square_has_no_block() -> None:
    assert layout("ordered_rgba", order="n, c, y, x%2").block == (1, 1)


ONE_PLACE = r"^layout 'ordered': expected a separate place for each element, got elements "


@pytest.mark.parametrize(
    ("order", "shape", "message"),
    [
        (
            "o/4, i, ky, kx",
            (5, 2, 1, 1),
            r"o 0 i 0 ky 0 kx 0 and o 1 i 0 ky 0 kx 0 in one place by 'o/4, i, ky, kx'\. Add o%4 to",
        ),
        (
            "n, y, x",
            (1, 2, 2, 2),
            r"n 0 c 0 y 0 x 0 and n 0 c 1 y 0 x 0 in one place by 'n, y, x'\. Add c to the order",
        ),
        ("c%4, n, y, x", (1, 5, 2, 2), r"n 0 c 0 y 0 x 0 and n 0 c 4 y 0 x 0 in one place .* Add c/4 to the order"),
        ("c/8, c%4, y, x", (1, 16, 2, 2), r"n 0 c 0 y 0 x 0 and n 0 c 4 y 0 x 0 in one place .* Add c/4%2 to the"),
        ("x%1", (2,), r"n 0 c 0 y 0 x 0 and n 0 c 0 y 0 x 1 in one place"),
    ],
)
def test_two_elements_in_one_place_are_named(order: str, shape: tuple[int, ...], message: str) -> None:
    entry = layout("ordered", order=order)
    for method in (entry.texture_shape, entry.address, entry.tile_count):
        with pytest.raises(LayoutError, match=ONE_PLACE + message):
            method(shape)


def test_terms_that_tell_an_index_but_are_no_digits_are_refused() -> None:
    with pytest.raises(
        LayoutError,
        match=r"expected terms of 'x' that are its digits, such as x/4 and x%4, got 'x%3, x%5'\. Each divisor",
    ):
        layout("ordered", order="x%3, x%5").texture_shape((15,))


def test_an_order_that_fits_few_elements_is_kept_and_one_of_many_is_refused() -> None:
    entry = layout("ordered", order="n, c%4, y, x")
    assert entry.texture_shape((1, 4, 2, 2)) == (4, 4)
    with pytest.raises(LayoutError, match="c 4"):
        entry.texture_shape((1, 5, 2, 2))


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ("", r"expected an axis in 'order', such as o, o/4, o%4 or o/4%2, got nothing\."),
        ("o,,i", r"expected an axis in 'order', .*, got nothing\."),
        ("o, i +", r"expected an axis in 'order', .*, got '\+'\."),
        ("o%4/2", r"expected an axis in 'order', .*, got '/2'\."),
        ("o/x", r"expected an axis in 'order', .*, got '/x'\."),
        ("(o)", r"expected an axis in 'order', .*, got '\(o\)'\."),
        ("__import__", r"expected an axis in 'order', got '__import__'\. Valid: c, i, kx"),
        ("o, kz", r"expected an axis in 'order', got 'kz'\. Valid: c, i, kx, ky, n, o, x, y\."),
        ("o/0, i", r"expected numbers from 1 to 16777216 in 'order', got a division by 0 in 'o/0'\."),
        ("o%0, i", r"expected numbers from 1 to 16777216 in 'order', got a division by 0 in 'o%0'\."),
        ("o%99999999", r"expected numbers from 1 to 16777216 in 'order', got 99999999 in 'o%99999999'\."),
        ("o%" + "9" * 190, r"expected numbers from 1 to 16777216 in 'order', got 99999"),
        ("o, c", r"expected axes of one kind in 'order', o i ky kx or n c y x, got o c\."),
        ("o " * MOST_CHARACTERS, rf"expected an order of at most {MOST_CHARACTERS} characters, got 400 characters\."),
        ("o " * (MOST_TERMS + 1), rf"expected at most {MOST_TERMS} terms in 'order', got {MOST_TERMS + 1}\."),
    ],
)
def test_an_order_outside_the_grammar_is_one_line(order: str, message: str) -> None:
    with pytest.raises(LayoutError, match=rf"^layout 'ordered': {message}") as caught:
        layout("ordered", order=order)
    assert "\n" not in str(caught.value)


def test_an_order_that_is_no_text_is_refused() -> None:
    with pytest.raises(
        LayoutError, match=re.escape("expected order to be text, got ['o']. Its default is 'n, c, y, x'.")
    ):
        layout("ordered", order=["o"])


def test_a_hostile_order_costs_no_memory() -> None:
    entry = layout("ordered", order=" ".join(["x%16777216"] * MOST_TERMS))
    height, width = entry.texture_shape((9,))
    assert height * width >= (1 << 24) ** MOST_TERMS
    with pytest.raises(LayoutError, match="expected at most 2147483647 lanes in a texture"):
        entry.address((9,))
    with pytest.raises(LayoutError, match="in one place"):
        layout("ordered", order="x%3").texture_shape((10**15,))


@pytest.mark.parametrize("shape", [(7, 5, 3, 3), (1, 4097), (2, 3, 5, 7)], ids=str)
@pytest.mark.parametrize("order", ["o/4, i/4, ky, kx, o%4 i%4", "kx/3%5, o, kx/15, i%2 ky, kx%3, i/2"])
def test_the_closed_form_covers_every_element_once(order: str, shape: tuple[int, ...]) -> None:
    entry = layout("ordered_rgba", order=order)
    values = np.arange(1, math.prod(shape) + 1, dtype=np.float32).reshape(shape)
    elements = values.reshape(as_nchw(shape))
    texels = np.zeros((*entry.texture_shape(shape), 4), dtype=np.float32)
    pairs = entry.views(texels, elements)
    assert pairs is not None
    assert sum(source.size for _, source in pairs) == values.size
    assert np.array_equal(entry.decode(entry.encode(values), shape), values)
