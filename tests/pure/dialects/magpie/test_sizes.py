"""Sizes of textures are arithmetic over the sizes of the pictures, and nothing else."""

from __future__ import annotations

import pytest

from texelscope.pipeline.dialects.magpie.sizes import size_expression
from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.errors import TexelscopeError

PLACE = FileLine("x.hlsl", 3)
SIZES = {"INPUT_WIDTH": 20, "INPUT_HEIGHT": 11, "OUTPUT_WIDTH": 40, "OUTPUT_HEIGHT": 22}


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("INPUT_WIDTH * 2", 40),
        ("INPUT_HEIGHT / 2", 6),
        ("max(OUTPUT_WIDTH - INPUT_WIDTH, 8)", 20),
        ("-INPUT_WIDTH + ceil(OUTPUT_HEIGHT * 1.5)", 13),
    ],
)
def test_an_expression_has_its_value(text: str, size: int) -> None:
    assert size_expression(text, PLACE).value(SIZES) == size


@pytest.mark.parametrize(
    "text", ["", "INPUT_WIDTH *", "WIDTH", "().__class__", "__import__('os')", "2 ** 99", "1 if 1 else 2", "(" * 300]
)
def test_anything_else_is_refused_at_its_line(text: str) -> None:
    with pytest.raises(TexelscopeError, match=r"x\.hlsl:3: expected a size of numbers, INPUT_WIDTH"):
        size_expression(text, PLACE)


def test_a_division_by_zero_is_refused_at_its_line() -> None:
    with pytest.raises(TexelscopeError, match=r"x\.hlsl:3: expected a finite number, got none of '1 / \(2 - 2\)'"):
        size_expression("1 / (2 - 2)", PLACE).value(SIZES)
