"""Sanitises text that comes from outside: names in files, arguments, messages of drivers and libraries.

Everything shown, logged or written passes one of these functions, named after the destination of the text. The
module stands below everything else, so that the errors of layouts use it too.
"""

from __future__ import annotations

import json
import logging
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any

# The longest line that a person reads: a name in an untrusted file may have thousands of letters.
MOST_LETTERS = 480
_WIDEST_CELL = 120
# The most combining marks that a letter keeps; more would cover the lines above and below. Languages need four.
_MOST_MARKS = 4
_MOST_DIGITS = 18
_MOST_LINES = 12
_GAP = " … "
_SURROGATE = re.compile("[\ud800-\udfff]")
_TICKS = re.compile("`+")
_MARKDOWN = re.compile(r"([\\`*<\[|&])")


def printable(text: str) -> str:
    """Returns `text` with escapes for what steers a terminal, breaks a line or hides letters: `\\x1b`, `\\u202e`."""
    if text.isascii() and text.isprintable():
        return text
    letters, marks = [], 0
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        letters.append(letter if letter.isprintable() and marks <= _MOST_MARKS else _written_out(letter))
    return "".join(letters)


def one_line(text: str, most: int = MOST_LETTERS) -> str:
    """Returns `text` printable on one line of at most `most` letters, at least 8, with its middle left out."""
    # Escaping never shortens, so no more than this of a megabyte is ever seen.
    return shortened(printable(" ".join(shortened(text, 8 * most).split())), most)


def in_cell(text: str, most: int = _WIDEST_CELL) -> str:
    """Returns a name for a table: printable, on one line of at most `most` letters, its middle left out."""
    return shortened(printable(shortened(text, 8 * most)), most)


def shortened(text: str, most: int) -> str:
    """Returns `text` with its middle left out where it has more than `most` letters, at least 8."""
    if len(text) <= most:
        return text
    head = (most - len(_GAP)) * 2 // 3
    return f"{text[:head]}{_GAP}{text[len(text) - (most - len(_GAP) - head) :]}"


def printable_lines(text: str) -> str:
    """Returns `text` printable, with its line ends kept: for tables on a terminal."""
    return text if text.isascii() and text.isprintable() else "\n".join(map(printable, text.split("\n")))


def encodable(text: str) -> str:
    """Returns `text` fit for UTF-8 and otherwise unchanged: lone halves of surrogate pairs are escaped.

    Names of files that are not UTF-8 contain these halves, and JSON may.
    """
    return _SURROGATE.sub(lambda found: _written_out(found[0]), text)


def is_utf8(text: str) -> bool:
    """Reports whether UTF-8 can encode `text` as it is."""
    return _SURROGATE.search(text) is None


def first_of(lines: Sequence[str], what: str) -> list[str]:
    """Returns the first dozen lines, and how many more of `what` there are."""
    more = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], f"And {more} more {what}."] if more > 1 else list(lines)


def said_by(error: BaseException, *, with_type: bool = False) -> str:
    """Returns an exception's message on one line; the name of its type where the message is empty, or before it.

    Code from outside raises anything: an exception whose message is inaccessible, missing or a megabyte long.
    """
    kind = printable(type.__dict__["__name__"].__get__(type(error)))  # the class may override its own __dict__
    try:
        text = one_line("".join([str(error)]))  # plain str: the exception's may be a subclass
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - __str__ is untrusted code
        text = "an exception without a text"
    return kind if not text else f"{kind}: {text}" if with_type else text


def whole_number(text: str) -> int | None:
    """Parses plain digits of at most 64 bits; returns None for anything else, `²` and `٣` too."""
    return int(text) if 0 < len(text) <= _MOST_DIGITS and text.isascii() and text.isdigit() else None


def logger(name: str) -> logging.Logger:
    """Returns Python's logger of that name, whose messages are one line each."""
    found = logging.getLogger(name)
    found.addFilter(_one_line_record)
    return found


@lru_cache(maxsize=4096)  # a run names the same passes each time
def in_label(text: str, most_bytes: int) -> str:
    """Returns a name for a debugger of the GPU, at most `most_bytes` of UTF-8, with its middle left out."""
    encoded = printable(text).encode()
    if len(encoded) <= most_bytes:
        return encoded.decode()
    if most_bytes < len("...") + 2:  # drivers may allow very few bytes
        return encoded[:most_bytes].decode(errors="ignore")
    room = most_bytes - len("...")
    head = room * 2 // 3
    kept = (encoded[:head], encoded[len(encoded) - (room - head) :])
    return "...".join(part.decode(errors="ignore") for part in kept)


def in_comment(text: str) -> str:
    """Returns text safe in a line comment of GLSL: nothing ends the comment, no backslash continues it."""
    return re.sub(r"[^ -~]|\\", "?", shortened(text, MOST_LETTERS))


def in_html(text: str) -> str:
    """Returns text safe in HTML or SVG, in an attribute too."""
    return escape(printable(text))


def in_xml(text: str) -> str:
    """Returns text that XML 1.0 can hold, for a writer that escapes `<` and `&`; lines stay."""
    return printable_lines(text)


def in_json(value: Any, *, indent: int | None = None, separators: tuple[str, str] | None = None) -> str:
    """Returns strict JSON in ASCII, as any reader accepts it: a lone half of a surrogate pair is escaped.

    Raises ValueError for NaN and infinities.
    """
    text = json.dumps(value, indent=indent, separators=separators, allow_nan=False)
    if "\\ud" in text:
        text = json.dumps(_without_surrogates(value), indent=indent, separators=separators, allow_nan=False)
    return text.replace("\x7f", "\\u007f")


def from_json(text: str | bytes) -> Any:
    """Parses JSON from outside, its texts `encodable`. Raises ValueError and RecursionError as `json.loads` does."""
    return _without_surrogates(json.loads(text))


def in_markdown(text: str) -> str:
    """Returns text safe in a sentence of Markdown: nothing in it is markup."""
    return _MARKDOWN.sub(r"\\\1", printable(text))


def in_code_span(text: str) -> str:
    """Returns a code span of Markdown, for a cell of a table too, whatever backticks are in the text."""
    shown = printable(text).replace("|", "\\|")
    longest = max((len(ticks) for ticks in _TICKS.findall(shown)), default=0)
    fence, space = "`" * (longest + 1), " " * (shown[:1] == "`" or shown[-1:] == "`")
    return f"{fence}{space}{shown}{space}{fence}"


def in_code_block(text: str, language: str = "") -> str:
    """Returns a fenced block of Markdown, whatever backticks are in the text."""
    shown = printable_lines(text).rstrip("\n")
    longest = max((len(ticks) for ticks in _TICKS.findall(shown)), default=0)
    fence = "`" * max(longest + 1, 3)
    return f"{fence}{language}\n{shown}\n{fence}"


def _written_out(letter: str) -> str:
    written = ascii(letter)[1:-1]
    return written if written != letter else f"\\x{ord(letter):02x}"


def _one_line_record(record: logging.LogRecord) -> bool:
    record.msg, record.args = one_line(record.getMessage()), None
    return True


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, Mapping):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    return [_without_surrogates(item) for item in value] if isinstance(value, list | tuple) else value
