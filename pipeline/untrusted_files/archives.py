"""Zip archives: their members by name, each as long as it says and no longer, none over another.

The index is counted before Python's reader takes memory for it. Members are only ever read: what a name means as a path
is the business of whoever writes them (`pipeline.export.bundle`).
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import IO, BinaryIO

from texelscope.pipeline.deadline import check
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.quotas import hold
from texelscope.pipeline.untrusted_files.door import OutsideFileError, opened, reason, size_of

ARCHIVE = "a zip archive"
_AGAIN = "Save or download it again."
# What Python's reader ends in for bytes that are not what they claim, a password, a method that it has not.
_BROKEN = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, LookupError, TypeError, ValueError, OverflowError,
    NotImplementedError, RuntimeError, MemoryError,
)  # fmt: skip
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_IS_ENCRYPTED = 1
# https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, sections 4.3.12 to 4.3.16.
_END, _END_BYTES = b"PK\x05\x06", 22
_END_64, _END_64_BYTES = b"PK\x06\x06", 56
_LOCATOR_64, _LOCATOR_64_BYTES = b"PK\x06\x07", 20
_ENTRY, _ENTRY_BYTES = b"PK\x01\x02", 46
_MOST_COMMENT = 1 << 16
_LARGE_BYTES = 16 << 20


class Archive:
    """An open archive. `members` are those with bytes of their own, by name."""

    def __init__(self, archive: zipfile.ZipFile, who: str, do_next: str) -> None:
        self._archive = archive
        self._who = who
        self._do_next = do_next
        infos = archive.infolist()
        self.members: Mapping[str, zipfile.ZipInfo] = MappingProxyType({info.filename: info for info in infos})
        if len(self.members) < len(infos):
            twice, _ = Counter(info.filename for info in infos).most_common(1)[0]
            raise TexelscopeError(who, "each file once", f"'{twice}' twice", do_next)

    @property
    def size_bytes(self) -> int:
        """Of all members, unpacked."""
        return sum(info.file_size for info in self.members.values())

    def read(self, name: str, most: int | None = None) -> bytes:
        """The bytes of a member, the first `most` of them. Raises TexelscopeError for one that does not unpack."""
        with self.open(name) as file:
            return file.read(self.members[name].file_size if most is None else most)

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """A member to be read from its start; what unpacking it ends in is told as `read` tells it."""
        who = f"'{name}' in {self._who}"
        info = self.members.get(name)
        if info is None:
            raise TexelscopeError(self._who, f"'{name}' in it", "no such file", self._do_next)
        if info.flag_bits & _IS_ENCRYPTED:
            raise TexelscopeError(who, "a file without a password", "an encrypted one", self._do_next)
        if info.compress_type not in _METHODS:
            raise TexelscopeError(who, "a file stored or deflated", f"method {info.compress_type}", self._do_next)
        try:
            with self._archive.open(info) as file:
                yield file
        except (*_BROKEN, OSError) as error:
            raise TexelscopeError(who, "a file that unpacks", _said(error), self._do_next) from error


@contextmanager
def opened_archive(
    path: str | Path, who: str = "", *, inside: Path | None = None, what: str = ARCHIVE, do_next: str = _AGAIN
) -> Iterator[Archive]:
    """The archive at `path`. Raises TexelscopeError for a file that is none, QuotaError for one that holds too much."""
    who = who or str(path)
    with opened(path, who, what=what, inside=inside) as file, _zip(file, who, what, do_next) as archive:
        yield Archive(archive, who, do_next)


@contextmanager
def _zip(file: BinaryIO, who: str, what: str, do_next: str) -> Iterator[zipfile.ZipFile]:
    try:
        _check_index(file, who)
        file.seek(0)
        archive = zipfile.ZipFile(file)
    except (*_BROKEN, OSError) as error:
        raise OutsideFileError(who, what, _said(error), do_next) from error
    with archive:
        unpacked = sum(info.file_size for info in archive.infolist())
        if unpacked > _LARGE_BYTES:
            hold(who, "archive_ratio", unpacked // max(size_of(file), 1))
        yield archive


def _check_index(file: BinaryIO, who: str) -> None:
    """Counts the entries of the index as Python's reader would read them, one at a time."""
    start, length = _index(file)
    file.seek(start)
    count = done = 0
    while done < length:
        head = file.read(_ENTRY_BYTES)
        if len(head) < _ENTRY_BYTES or head[:4] != _ENTRY:
            raise zipfile.BadZipFile("an index that ends early")
        count += 1
        if count % 1024 == 0:
            check()
            hold(who, "archive_members", count)
        own = sum(struct.unpack("<3H", head[28:34]))
        file.seek(own, 1)
        done += _ENTRY_BYTES + own
    hold(who, "archive_members", count)


def _index(file: BinaryIO) -> tuple[int, int]:
    """Where the index begins, and its bytes."""
    size = file.seek(0, 2)
    tail_start = max(size - _MOST_COMMENT - _END_BYTES, 0)
    file.seek(tail_start)
    tail = file.read()
    last = tail[-_END_BYTES:]
    place = len(tail) - _END_BYTES if last[:4] == _END and last[-2:] == b"\0\0" else tail.rfind(_END)
    if place < 0 or len(tail) - place < _END_BYTES:
        raise zipfile.BadZipFile("no zip archive")
    end = tail_start + place
    length = int.from_bytes(tail[place + 12 : place + 16], "little")
    if end >= _LOCATOR_64_BYTES + _END_64_BYTES:
        file.seek(end - _LOCATOR_64_BYTES - _END_64_BYTES)
        record = file.read(_END_64_BYTES + _LOCATOR_64_BYTES)
        if record[:4] == _END_64 and record[_END_64_BYTES:][:4] == _LOCATOR_64:
            length = int.from_bytes(record[40:48], "little")
            end -= _LOCATOR_64_BYTES + _END_64_BYTES
    if length > end:
        raise zipfile.BadZipFile("an index longer than the file")
    return end - length, length


def _said(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno:
        return reason(error)
    return next(iter(str(error).splitlines()), "") or type(error).__name__
