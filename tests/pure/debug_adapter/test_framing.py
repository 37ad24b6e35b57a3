"""Tests the protocol's framing: what is written is read, and every wrong header or body is refused in one line."""

from __future__ import annotations

import io
import json

import pytest
from debugpy.common.messaging import JsonIOStream

from texelscope.pipeline.debug_adapter.framing import MOST_BYTES, BodyError, FramingError, read_message, write_message


def framed(body: bytes, head: str = "") -> io.BytesIO:
    return io.BytesIO(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)


def test_a_written_message_is_read_by_another_program_and_by_this_one() -> None:
    message = {"seq": 1, "text": "größer \u2028 \U0001f600 \x7f", "inner": [1.5, None, True]}
    stream = io.BytesIO()
    write_message(stream, message)
    assert stream.getvalue().isascii()
    stream.seek(0)
    assert JsonIOStream(stream, io.BytesIO(), "theirs").read_json() == message
    stream.seek(0)
    assert read_message(stream) == message
    assert read_message(stream) is None


def test_half_a_surrogate_pair_is_written_as_text_that_every_reader_takes() -> None:
    stream = io.BytesIO()
    write_message(stream, {"text": "a\ud800b"})
    stream.seek(0)
    assert "\ud800" not in json.loads(stream.getvalue().split(b"\r\n\r\n")[1])["text"]


def test_other_fields_and_cases_of_a_header_are_read_past() -> None:
    assert read_message(framed(b'{"a": 1}', "Content-Type: utf-8\r\n")) == {"a": 1}
    assert read_message(io.BytesIO(b"CONTENT-LENGTH:2\n\n{}")) == {}


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "got 'GET / HTTP/1.1\\\\r\\\\n'"),
        (b"Content-Length: x\r\n\r\n", "expected a Content-Length of at most 16777216, got 'x'"),
        (b"Content-Length: -1\r\n\r\n", "got '-1'"),
        (b"Content-Length: 16777217\r\n\r\n", "got '16777217'"),
        (b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "expected one Content-Length"),
        (b"Content-Type: a\r\n\r\n{}", "expected 'Content-Length: NUMBER' and an empty line"),
        (b"Content-Length: 3", "expected a line of a header, got 'Content-Length: 3'"),
        (b"Content-Length: 3\r\n", "got the end"),
        (b"Content-Length: 3\r\n\r\n{}", "expected 3 bytes of a message, got 2 before the end"),
        (b"a" * 5000, "expected a line of a header"),
        (b"a: b\r\n" * 40, "expected a header of at most 16 lines"),
        (b"\xff\xfe\r\n", "and an empty line"),
    ],
)
def test_bytes_that_are_no_message_end_the_conversation(sent: bytes, message: str) -> None:
    with pytest.raises(FramingError) as refused:
        read_message(io.BytesIO(sent))
    assert message.replace("\\\\", "\\") in str(refused.value)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{oops", "expected a message in JSON"),
        (b"[1]", "expected a JSON object as a message, got [1]"),
        (b"\xff", "expected a message in JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b"1" * 5000, "expected a message in JSON"),
    ],
)
def test_a_body_that_is_no_object_is_refused_and_the_next_message_is_read(body: bytes, message: str) -> None:
    stream = io.BytesIO(framed(body).getvalue() + framed(b'{"a": 1}').getvalue())
    with pytest.raises(BodyError) as refused:
        read_message(stream)
    assert message in str(refused.value)
    assert read_message(stream) == {"a": 1}


def test_a_message_of_the_largest_size_is_read() -> None:
    body = b'{"a": "' + b"x" * (MOST_BYTES - 9) + b'"}'
    assert len(body) == MOST_BYTES
    assert read_message(framed(body)) is not None
