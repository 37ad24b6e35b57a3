"""Reads and writes the protocol's messages: a header with the length in bytes, an empty line, JSON.

After a wrong header nobody knows where the next message begins, so that the conversation ends. A body that is no JSON
object has a known end: the conversation goes on behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, BinaryIO

from texelscope.layouts.outside_text import from_json, in_json, shortened
from texelscope.pipeline.errors import TexelscopeError, said_by

# The largest body, in bytes; a request of an editor has a few thousand.
MOST_BYTES = 1 << 24
# The most letters of a line of a header, and the most of its lines.
_MOST_LETTERS, _MOST_LINES = 1024, 16
_LENGTH = "content-length"
_WHO = "debug adapter protocol"


class FramingError(TexelscopeError):
    """The bytes are no messages: the place where the next one begins is unknown."""


class BodyError(TexelscopeError):
    """One message is no JSON object; those behind it can be read."""


def read_message(stream: BinaryIO) -> dict[str, Any] | None:
    """Reads one message; None at the end of the stream.

    Raises FramingError for bytes that are no message, BodyError for a body that is no JSON object.
    """
    length = _length(stream)
    if length is None:
        return None
    body = stream.read(length)
    if len(body) < length:
        raise FramingError(_WHO, f"{length} bytes of a message", f"{len(body)} before the end", "Correct the client.")
    try:
        message = from_json(body)
    except (ValueError, RecursionError) as error:
        got = "one nested too deeply" if isinstance(error, RecursionError) else said_by(error)
        raise BodyError(_WHO, "a message in JSON", got, "Correct the client.") from error
    if not isinstance(message, dict):
        raise BodyError(_WHO, "a JSON object as a message", shortened(repr(message), 40), "Correct the client.")
    return message


def write_message(stream: BinaryIO, message: Mapping[str, Any]) -> None:
    """Writes one message and flushes; raises OSError if nobody reads it."""
    body = in_json(message).encode()
    stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    stream.flush()


def _length(stream: BinaryIO) -> int | None:
    """Reads a header; returns the length of the body, None at the end of the stream."""
    found: str | None = None
    for number in range(_MOST_LINES):
        line = stream.readline(_MOST_LETTERS)
        if not line and not number:
            return None
        text = line.decode("ascii", "replace")
        if not line.endswith(b"\n"):
            raise _refused("a line of a header", text)
        name, is_field, value = text.strip().partition(":")
        if not name and found is not None:
            return _bytes(found)
        if not name or not is_field:
            raise _refused("'Content-Length: NUMBER' and an empty line", text)
        if name.strip().lower() == _LENGTH:
            if found is not None:
                raise _refused("one Content-Length", text)
            found = value.strip()
    raise FramingError(_WHO, f"a header of at most {_MOST_LINES} lines", "more", "Correct the client.")


def _bytes(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12 and int(text) <= MOST_BYTES):
        raise _refused(f"a Content-Length of at most {MOST_BYTES}", text)
    return int(text)


def _refused(expected: str, got: str) -> FramingError:
    shown = repr(shortened(got, 60)) if got else "the end"
    return FramingError(_WHO, expected, shown, "Correct the client.")
