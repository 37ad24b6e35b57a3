"""One shape of an error, one line of text, whatever the names in a file contain."""

from __future__ import annotations

import pytest

from texelscope.layouts import layout
from texelscope.layouts.errors import MOST_NAMES, LayoutError, TexelscopeError, nearest
from texelscope.layouts.outside_text import printable


def test_an_error_says_who_what_was_expected_what_came_and_what_to_do() -> None:
    error = TexelscopeError("Conv 'c'", "3 channels", "4", "Check 'group'.")
    assert str(error) == "Conv 'c': expected 3 channels, got 4. Check 'group'."
    assert (error.who, error.expected, error.got, error.do_next) == ("Conv 'c'", "3 channels", "4", "Check 'group'.")


def test_a_sentence_of_a_library_does_not_double_the_stop() -> None:
    assert str(TexelscopeError("a", "b", "it broke.", "Mend it.")) == "a: expected b, got it broke. Mend it."


def test_an_error_is_one_line_that_cannot_steer_a_terminal() -> None:
    text = str(TexelscopeError("Relu 'a\n\x1b[31mb\x07\u202e'", "c", "d\r\ne", "f"))
    assert text == "Relu 'a \\x1b[31mb\\x07\\u202e': expected c, got d e. f"


def test_letters_of_any_language_are_printed_as_they_are() -> None:
    assert printable("größe → 大きさ") == "größe → 大きさ"


def test_what_layouts_refuse_is_caught_with_all_other_errors() -> None:
    with pytest.raises(TexelscopeError, match=r"^layout: expected the name of a layout, got 'no'"):
        layout("no")


@pytest.mark.parametrize(
    ("name", "valid", "sentence"),
    [
        ("imge", ["image", "mask"], "Did you mean 'image'?"),
        ("zzz", ["mask", "image"], "Valid: image, mask."),
        ("zzz", [], "There is none to choose from."),
    ],
)
def test_the_nearest_valid_name_is_offered(name: str, valid: list[str], sentence: str) -> None:
    assert nearest(name, valid) == sentence


def test_a_list_of_a_thousand_names_stays_one_line() -> None:
    sentence = nearest("zzz", [f"tensor{i}" for i in range(1000)])
    assert sentence.count("tensor") == MOST_NAMES
    assert sentence.endswith(f"and {1000 - MOST_NAMES} more.")


@pytest.mark.parametrize("name", ["tfjs_packed", "tfjs_unpacked"])
def test_a_width_or_an_order_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(LayoutError, match=r"expected width to be a whole number, 0 or more, got -1\."):
        layout(name, width=-1)
    with pytest.raises(LayoutError, match=r"expected an order of axes, got 'nhcw'\. Did you mean 'nhwc'"):
        layout(name, order="nhcw")
