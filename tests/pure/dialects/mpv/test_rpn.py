"""Sizes and conditions come to what mpv computes."""

from __future__ import annotations

import pytest

from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.dialects.mpv.rpn import expression
from texelscope.pipeline.errors import TexelscopeError

PLACE = FileLine("x.glsl", 7)
SIZES = {"MAIN": (64.0, 48.0), "OUTPUT": (128.0, 96.0)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("MAIN.w 2 *", 128.0),
        ("MAIN.height 2 /", 24.0),
        ("7 4 % 1 -", 2.0),
        ("OUTPUT.w MAIN.w / 1.200 > OUTPUT.h MAIN.h / 1.200 > *", 1.0),
        ("OUTPUT.w MAIN.w < !", 1.0),
        ("MAIN.w 64 = 3 +", 4.0),
        ("MAIN.w 64 == 3 +", 4.0),
        ("MAIN.w 63 ==", 0.0),
    ],
)
def test_an_expression_has_its_value(text: str, value: float) -> None:
    assert expression(text, PLACE).value(SIZES.get) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("LUMA.w 2 *", "x.glsl:7: expected the size of a texture that is there when this block runs, got 'LUMA'."),
        ("1 MAIN.w 64 - /", "x.glsl:7: expected a finite number, got 1 0 / in '1 MAIN.w 64 - /'."),
    ],
)
def test_an_expression_without_a_value_is_one_line(text: str, message: str) -> None:
    with pytest.raises(TexelscopeError) as error:
        expression(text, PLACE).value(SIZES.get)
    assert message in str(error.value)
