"""The one door for text that comes from outside: names in files, arguments, what drivers and libraries say.

What is shown, logged or written goes through it, by the function named after the place that it goes to. It stands
below everything else, so that the errors of layouts go through it too.
"""

from __future__ import annotations

import json
import logging
import re
import unicodedata
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

# So long a line is at most that a person reads: a name in a stranger's file may have thousands of letters.
MOST_LETTERS = 480
_WIDEST_CELL = 120
# So many marks a letter may carry; those after them would be drawn over the lines above and below. Languages need four.
_MOST_MARKS = 4
_MOST_DIGITS = 18
_MOST_LINES = 12
_GAP = " … "
_SURROGATE = re.compile("[\ud800-\udfff]")
_TICKS = re.compile("`+")
_MARKDOWN = re.compile(r"([\\`*<\[|&])")


def printable(text: str) -> str:
    """`text` with what steers a terminal, breaks a line or hides letters written out, as `\\x1b` or `\\u202e`."""
    if text.isascii() and text.isprintable():
        return text
    letters, marks = [], 0
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        letters.append(letter if letter.isprintable() and marks <= _MOST_MARKS else _written_out(letter))
    return "".join(letters)


def one_line(text: str, most: int = MOST_LETTERS) -> str:
    """`text` printable on one line of at most `most` letters, at least 8: its middle is what is left out."""
    # Nothing that is written out gets shorter, so that of a megabyte no more than this is ever seen.
    return shortened(printable(" ".join(shortened(text, 8 * most).split())), most)


def in_cell(text: str, most: int = _WIDEST_CELL) -> str:
    """A name in a table: printable as it is, on one line of at most `most` letters, its middle left out."""
    return shortened(printable(shortened(text, 8 * most)), most)


def shortened(text: str, most: int) -> str:
    """`text` with its middle left out where it has more than `most` letters, at least 8."""
    if len(text) <= most:
        return text
    head = (most - len(_GAP)) * 2 // 3
    return f"{text[:head]}{_GAP}{text[len(text) - (most - len(_GAP) - head) :]}"


def printable_lines(text: str) -> str:
    """`text` printable but for the ends of its lines: what a terminal gets of a table."""
    return text if text.isascii() and text.isprintable() else "\n".join(map(printable, text.split("\n")))


def encodable(text: str) -> str:
    """`text` as UTF-8 can have it, for what is to stay as it is otherwise: lone halves of surrogate pairs written out.

    Names of files have them where these are not UTF-8, and JSON may.
    """
    return _SURROGATE.sub(lambda found: _written_out(found[0]), text)


def is_utf8(text: str) -> bool:
    """Whether UTF-8 can have it as it is."""
    return _SURROGATE.search(text) is None


def first_of(lines: Sequence[str], what: str) -> list[str]:
    """Of many lines the first dozen, and how many more of `what` there are."""
    more = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], f"And {more} more {what}."] if more > 1 else list(lines)


def said_by(error: BaseException, *, with_type: bool = False) -> str:
    """What an exception says, on one line; its type's name where it says nothing, or before it.

    Code from outside raises what it likes: one whose text cannot be had, is none, or is a megabyte.
    """
    kind = printable(type.__dict__["__name__"].__get__(type(error)))  # a class of anybody's may have its own
    try:
        text = one_line("".join([str(error)]))  # a plain one, as theirs may be a class of its own
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  its own __str__ is anybody's code
        text = "an exception without a text"
    return kind if not text else f"{kind}: {text}" if with_type else text


def whole_number(text: str) -> int | None:
    """The number that plain digits write, as many as 64 bits take; None for anything else, `²` and `٣` too."""
    return int(text) if 0 < len(text) <= _MOST_DIGITS and text.isascii() and text.isdigit() else None


def logger(name: str) -> logging.Logger:
    """Python's logger of that name, whose messages are one line each."""
    found = logging.getLogger(name)
    found.addFilter(_one_line_record)
    return found


def in_label(text: str, most_bytes: int) -> str:
    """A name for a debugger of the GPU, which takes `most_bytes` in UTF-8, with its middle left out."""
    encoded = printable(text).encode()
    if len(encoded) <= most_bytes:
        return encoded.decode()
    if most_bytes < len("...") + 2:  # as little as a driver may take
        return encoded[:most_bytes].decode(errors="ignore")
    room = most_bytes - len("...")
    head = room * 2 // 3
    kept = (encoded[:head], encoded[len(encoded) - (room - head) :])
    return "...".join(part.decode(errors="ignore") for part in kept)


def in_comment(text: str) -> str:
    """What may stand in a line comment of GLSL: nothing ends it, or carries it on over a line with a backslash."""
    return re.sub(r"[^ -~]|\\", "?", shortened(text, MOST_LETTERS))


def in_html(text: str) -> str:
    """What may stand in a page or a picture of SVG, in an attribute too."""
    return escape(printable(text))


def in_xml(text: str) -> str:
    """What XML 1.0 can hold, for a writer that escapes `<` and `&`; lines stay."""
    return printable_lines(text)


def in_json(value: Any, *, indent: int | None = None, separators: tuple[str, str] | None = None) -> str:
    """Strict JSON in ASCII, as any reader takes it: a lone half of a surrogate pair is written out.

    Raises ValueError for NaN and infinities.
    """
    text = json.dumps(value, indent=indent, separators=separators, allow_nan=False)
    if "\\ud" in text:
        text = json.dumps(_without_surrogates(value), indent=indent, separators=separators, allow_nan=False)
    return text.replace("\x7f", "\\u007f")


def from_json(text: str | bytes) -> Any:
    """What JSON from outside says, its texts `encodable`. Raises ValueError and RecursionError as `json.loads` does."""
    return _without_surrogates(json.loads(text))


def in_markdown(text: str) -> str:
    """What may stand in a sentence of Markdown: nothing of it is markup."""
    return _MARKDOWN.sub(r"\\\1", printable(text))


def in_code_span(text: str) -> str:
    """A code span of Markdown, a cell of a table too, whatever backticks are in the text."""
    shown = printable(text).replace("|", "\\|")
    longest = max((len(ticks) for ticks in _TICKS.findall(shown)), default=0)
    fence, space = "`" * (longest + 1), " " * (shown[:1] == "`" or shown[-1:] == "`")
    return f"{fence}{space}{shown}{space}{fence}"


def in_code_block(text: str, language: str = "") -> str:
    """A fenced block of Markdown, whatever backticks are in the text."""
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
