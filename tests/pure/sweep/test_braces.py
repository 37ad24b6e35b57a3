"""Shapes with braces are read, and what is none is refused in a line."""

from __future__ import annotations

import pytest

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.sweep.braces import parse


def test_braces_of_one_text_move_together_and_others_by_themselves() -> None:
    (image, mask), braces = parse(["image=1,3,{16..512},{16..512}", "mask=1,{8..256},{16..512}"])
    assert [brace.text for brace in braces] == ["16..512", "8..256"]
    assert image.shape({"16..512": 100, "8..256": 9}) == (1, 3, 100, 100)
    assert mask.shape({"16..512": 100, "8..256": 9}) == (1, 9, 100)


@pytest.mark.parametrize(
    ("text", "values", "probes"),
    [
        ("{5..9}", [5, 6, 7, 8, 9], (5, 8, 9)),
        ("{16..100}", list(range(16, 101)), (16, 32, 64, 100)),
        ("{96..300..32}", [96, 128, 160, 192, 224, 256, 288], (96, 128, 256, 288)),
        ("{24..100..24}", [24, 48, 72, 96], (24, 48, 72, 96)),
        ("{64, 7,96}", [7, 64, 96], (7, 64, 96)),
        ("{4..4}", [4], (4,)),
    ],
)
def test_values_and_what_is_looked_at_first(text: str, values: list[int], probes: tuple[int, ...]) -> None:
    _, (brace,) = parse([f"x=1,{text}"])
    assert list(brace.values) == values
    assert brace.probes == probes


def test_a_shape_without_braces_is_a_shape() -> None:
    (each,), braces = parse(["x=1,3,8,8"])
    assert each.shape({}) == (1, 3, 8, 8)
    assert braces == ()


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("x=1,{512..16}", "--shape: expected a range from 1 up to 16777216, small end first, got '{512..16}'. As {16."),
        ("x=1,{0..16}", "expected a range from 1 up to 16777216, small end first, got '{0..16}'"),
        ("x=1,{16..64..0}", "expected a range from 1 up to 16777216, small end first, got '{16..64..0}'"),
        ("x=1,{}", "--shape: expected a range or a list in braces, got '{}'. As {16..512}, {32..512..32}, {64,96}."),
        ("x=1,{a,b}", "expected a range or a list in braces, got '{a,b}'"),
        ("x=1,{1..}", "expected a range or a list in braces, got '{1..}'"),
        ("x=1,{16..512", "--shape: expected NAME=1,3,{16..512},{16..512}, got 'x=1,{16..512'. Name the input"),
        ("{16..512}", "expected NAME=1,3,{16..512},{16..512}, got '{16..512}'. Name the input and give all its sizes."),
        ("x=1,n", "expected NAME=1,3,{16..512},{16..512}, got 'x=1,n'. Sizes are numbers, or ranges in braces."),
        ("x=", "expected NAME=1,3,{16..512},{16..512}, got 'x='"),
    ],
)
def test_what_is_no_shape_with_braces_is_refused(argument: str, message: str) -> None:
    with pytest.raises(TexelscopeError) as caught:
        parse([argument])
    assert message in str(caught.value)
