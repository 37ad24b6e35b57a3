"""Reads the large weights of an ONNX file straight into arrays, and the rest of it as a small message.

A file that is parsed whole is copied twice: by protobuf, and again for each tensor whose bytes are asked for. Reading a
model of 54 million weights took three times as long, and as much memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

# Fields of onnx.proto: ModelProto.graph and .functions, GraphProto.initializer, TensorProto.raw_data.
_GRAPH, _FUNCTIONS, _INITIALIZER, _RAW_DATA = 7, 25, 5, 9
# Wire types of https://protobuf.dev/programming-guides/encoding.
_VARINT, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5
_FIXED = {_EIGHT_BYTES: 8, _FOUR_BYTES: 4}
_MOST_VARINT_BYTES = 10
# A smaller tensor stays in the message.
LARGE_BYTES = 1 << 16


class _UnusualError(Exception):
    """The file is to be parsed whole: it is malformed, or its weights are not all in one graph."""


@dataclass(frozen=True)
class Parted:
    """Holds a model's message without its large weights, and these by number of the initializer, read-only."""

    message: bytes
    weights: dict[int, Bytes]


def parted(file: BinaryIO, size: int) -> Parted | None:
    """Reads a file of that many bytes from its start; None for one that is to be parsed whole, malformed ones too."""
    reader = _Reader(file, size)
    try:
        message = b"".join(_of_model(reader))
    except _UnusualError:
        return None
    return Parted(message, reader.weights)


@dataclass(frozen=True)
class _Field:
    """Holds a field's number and type, and the bytes of it that were read: all but `length` bytes."""

    number: int
    wire_type: int
    head: bytes
    length: int = 0


class _Reader:
    """Reads fields of nested messages; no field reaches beyond the message that it is in."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._at = 0
        self.size = size
        self.weights: dict[int, Bytes] = {}

    def fields(self, length: int) -> Iterator[_Field]:
        """Yields the fields of a message of that many bytes; what a field leaves to be read is read before the next."""
        end = self._at + length
        if end > self.size:
            raise _UnusualError
        while self._at < end:
            tag, head = self._varint()
            number, wire_type = tag >> 3, tag & 7
            field = _Field(number, wire_type, head)
            if wire_type == _VARINT:
                field = _Field(number, wire_type, head + self._varint()[1])
            elif wire_type in _FIXED:
                field = _Field(number, wire_type, head + self.read(_FIXED[wire_type]))
            elif wire_type == _LENGTH:
                found, more = self._varint()
                field = _Field(number, wire_type, head + more, found)
            else:
                raise _UnusualError
            if self._at + field.length > end:
                raise _UnusualError
            yield field
        if self._at != end:
            raise _UnusualError

    def read(self, count: int) -> bytes:
        """Reads that many bytes."""
        found = self._file.read(count) if self._at + count <= self.size else b""
        if len(found) != count:
            raise _UnusualError
        self._at += count
        return found

    def read_apart(self, number: int, count: int) -> None:
        """Reads that many bytes as the weights of an initializer."""
        if number in self.weights:  # protobuf takes the last of two
            raise _UnusualError
        # numpy's own memory is asked for in huge pages, for which the system made room for 0.5 s at times.
        data = np.frombuffer(bytearray(count), dtype=np.uint8)
        if self._file.readinto(data) != count:  # type: ignore[attr-defined]  # files have it
            raise _UnusualError
        self._at += count
        data.flags.writeable = False
        self.weights[number] = data

    def _varint(self) -> tuple[int, bytes]:
        value, read = 0, b""
        while len(read) < _MOST_VARINT_BYTES:
            byte = self.read(1)
            value |= (byte[0] & 0x7F) << (7 * len(read))
            read += byte
            if byte[0] < 0x80:
                return value, read
        raise _UnusualError


def _of_model(reader: _Reader) -> Iterator[bytes]:
    is_read = False
    for field in reader.fields(reader.size):
        if field.number == _FUNCTIONS or (field.number == _GRAPH and (is_read or field.wire_type != _LENGTH)):
            raise _UnusualError
        if field.number == _GRAPH:
            is_read = True
            yield _message(_GRAPH, b"".join(_of_graph(reader, field.length)))
        else:
            yield field.head + reader.read(field.length)


def _of_graph(reader: _Reader, length: int) -> Iterator[bytes]:
    number = 0
    for field in reader.fields(length):
        is_initializer = field.number == _INITIALIZER and field.wire_type == _LENGTH
        if is_initializer and field.length >= LARGE_BYTES:
            yield _message(_INITIALIZER, b"".join(_of_tensor(reader, number, field.length)))
        else:
            yield field.head + reader.read(field.length)
        number += is_initializer


def _of_tensor(reader: _Reader, number: int, length: int) -> Iterator[bytes]:
    for field in reader.fields(length):
        if field.number == _RAW_DATA and field.wire_type == _LENGTH and field.length >= LARGE_BYTES:
            reader.read_apart(number, field.length)
        elif field.number == _RAW_DATA and number in reader.weights:
            raise _UnusualError
        else:
            yield field.head + reader.read(field.length)


def _message(number: int, content: bytes) -> bytes:
    return _encoded(number << 3 | _LENGTH) + _encoded(len(content)) + content


def _encoded(value: int) -> bytes:
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)
