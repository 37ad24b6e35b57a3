"""The one door for text from outside: whatever a stranger wrote, a place gets what it can show and no more."""

from __future__ import annotations

import json
import logging
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texelscope.layouts import outside_text as door

# Lone halves of surrogate pairs too, which names of files have where these are not UTF-8.
TEXTS = st.text(st.characters(exclude_categories=()), max_size=40)


@settings(max_examples=40)
@given(TEXTS, st.integers(8, 60))
def test_a_line_is_one_line_of_letters_that_can_be_shown(text: str, most: int) -> None:
    made = door.one_line(text, most)
    assert len(made) <= most
    assert made.isprintable()
    made.encode()


@settings(max_examples=40)
@given(TEXTS)
def test_what_is_printable_comes_out_as_it_went_in(text: str) -> None:
    assert door.printable(door.printable(text)) == door.printable(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("größe → 大きさ Việt नमस्ते", "größe → 大きさ Việt नमस्ते"),
        ("a\nb\x1b[31m\x7f", "a\\nb\\x1b[31m\\x7f"),
        ("\u202eevil\u2066\u200b", "\\u202eevil\\u2066\\u200b"),
        ("\ud800", "\\ud800"),
        ("e" + "\u0301" * 6, "e" + "\u0301" * 4 + "\\u0301" * 2),
    ],
)
def test_what_steers_hides_or_floods_is_written_out_and_languages_are_not(text: str, shown: str) -> None:
    assert door.printable(text) == shown


def test_a_megabyte_is_cut_in_its_middle_without_being_walked() -> None:
    made = door.one_line("first " + "x\x1b" * 1_000_000 + " last")
    assert len(made) == door.MOST_LETTERS
    assert made.startswith("first x")
    assert made.endswith(" last")


def test_a_table_keeps_its_lines_and_nothing_else() -> None:
    assert door.printable_lines("a\tb\nc\x1b") == "a\\tb\nc\\x1b"


class _SilentError(Exception):
    def __str__(self) -> str:
        return 3  # type: ignore[return-value]


class _RaisingError(Exception):
    def __str__(self) -> str:
        raise ValueError


class _LoudError(Exception):
    def __str__(self) -> str:
        return "a\n\x1b" * 1_000_000


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("a\nb"), "ValueError: a b"),
        (KeyError(), "KeyError"),
        (_SilentError(), "_SilentError: an exception without a text"),
        (_RaisingError(), "_RaisingError: an exception without a text"),
    ],
)
def test_whatever_an_exception_says_is_a_line(error: Exception, said: str) -> None:
    assert door.said_by(error, with_type=True) == said


def test_an_exception_cannot_say_a_megabyte() -> None:
    assert len(door.said_by(_LoudError())) <= door.MOST_LETTERS


def test_a_logged_message_is_a_line_whatever_its_arguments(caplog: pytest.LogCaptureFixture) -> None:
    log = door.logger("tests.outside_text")
    log.warning("%s of %d", "a\n\x1b%s{0}", 3)
    log.warning("100%s" * 1000)
    assert caplog.messages[0] == "a \\x1b%s{0} of 3"
    assert len(caplog.messages[1]) == door.MOST_LETTERS
    assert caplog.records[0].levelno == logging.WARNING


@settings(max_examples=40)
@given(TEXTS, st.integers(0, 40))
def test_a_label_keeps_to_the_bytes_that_the_driver_takes(text: str, most: int) -> None:
    assert len(door.in_label(text, most).encode()) <= most
    if len(door.printable(text).encode()) <= most:
        assert door.in_label(text, most) == door.printable(text)


@settings(max_examples=40)
@given(TEXTS)
def test_nothing_gets_out_of_a_comment(text: str) -> None:
    made = door.in_comment(text)
    assert made.isascii()
    assert made.isprintable()
    assert "\\" not in made


@settings(max_examples=40)
@given(TEXTS)
def test_xml_holds_it_in_attributes_and_between_tags(text: str) -> None:
    element = ET.Element("a", name=door.in_xml(text))
    element.text = door.in_xml(text)
    read = ET.fromstring(ET.tostring(element, encoding="utf-8"))
    assert read.get("name") == read.text == door.in_xml(text) or not text


@settings(max_examples=40)
@given(TEXTS)
def test_a_page_shows_it_and_takes_nothing_of_it_for_markup(text: str) -> None:
    tags, shown = [], []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.append((tag, attrs))

        def handle_data(self, data: str) -> None:
            shown.append(data)

    reader = Reader()
    reader.feed(f'<p title="{door.in_html(text)}">{door.in_html(text)}</p>')
    reader.close()
    assert tags == [("p", [("title", door.printable(text))])]
    assert "".join(shown) == door.printable(text)


@settings(max_examples=40)
@given(st.dictionaries(TEXTS, st.lists(TEXTS | st.none() | st.integers(), max_size=3), max_size=3))
def test_json_is_plain_ascii_and_says_the_same_but_for_lone_surrogates(value: dict[str, list[str]]) -> None:
    text = door.in_json(value)
    assert text.isascii()
    assert text.isprintable()
    assert json.loads(text) == door.from_json(json.dumps(value))
    if door.is_utf8(json.dumps(value, ensure_ascii=False)):
        assert json.loads(text) == value


def test_json_that_is_read_has_texts_that_utf8_has() -> None:
    assert door.from_json('{"\\ud800": ["\\ud83d\\ude00", 1]}') == {"\\ud800": ["😀", 1]}


@pytest.mark.parametrize(
    ("text", "span"),
    [("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a|b\n", "`a\\|b\\n`")],
)
def test_a_code_span_of_markdown_holds_backticks_and_bars(text: str, span: str) -> None:
    assert door.in_code_span(text) == span


def test_a_fenced_block_of_markdown_holds_fences() -> None:
    assert door.in_code_block("-a\n+b\n", "diff") == "```diff\n-a\n+b\n```"
    assert door.in_code_block("```\x1b") == "````\n```\\x1b\n````"


def test_markdown_takes_a_name_for_no_markup() -> None:
    assert door.in_markdown("<b>*a* [x](y) `z`") == "\\<b>\\*a\\* \\[x](y) \\`z\\`"


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), ("9" * 18, 10**18 - 1), ("²", None), ("٣", None), ("-1", None), ("", None), ("1" * 5000, None)],
)
def test_a_whole_number_is_plain_digits(text: str, number: int | None) -> None:
    assert door.whole_number(text) == number


def test_of_many_lines_the_first_dozen_is_told() -> None:
    assert door.first_of(list("abc"), "problems") == list("abc")
    assert door.first_of(["a"] * 20, "problems")[-2:] == ["a", "And 8 more problems."]
