"""Tests that messages of a check name its keywords, not options of the command line."""

from __future__ import annotations

import pytest

from texelscope.checking.option_words import KEYWORDS, with_keywords
from texelscope.checking.request import CheckKeywords
from texelscope.command_line import all_commands, parser_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("oracle.py was not run; trust it (--trust).", "oracle.py was not run; trust it (trust=True)."),
        ("Give one, such as --shape x=1,3,224,224", "Give one, such as shapes={'x': (1, 3, 224, 224)}"),
        ("Give one, such as --shape n=4.", "Give one, such as shapes={'n': (4,)}."),
        ("say it: --shape t=SIZE,SIZE", "say it: shapes={'t': (SIZE, SIZE)}"),
        ("Plan both for one shape, --shape.", "Plan both for one shape, shapes={…}."),
        ("--texelscope-update-goldens writes it, --shapely and x--trust stay.",) * 2,
    ],
)
def test_an_option_becomes_the_keyword(text: str, expected: str) -> None:
    assert with_keywords(text) == expected


def test_every_option_is_of_the_command_line_and_every_keyword_of_a_check(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser_of(all_commands()).parse_args(["diff", "-h"])
    known = capsys.readouterr().out
    assert [option for option in KEYWORDS if f"{option} " not in known] == []
    keywords = {word.partition("=")[0] for word in KEYWORDS.values()}
    assert keywords - {"golden"} <= {*CheckKeywords.__annotations__}
