"""Comments are looked past without moving anything."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texelscope.pipeline.glsl.source_text import leading_comment, without_comments


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("int a; // b\nint c;", "int a;     \nint c;"),
        ("int /* b */ c;", "int         c;"),
        ("a/**/b", "a    b"),
        ("/* one\ntwo */ three", "      \n       three"),
        ("// /* \nint a; // */", "      \nint a;      "),
        ("/* // */ int a;", "         int a;"),
        ("/*/ int a; */ int b;", "              int b;"),
        ("int a; /* never\nends", "int a;         \n    "),
        ("int a = b / c;", "int a = b / c;"),
    ],
)
def test_a_comment_is_blank_and_all_else_stays_in_its_place(text: str, bare: str) -> None:
    assert without_comments(text) == bare


@given(st.text(alphabet="/*\n a"))
def test_every_character_of_a_text_without_comments_stands_where_it_stood(text: str) -> None:
    bare = without_comments(text)
    assert len(bare) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, bare, strict=True))
    assert [i for i, letter in enumerate(bare) if letter == "\n"] == [i for i, old in enumerate(text) if old == "\n"]


@pytest.mark.parametrize(
    ("text", "comment", "rest"),
    [
        ("// y = x\n\n// of x\nint a; // no\n", "// y = x\n\n// of x\n", "int a; // no\n"),
        ("int a; // no\n", "", "int a; // no\n"),
    ],
)
def test_a_text_s_leading_comment_ends_with_its_first_line_of_code(text: str, comment: str, rest: str) -> None:
    assert leading_comment(text) == (comment, rest)
