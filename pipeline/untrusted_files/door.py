"""Opens a file from outside, whatever it turns out to be.

It may be a pipe that never ends, a device, a link to a secret, a circle of links, or another file by the time it is
read. The open descriptor is what is checked, and then read.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from texelscope.pipeline.deadline import check
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.quotas import hold
from texelscope.pipeline.untrusted_files.unsaved import unsaved_text

AGAIN = "Check the path."
RIGHT = "Check that it is the right file."
# Opening must neither wait for the other end of a pipe, nor make a terminal this process's, nor be inherited.
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_PIECE_BYTES = 1 << 20
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_CAN_DESCEND = os.open in os.supports_dir_fd and bool(_NO_LINK)
_REASONS = {
    errno.ENOENT: "no such file",
    errno.ENOTDIR: "no such file",
    errno.ELOOP: "links that lead round in a circle",
    errno.ENAMETOOLONG: "a name too long for the file system",
    errno.EACCES: "one that you may not read",
    errno.EPERM: "one that you may not read",
    errno.ENXIO: "a pipe or a device",
}
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
# The errors of asking the system for a file: RuntimeError is pathlib's for a circle of links, ValueError Python's for a
# zero byte or letters that no name can have.
_FAILURES = (OSError, RuntimeError, ValueError)


class OutsideFileError(TexelscopeError):
    """A file from outside is refused; `is_missing` where there is none."""

    def __init__(self, who: str, what: str, got: str, do_next: str = AGAIN) -> None:
        self.is_missing = got == _REASONS[errno.ENOENT]
        thing = what.removeprefix("an ").removeprefix("a ")
        super().__init__(who, what if self.is_missing else f"a readable {thing}", got, do_next)


@contextmanager
def opened(
    path: str | Path,
    who: str = "",
    *,
    what: str = "a file",
    inside: Path | None = None,
    most: int | None = None,
    if_larger: str = RIGHT,
) -> Iterator[BinaryIO]:
    """Opens the file for reading from its start. Errors name it by `who` and `what`.

    With `inside` a folder, the file lies there or below, links followed. It is a regular file of at most `most` bytes,
    by default the quota `file_bytes`; `if_larger` is the advice then. Raises OutsideFileError, and QuotaError or
    TexelscopeError for one too large; reading it may raise OSError.
    """
    who = who or str(path)
    try:
        descriptor = _descriptor(path, who, what, inside)
    except _FAILURES as error:
        raise OutsideFileError(who, what, reason(error)) from error
    with os.fdopen(descriptor, "rb") as file:
        size_bytes = os.fstat(descriptor).st_size
        if most is None:
            hold(who, "file_bytes", size_bytes)
        elif size_bytes > most:
            raise TexelscopeError(who, f"at most {most} bytes", f"{size_bytes}", if_larger)
        yield file


def read_bytes(
    path: str | Path,
    who: str = "",
    *,
    what: str = "a file",
    inside: Path | None = None,
    most: int | None = None,
    if_larger: str = RIGHT,
) -> bytes:
    """Reads all of the file, opened as by `opened`; bytes that are added meanwhile are not read."""
    with opened(path, who, what=what, inside=inside, most=most, if_larger=if_larger) as file:
        return _all_of(file, who or str(path), what)


def read_text(
    path: str | Path,
    who: str = "",
    *,
    what: str = "a file",
    inside: Path | None = None,
    most: int | None = None,
    if_larger: str = RIGHT,
) -> str:
    """Reads the UTF-8 text of the file, with plain line ends and no byte order mark, opened as by `opened`.

    A text that is not saved yet stands for its file, see `unsaved`. The quota `text_bytes` limits its size unless
    `most` is given. Raises TexelscopeError for other bytes.
    """
    who = who or str(path)
    with opened(path, who, what=what, inside=inside, most=most, if_larger=if_larger) as file:
        typed = unsaved_text(path)
        if most is None:
            hold(who, "text_bytes", size_of(file) if typed is None else len(typed))
        data = _all_of(file, who, what) if typed is None else typed.encode("utf-8", "replace")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise TexelscopeError(who, "UTF-8 text", f"byte {error.start} is not", "Save it as UTF-8.") from error


def size_of(file: BinaryIO) -> int:
    """Returns the size of an open file."""
    return os.fstat(file.fileno()).st_size


def copy_file(path: str | Path, unfinished: Path, who: str = "", *, inside: Path | None = None) -> None:
    """Copies the file at `path` to `unfinished`, a file from `write_whole`; errors as of `opened`."""
    with opened(path, who, inside=inside) as file, unfinished.open("wb") as copy:
        while piece := file.read(_PIECE_BYTES):
            check()
            copy.write(piece)


def _all_of(file: BinaryIO, who: str, what: str) -> bytes:
    try:
        return file.read(size_of(file))
    except OSError as error:  # a disk that fails, a network that is gone
        raise OutsideFileError(who, what, reason(error)) from error


def is_file(path: str | Path) -> bool:
    """Whether there is a regular file, links followed; False for anything that cannot name a file."""
    return _is(path, stat.S_ISREG)


def is_folder(path: str | Path) -> bool:
    """Whether there is a folder, links followed; False for anything that cannot name a folder."""
    return _is(path, stat.S_ISDIR)


def is_inside(path: str | Path, folder: Path) -> bool:
    """Whether a path leads, links followed, to the folder or below it; nothing needs to be there."""
    try:
        return Path(path).resolve().is_relative_to(folder.resolve())
    except _FAILURES:
        return False


def resolved(path: str | Path, who: str = "", *, what: str = "a file") -> Path:
    """Returns the absolute path, links followed. Raises OutsideFileError for circular links and impossible paths."""
    try:
        found = Path(path).resolve()
        found.stat()
    except _FAILURES as error:
        if _missing(error):
            return found
        raise OutsideFileError(who or str(path), what, reason(error)) from error
    return found


def real_path(path: str | Path) -> Path:
    """Returns the absolute path, links followed as far as they lead: for names to compare and keep; raises nothing."""
    try:
        return Path(os.path.realpath(path))
    except _FAILURES:
        return Path(path)


def reason(error: BaseException) -> str:
    """Says in words why the system could not open or read a file."""
    if isinstance(error, RuntimeError):
        return _REASONS[errno.ELOOP]
    if isinstance(error, OSError):
        return _REASONS.get(error.errno or 0) or error.strerror or type(error).__name__
    return "a name that no file can have"


def _is(path: str | Path, is_such: Callable[[int], bool]) -> bool:
    try:
        return is_such(Path(path).stat().st_mode)
    except _FAILURES:
        return False


def _missing(error: BaseException) -> bool:
    return isinstance(error, FileNotFoundError | NotADirectoryError)


def _descriptor(path: str | Path, who: str, what: str, inside: Path | None) -> int:
    """Returns a descriptor of a regular file. Raises the system's errors, and OutsideFileError."""
    if inside is None:
        _check_kind(Path(path).stat().st_mode, who, what)  # before opening: a device may act on being opened
        descriptor = os.open(path, _FLAGS)
    else:
        root = inside.resolve()
        real = Path(path).resolve()
        if not real.is_relative_to(root):
            raise TexelscopeError(who, f"{what} inside its folder", "one that leads out of it", "Copy it there.")
        _check_kind(real.stat().st_mode, who, what)
        descriptor = _descend(root, real.relative_to(root).parts)
    try:
        _check_kind(os.fstat(descriptor).st_mode, who, what)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _descend(root: Path, parts: tuple[str, ...]) -> int:
    """Opens a file below a folder step by step, through no link, as one may appear after the path was resolved."""
    if not _CAN_DESCEND:
        return os.open(root.joinpath(*parts), _FLAGS)
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | _NO_LINK, dir_fd=folder)
            os.close(folder)
            folder = below
        return os.open(parts[-1] if parts else ".", _FLAGS | _NO_LINK, dir_fd=folder)
    finally:
        with suppress(OSError):
            os.close(folder)


def _check_kind(mode: int, who: str, what: str) -> None:
    if not stat.S_ISREG(mode):
        kind = next((name for is_such, name in _KINDS if is_such(mode)), "something else")
        raise OutsideFileError(who, what, kind)
