"""Expressions over tensors: what they give, and that nothing else is understood."""

from __future__ import annotations

import pytest

from texelscope import layouts
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.pipeline_file.declarations import Uniform
from texelscope.pipeline.pipeline_file.expressions import MAX_CHARACTERS, evaluate
from texelscope.pipeline.pipeline_file.uniform_values import uniform_value
from texelscope.pipeline.plan import StoredTensor


def stored(shape: tuple[int, ...], layout: str) -> StoredTensor:
    return StoredTensor("key", "tensor", shape, layouts.layout(layout))


TENSORS = {
    "down1": stored((1, 16, 32, 24), "channel_tiles"),
    "conv1.weight": stored((16, 3, 4, 4), "filter_tiles"),
    "/a/b (c)": stored((1, 8, 5, 3), "channel_tiles_rgba"),
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", (7,)),
        ("-7.5e1", (-75.0,)),
        ("grid(down1)", (4, 4)),
        ("grid( conv1.weight )", (8, 8)),
        ("size(down1)", (96, 128)),
        ("size(down1) / grid(down1)", (24.0, 32.0)),
        ("texel_size(down1)", (1 / 96, 1 / 128)),
        ("shape(down1)", (1, 16, 32, 24)),
        ("shape(down1).y", (16,)),
        ("shape(down1).h * 2", (64,)),
        ("shape(down1)[3]", (24,)),
        ("count(down1) - 1", (12287,)),
        ('size("/a/b (c)")', (6, 5)),
        ("2 + 3 * 4", (14,)),
        ("(2 + 3) * 4", (20,)),
        ("8 / 2 / 2", (2.0,)),
        ("5 - 2 - 1", (2,)),
        ("--2", (2,)),
        ("0.5 / size(down1)", (0.5 / 96, 0.5 / 128)),
        ("-size(down1)", (-96, -128)),
    ],
)
def test_an_expression_has_the_value_that_arithmetic_gives(text: str, value: tuple[float, ...]) -> None:
    assert evaluate(text, TENSORS) == value


def test_whole_numbers_stay_whole_but_for_division() -> None:
    assert [type(number) for number in evaluate("grid(down1) * 2 + 1", TENSORS)] == [int, int]
    assert [type(number) for number in evaluate("grid(down1) / 2", TENSORS)] == [float, float]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a number, a function of a tensor or '\\(', got the end"),
        ("2 3", "expected an operation or the end, got '3'"),
        ("2 ** 3", "got '\\* 3'"),
        ("size(down1", "expected a tensor's name and '\\)' after 'size\\(', got 'down1'"),
        ("size()", "expected a tensor's name"),
        ("(1", "expected '\\)', got the end"),
        ("sise(down1)", "Did you mean 'size'\\?"),
        ("size(dwon1)", "Did you mean 'down1'\\?"),
        ("size(down1).z", "expected a component of 2 after '.', got 'z'"),
        ("shape(down1)[4]", "expected a component of 4 after '\\[', got '4'"),
        ("size(down1) + shape(down1)", "vectors of one length on both sides of '\\+', got 2 and 4"),
        ("1 / (2 - 2)", "a divisor other than 0"),
        ("9e300 * 9e300 - 1e999 / 10", None),
        ("1" * 400 + " / 1", "numbers that a float can hold"),
        ("(" * 60 + "1" + ")" * 60, "at most 50 levels"),
        ("1 +" * MAX_CHARACTERS, f"at most {MAX_CHARACTERS} characters"),
        ("__import__('os').system('true')", "expected one of grid, size, texel_size, shape, count, got '__import__'"),
        ("().__class__", "expected a number"),
        ("lambda: 1", "got 'lambda'"),
    ],
)
def test_anything_else_is_refused_with_its_place(text: str, message: str | None) -> None:
    if message is None:
        evaluate(text, TENSORS)  # infinities are numbers to a shader
        return
    with pytest.raises(TexelscopeError, match=message):
        evaluate(text, TENSORS)


@pytest.mark.parametrize("kind", ["float", "int", "uint", "bool", None])
@pytest.mark.parametrize(
    "raw",
    ["1" + "0" * 400, "-" + "9" * 300 + " * " + "9" * 150, 10**5000, [1, -(10**400)]],
    ids=["written out", "a product", "of thousands of digits", "in an array"],
)
def test_a_number_that_no_uniform_holds_is_refused(raw: object, kind: str | None) -> None:
    declared = None if kind is None else Uniform("u_x", kind, None, 1, 2, has_precision=False)
    with pytest.raises(TexelscopeError, match=r"expected numbers that a uniform can hold, got a number of \d+ digits"):
        uniform_value(raw, declared, {})
