"""Notices saved files: a thread that watches their folders, and a queue for whoever owns the GL thread."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Collection
from pathlib import Path

from texelscope.pipeline.reload.folder_changes import FolderChanges, changes_in


class FileWatcher:
    """Watches single files. Safe against editors that save by renaming: it is the folders that are watched.

    `error` is the system's reason where it refuses to watch; None otherwise. `notify` is called from the thread
    when there is something to poll.
    """

    def __init__(self, paths: Collection[Path] = (), notify: Callable[[], None] | None = None) -> None:
        self._notify = notify
        self._changes: queue.SimpleQueue[frozenset[Path]] = queue.SimpleQueue()
        self._folders: frozenset[Path] = frozenset()
        self._paths: frozenset[Path] | None = frozenset()
        self._source: FolderChanges | None = None
        self._thread: threading.Thread | None = None
        self.error: str | None = None
        self.watch(paths)

    def watch(self, paths: Collection[Path], *, with_neighbours: bool = False) -> None:
        """Watches `paths`, absolute and without links, from now on.

        Only them, or `with_neighbours` every file of their folders.
        """
        folders = frozenset(folder for folder in {path.parent for path in paths} if folder.is_dir())
        self._paths = None if with_neighbours else frozenset(paths)
        if folders == self._folders:
            return
        self.close()
        self.error = None
        self._folders = folders
        if folders:
            self._start(folders)

    def _start(self, folders: frozenset[Path]) -> None:
        try:
            self._source = changes_in(folders)
        except OSError as error:  # too many watches, a folder that may not be read
            self.error = str(error)
            return
        ready = threading.Event()
        arguments = (self._source, ready)
        self._thread = threading.Thread(target=self._run, args=arguments, name="file watcher", daemon=True)
        self._thread.start()
        ready.wait(timeout=5.0)

    def poll(self) -> frozenset[Path]:
        """The watched files that changed, appeared or went since the last call; does not wait."""
        found: set[Path] = set()
        while True:
            try:
                found |= self._changes.get_nowait()
            except queue.Empty:
                return self._watched(found)

    def wait(self, timeout_s: float) -> frozenset[Path]:
        """As `poll`, but waits up to `timeout_s` for a first change."""
        end = time.monotonic() + timeout_s
        while (left := end - time.monotonic()) > 0:
            try:
                changes = self._watched(self._changes.get(timeout=left))
            except queue.Empty:
                break
            if changes:
                return changes | self.poll()
        return frozenset()

    def _watched(self, changes: Collection[Path]) -> frozenset[Path]:
        return frozenset(changes) if self._paths is None else self._paths.intersection(changes)

    def close(self) -> None:
        """Ends the thread."""
        if self._thread is not None and self._source is not None:
            self._source.stop()
            self._thread.join()
        self._thread = self._source = None
        self._folders = frozenset()

    def _run(self, source: FolderChanges, ready: threading.Event) -> None:
        try:
            for changed in source:
                ready.set()
                if changed:
                    self._changes.put(changed)
                    if self._notify is not None and self._watched(changed):
                        self._notify()
        except (OSError, RuntimeError) as error:
            self.error = str(error)
        finally:
            ready.set()
