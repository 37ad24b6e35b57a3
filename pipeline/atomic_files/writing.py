"""Writing: a file, a text, an array or a folder, each by way of an unfinished one."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texelscope.pipeline.atomic_files.unfinished import flush, is_unfinished, unfinished_file, unfinished_folder
from texelscope.pipeline.errors import TexelscopeError

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Streams that the caller opened: what they lead to is not to be replaced behind its back.
_STREAMS = ("/dev/std", "/dev/fd/", "/proc/")
# A disk takes what several ask of it together in about the time of one: thousands of files one by one take minutes.
_FLUSHED_AT_ONCE = 16


def write_whole(path: Path, write: Callable[[Path], object], *, lasting: bool = True) -> None:
    """Has `write` fill a file beside `path` and puts it in its place; what was there stays until then.

    A link stays one, and a file keeps its permissions. A device, a pipe and a stream of the caller's are written to
    as they are. A file that is `lasting` is on the disk when this returns; one that nobody wants after a crash of the
    system, such as a frame that is played, need not be.

    Raises TexelscopeError for a file that cannot be written, nothing is left behind then; BrokenPipeError for a pipe
    that nobody reads any more.
    """
    try:
        place = _place(path)
        if place is None:
            write(path)
            return
        with unfinished_file(place) as unfinished:
            write(unfinished)
            _keep_mode(unfinished, place)
            if lasting:
                flush(unfinished)
            unfinished.replace(place)
        if lasting:
            flush(place.parent)
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise TexelscopeError(str(path), "a file that can be written", reason, "Choose another path.") from error


def write_text_whole(path: Path, text: str, *, lasting: bool = True) -> None:
    """As `write_whole`, of a text as UTF-8; what UTF-8 has no signs for is written as its numbers."""
    data = text.encode("utf-8", "backslashreplace")
    write_whole(path, lambda unfinished: unfinished.write_bytes(data), lasting=lasting)


def write_array_whole(path: Path, values: NDArray[Any], *, lasting: bool = True) -> None:
    """As `write_whole`, of an array as .npy."""
    import numpy as np  # not needed for a text

    def write(unfinished: Path) -> None:
        with unfinished.open("wb") as file:  # by its name it would get an ending more
            np.save(file, values, allow_pickle=False)

    write_whole(path, write, lasting=lasting)


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """An unfinished folder, which becomes `folder` in the end; whatever is raised leaves neither.

    An empty folder that is there makes room for it; where this process stands in it, it stays, and gets what was
    written, `pipeline.toml` last. Raises TexelscopeError for a folder with something in it, and where it cannot be
    written.
    """
    with _filled(folder, must_be_empty=True) as unfinished:
        yield unfinished


@contextmanager
def filled_folder(folder: Path) -> Iterator[Path]:
    """An unfinished folder, whose files go into `folder` together in the end; whatever is raised changes nothing.

    A folder that is new is there with all of its files or not at all. In one that is there each file is the old or
    the new one; others stay. Raises TexelscopeError where it cannot be written.
    """
    with _filled(folder, must_be_empty=False) as unfinished:
        yield unfinished


@contextmanager
def _filled(folder: Path, *, must_be_empty: bool) -> Iterator[Path]:
    try:
        there = _real(folder)
        if must_be_empty and there.exists() and (not there.is_dir() or not _is_empty(there)):
            raise TexelscopeError(
                str(folder), "a new or empty folder", "one with files", "Choose another one with --to."
            )
        there.parent.mkdir(parents=True, exist_ok=True)
        if there.exists() and not there.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        makes_room = not there.exists() or _may_go(there)
        with unfinished_folder(there if makes_room else there / there.name) as unfinished:
            yield unfinished
            _flush_all(unfinished)
            if not (makes_room and _takes_place(unfinished, there)):
                _move_into(unfinished, there)
        flush(there.parent)
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise TexelscopeError(str(folder), "a folder that can be written", reason, "Choose another --to.") from error


def _place(path: Path) -> Path | None:
    """Where the file is, links followed; None for what is to be written to as it is. Raises OSError."""
    _real(path)
    try:
        found = path.stat()
    except FileNotFoundError:
        found = None
    if found is not None and stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if found is not None and (not stat.S_ISREG(found.st_mode) or str(path.absolute()).startswith(_STREAMS)):
        return None
    if found is not None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "one that is read-only")
    return _real(path)


def _real(path: Path) -> Path:
    """The absolute path, links followed. Raises OSError for a name that no file can have."""
    try:
        return Path(os.path.realpath(path))
    except ValueError as error:
        raise OSError(errno.EINVAL, "a name that no file can have") from error


def _keep_mode(unfinished: Path, place: Path) -> None:
    """Gives it permissions, and the owner where this user may, of what it takes the place of."""
    with suppress(FileNotFoundError):
        old, new = place.stat(), unfinished.stat()
        if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
            with suppress(OSError, AttributeError):
                os.chown(unfinished, old.st_uid, old.st_gid)
        with suppress(OSError):
            unfinished.chmod(stat.S_IMODE(old.st_mode))


def _is_empty(folder: Path) -> bool:
    """Whether nothing is in it but what a killed process may have left."""
    return all(is_unfinished(each) for each in folder.iterdir())


def _may_go(folder: Path) -> bool:
    """Whether an empty folder may be replaced by a full one: nobody here stands in it, and it hangs on no device."""
    if any(folder.iterdir()) or folder.is_mount() or not os.access(folder.parent, os.W_OK):
        return False
    try:
        return not folder.samefile(".")
    except OSError:  # this process stands in a folder that was deleted
        return True


def _takes_place(unfinished: Path, there: Path) -> bool:
    """Moves the folder to where it belongs; False if meanwhile something is there."""
    if there.exists():
        shutil.copymode(there, unfinished)
    try:
        unfinished.replace(there)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.EACCES, errno.EBUSY) and there.is_dir():
            return False
        raise
    return True


def _move_into(unfinished: Path, there: Path) -> None:
    """Moves what is in the one folder into the other; the file by which it is opened comes last."""
    written = sorted(unfinished.iterdir(), key=lambda path: (path.is_file(), path.name == "pipeline.toml", path.name))
    for each in written:
        if each.is_file():
            _keep_mode(each, there / each.name)
        each.replace(there / each.name)
    flush(there)


def _flush_all(folder: Path) -> None:
    """Has all files in it put on the disk, and then the lists of them."""
    folders, files = [], []
    for place, _, names in os.walk(folder):
        folders.append(Path(place))
        files += [Path(place, name) for name in names]
    with ThreadPoolExecutor(_FLUSHED_AT_ONCE) as together:
        for paths in (files, folders):
            for _ in together.map(flush, paths):
                pass
