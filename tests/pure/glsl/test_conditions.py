"""Tests the conditions of #if: operators bind as in C, and an unknown name matters only where it decides."""

from __future__ import annotations

import pytest

from texelscope.pipeline.glsl.conditions import condition_value
from texelscope.pipeline.glsl.macros import MacroError, expand_all

NUMBERS = {"ONE": 1, "FIVE": 5}


def value(text: str) -> int | None:
    """Returns a condition's value where ONE and FIVE are macros, NONE is no macro, and of others nothing is known."""
    known = {**dict.fromkeys(NUMBERS, True), "NONE": False}
    return condition_value(text, known.get, NUMBERS.get)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3 == 7", 1),
        ("(1 + 2) * 3 == 7", 0),
        ("7 - 2 - 1", 4),
        ("FIVE == 4 || FIVE == 5", 1),
        ("FIVE == 5 && ONE != 1", 0),
        ("1 || 0 && 0", 1),
        ("! ONE", 0),
        ("!(FIVE < 3)", 1),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("1 << 3 | 1", 9),
        ("6 & 3 ^ 1", 3),
        ("~0", -1),
        ("defined(ONE) && !defined NONE", 1),
        ("defined ONE == 1", 1),
    ],
)
def test_a_condition_has_the_value_that_c_gives_it(text: str, expected: int) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OTHER", None),
        ("OTHER || ONE", 1),
        ("ONE || OTHER", 1),
        ("OTHER && NONE == 0", None),
        ("0 && OTHER", 0),
        ("OTHER && 0", 0),
        ("OTHER || 0", None),
        ("defined(OTHER)", None),
        ("!OTHER", None),
        ("OTHER + 1", None),
    ],
)
def test_an_unknown_name_matters_only_where_it_decides(text: str, expected: int | None) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 +",
        "(1",
        "1)",
        "1 2",
        "== 1",
        "1 / 0",
        "1 % 0",
        "1 << 99",
        "1 << 31 << 31 << 31",
        "1.5",
        "a(1)",
        "$",
        "(" * 200 + "1" + ")" * 200,
    ],
)
def test_what_is_no_condition_has_no_value(text: str) -> None:
    assert value(text) is None


def test_a_macro_of_macros_has_the_number_of_its_text() -> None:
    text = "#define A (B + 1)\n#define B 2\n#if A == 3 && B\nyes\n#else\nno\n#endif\n"
    assert expand_all(text).split() == ["yes"]


def test_macros_of_each_other_have_no_number() -> None:
    with pytest.raises(MacroError, match="has the condition 'A', which is not supported"):
        expand_all("#define A B\n#define B A\n#if A\nyes\n#endif\n")


def test_macros_that_double_cost_no_more_than_their_number() -> None:
    text = "".join(f"#define A{i} (A{i + 1} + A{i + 1})\n" for i in range(18)) + "#define A18 1\n#if A0\nyes\n#endif\n"
    assert expand_all(text).split() == ["yes"]


def test_a_long_chain_of_macros_has_no_number() -> None:
    chain = "".join(f"#define A{i} A{i + 1}\n" for i in range(3000))
    with pytest.raises(MacroError, match="has the condition 'A0', which is not supported"):
        expand_all(f"{chain}#define A3000 1\n#if A0\nyes\n#endif\n")
