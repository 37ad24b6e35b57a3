"""Reports the files that are written in folders, once they are complete, from the system's events.

Linux reports when a file was closed after writing, or renamed to its place, so that a save is known at once. Elsewhere
`watchfiles` polls every few milliseconds and waits until nothing more comes.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import select
import struct
import sys
import threading
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Protocol

import watchfiles


class FolderChanges(Protocol):
    """Yields batches of files, absolute, that were written, appeared or went.

    A batch may be empty; the first, empty or not, comes once the folders are watched.
    """

    def __iter__(self) -> Iterator[frozenset[Path]]:
        """Waits for the next batch; ends after `stop`. Raises OSError or RuntimeError if the watching fails."""

    def stop(self) -> None:
        """Ends the waiting, from any thread."""


def changes_in(folders: Collection[Path]) -> FolderChanges:
    """Watches `folders` themselves from now on. Raises OSError if the system refuses."""
    # Windows does not report its own programs' writes to a Linux inside it.
    is_linux = sys.platform.startswith("linux") and "microsoft" not in platform.release().lower()
    return ToldChanges(folders) if is_linux else PolledChanges(folders)


# inotify(7)
_MODIFY, _CLOSE_WRITE, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x2, 0x8, 0x40, 0x80, 0x100, 0x200
_OVERFLOW = 0x4000
_COMPLETE = _CLOSE_WRITE | _MOVED_TO
_MASK = _MODIFY | _COMPLETE | _MOVED_FROM | _CREATE | _DELETE
_EVENT = struct.Struct("iIII")
_READ_BYTES = 1 << 16
# A complete file is reported after so long, so that those saved together come together; one that is being written, or
# went and may come back, when nothing more happened to it for longer.
_TOGETHER_MS, _QUIET_MS, _LONGEST_MS = 1, 20, 200


class ToldChanges:
    """Reports changes by inotify."""

    def __init__(self, folders: Collection[Path]) -> None:
        library = ctypes.CDLL(None, use_errno=True)
        self._events = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._events < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        self._wake = os.eventfd(0, os.EFD_CLOEXEC)
        self._folders: dict[int, Path] = {}
        self._pending: dict[Path, bool] = {}
        for folder in folders:
            watch = library.inotify_add_watch(self._events, os.fsencode(folder), _MASK)
            if watch < 0:
                number = ctypes.get_errno()
                self._close()
                reason = "no more watches" if number == errno.ENOSPC else os.strerror(number)
                raise OSError(number, reason, str(folder))
            self._folders[watch] = folder

    def __iter__(self) -> Iterator[frozenset[Path]]:
        """Yields the batches; see `FolderChanges`."""
        poll = select.poll()
        poll.register(self._events, select.POLLIN)
        poll.register(self._wake, select.POLLIN)
        first = 0.0
        try:
            yield frozenset()
            while True:
                ready = {file for file, _ in poll.poll(self._wait_ms(first))}
                if self._wake in ready:
                    return
                if self._events in ready:
                    first = first if self._pending else time.monotonic()
                    self._read()
                is_over = self._wait_ms(first) == 0
                if self._pending and (is_over or not ready):
                    first = time.monotonic()
                    yield self._take(everything=is_over)
        finally:
            self._close()

    def stop(self) -> None:
        """Ends the waiting, from any thread."""
        if self._wake >= 0:
            os.eventfd_write(self._wake, 1)

    def _wait_ms(self, first: float) -> int | None:
        """Returns how long nothing may happen before pending files are reported; None without any."""
        if not self._pending:
            return None
        left = _LONGEST_MS - int((time.monotonic() - first) * 1e3)
        return max(0, min(_TOGETHER_MS if any(self._pending.values()) else _QUIET_MS, left))

    def _take(self, *, everything: bool) -> frozenset[Path]:
        """Takes the complete pending files; the others too if there are none or `everything` is wanted."""
        complete = frozenset(path for path, is_complete in self._pending.items() if is_complete)
        taken = complete if complete and not everything else frozenset(self._pending)
        for path in taken:
            del self._pending[path]
        return taken

    def _read(self) -> None:
        """Records events; whether each file is complete."""
        try:
            data = os.read(self._events, _READ_BYTES)
        except BlockingIOError:
            return
        at = 0
        while at < len(data):
            watch, mask, _, length = _EVENT.unpack_from(data, at)
            name = os.fsdecode(data[at + _EVENT.size : at + _EVENT.size + length].rstrip(b"\0"))
            at += _EVENT.size + length
            if mask & _OVERFLOW:  # nobody knows what was missed
                everything = (path for folder in self._folders.values() for path in folder.iterdir())
                self._pending.update(dict.fromkeys(everything, False))
            elif mask & _MASK and name and watch in self._folders:
                self._pending[self._folders[watch] / name] = bool(mask & _COMPLETE)

    def _close(self) -> None:
        for file in (self._events, self._wake):
            if file >= 0:
                os.close(file)
        self._events = self._wake = -1


# Polls this often, and reports changes once nothing more came for as long.
_STEP_MS, _LONGEST_STEPS_MS = 5, 50
# Without changes it comes back to Python this often.
_IDLE_MS = 50


class PolledChanges:
    """Reports changes by `watchfiles`."""

    def __init__(self, folders: Collection[Path]) -> None:
        self._folders = tuple(folders)
        self._stop = threading.Event()

    def __iter__(self) -> Iterator[frozenset[Path]]:
        """Yields the batches; see `FolderChanges`."""
        changes = watchfiles.watch(
            *self._folders,
            watch_filter=None,
            debounce=_LONGEST_STEPS_MS,
            step=_STEP_MS,
            stop_event=self._stop,
            yield_on_timeout=True,
            rust_timeout=_IDLE_MS,
            recursive=False,
            raise_interrupt=False,
        )
        for batch in changes:
            yield frozenset(Path(path) for _, path in batch)

    def stop(self) -> None:
        """Ends the waiting, from any thread."""
        self._stop.set()
