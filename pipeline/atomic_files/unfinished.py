"""Unfinished files and folders: hidden beside what they become, locked while they are written, gone if they never do.

Two processes never share one: each makes its own, and holds a lock on it until it is done. What a killed process left
has no lock any more; whoever writes the same file next removes it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

_HAS_LOCKS = os.name == "posix"  # on Windows what is a day old is nobody's
if _HAS_LOCKS:
    import fcntl

ENDING = ".unfinished"
# So many processes may write the same file at once.
_MOST = 100
# A file system's names have 255 bytes; this much is left for what is put around one.
_LONGEST_NAME = 220
_DAY_SECONDS = 86_400.0
# A file system that cannot do it says one of these.
_CANNOT_FLUSH = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EBADF, errno.EACCES, errno.EPERM)


def unfinished_file(place: Path) -> AbstractContextManager[Path]:
    """A new empty file in the folder of `place`, which is absolute; gone in the end unless it was moved.

    Raises OSError where none can be made.
    """
    return _unfinished(place, _make_file)


def unfinished_folder(place: Path) -> AbstractContextManager[Path]:
    """A new empty folder in the folder of `place`, which is absolute; gone in the end unless it was moved.

    Raises OSError where none can be made.
    """
    return _unfinished(place, _make_folder)


def is_unfinished(path: Path) -> bool:
    """Whether a file or folder is called as those of this module are."""
    return path.name.startswith(".") and path.name.endswith(ENDING)


def flush(path: Path) -> None:
    """Has the system put a file or a folder's list of files on its disk. Raises OSError for a disk that is full."""
    try:
        handle = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    except OSError as error:
        if error.errno in _CANNOT_FLUSH:  # a folder on Windows, or a file that its owner may not read
            return
        raise
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _CANNOT_FLUSH:
            raise
    finally:
        os.close(handle)


@contextmanager
def _unfinished(place: Path, make: Callable[[Path], int | None]) -> Iterator[Path]:
    for name in _names(place):
        _remove_if_left(name)
        try:
            handle = make(name)
        except FileExistsError:
            continue
        if handle is None or (_lock(handle) and _is_at(handle, name)):
            break
        os.close(handle)
    else:
        raise FileExistsError(errno.EEXIST, f"{_MOST} unfinished ones of other processes", str(place))
    try:
        yield name
    finally:
        if handle is None:
            _remove(name)
        else:  # moved, its name may be another's by now
            if _is_at(handle, name):
                _remove(name)
            os.close(handle)


def _names(place: Path) -> Iterator[Path]:
    stem = place.name
    if len(os.fsencode(stem)) > _LONGEST_NAME:
        stem = hashlib.sha256(os.fsencode(stem)).hexdigest()[:32]
    return (place.with_name(f".{stem}.{number}{ENDING}") for number in range(_MOST))


def _make_file(name: Path) -> int | None:
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(name, flags, 0o666)
    if _HAS_LOCKS:
        return handle
    os.close(handle)  # an open file cannot be moved there
    return None


def _make_folder(name: Path) -> int | None:
    name.mkdir()
    return os.open(name, os.O_RDONLY) if _HAS_LOCKS else None


def _lock(handle: int) -> bool:
    """Whether nobody else holds it, and this process does now; also where there are no locks."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a network's file system without locks
        return True
    return True


def _is_at(handle: int, name: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), name.lstat())
    except OSError:
        return False


def _remove_if_left(name: Path) -> None:
    """Removes what a process left that is no more."""
    with suppress(OSError):
        found = name.lstat()
        if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
            return
        if not _HAS_LOCKS:
            if time.time() - found.st_mtime > _DAY_SECONDS:
                _remove(name)
            return
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(handle, name):
                _remove(name)
        finally:
            os.close(handle)


def _remove(name: Path) -> None:
    if name.is_dir():
        shutil.rmtree(name, ignore_errors=True)
    else:
        with suppress(OSError):
            name.unlink()
