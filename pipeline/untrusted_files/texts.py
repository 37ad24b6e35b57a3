"""TOML and JSON from outside, as deep and with numbers as long as quotas allow.

Python's parsers recurse with depth, take quadratic time for long dotted keys, and fail on integers of more than 4,300
digits with an error of another kind. All three are counted in the text first, in one look at each letter.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from texelscope.layouts.outside_text import from_json
from texelscope.pipeline.deadline import check
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.quotas import hold, present

_JSON_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
# Comments and the four kinds of strings; what is left are keys, numbers, brackets and signs. A string without an end
# goes on to that of its line or of the text, so that nothing is looked at twice.
_TOML_TEXT = re.compile(
    r"#[^\n]*+"
    r'|"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+(?:"{3,5})?+'
    r"|'''(?:[^']++|'{1,2}(?!'))*+(?:'{3,5})?+"
    r'|"(?:[^"\\\n]++|\\.)*+"?'
    r"|'[^'\n]*+'?",
    re.DOTALL,
)
_BRACKET = re.compile(r"[\[\]{}]")
_DOTTED = re.compile(r'(?<![\w"-])(?:[\w"-]++[ \t]*+\.[ \t]*+){2,}+')
# Letters count as digits of hexadecimal numbers.
_LONG_NUMBER = re.compile(r"(?<![\w.])\d[\w.]{18,}+")
_CORRECT = "Correct that place."


def toml_values(text: str, who: str, *, do_next: str = _CORRECT) -> dict[str, Any]:
    """The tables of a TOML text. Raises TexelscopeError for what is no TOML, QuotaError for what asks for too much."""
    bare = _TOML_TEXT.sub('""', text)
    _check_depth(bare, who)
    for dotted in _DOTTED.finditer(bare):
        hold(who, "text_depth", dotted[0].count("."))
    _check_numbers(bare, who)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise TexelscopeError(who, "TOML", f"'{error}'", do_next) from error


def json_value(text: str, who: str, *, do_next: str = _CORRECT) -> Any:
    """What a JSON text holds. Raises TexelscopeError for what is no JSON, QuotaError for what asks for too much.

    As everywhere in Python, NaN and Infinity are numbers.
    """
    bare = _JSON_STRING.sub('""', text)
    _check_depth(bare, who)
    _check_numbers(bare, who)
    try:
        return from_json(text)
    except (ValueError, RecursionError) as error:
        raise TexelscopeError(who, "JSON", f"'{error}'", do_next) from error


def _check_depth(bare: str, who: str) -> None:
    depth, most = 0, present().text_depth
    for number, bracket in enumerate(_BRACKET.finditer(bare)):
        depth = depth + 1 if bracket[0] in "[{" else max(depth - 1, 0)
        if depth > most:
            hold(who, "text_depth", depth)
        if number % 4096 == 0:
            check()


def _check_numbers(bare: str, who: str) -> None:
    for found in _LONG_NUMBER.finditer(bare):
        hold(who, "number_digits", len(found[0]))
