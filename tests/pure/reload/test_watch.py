"""Saves are noticed: each way that editors have, by each way that systems tell of it."""

from __future__ import annotations

import errno
import os
import struct
import threading
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import psutil
import pytest

from texelscope.pipeline.reload.folder_changes import FolderChanges, PolledChanges, ToldChanges, changes_in
from texelscope.pipeline.reload.watch import FileWatcher

SECONDS = 5.0


@pytest.fixture(params=[ToldChanges, PolledChanges])
def watcher(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileWatcher]:
    """Watches two files of a folder, of which one exists."""
    monkeypatch.setattr("texelscope.pipeline.reload.watch.changes_in", request.param)
    (tmp_path / "a.frag").write_text("old", encoding="utf-8")
    made = FileWatcher([tmp_path / "a.frag", tmp_path / "b.frag"])
    assert made.error is None
    yield made
    made.close()


def in_place(path: Path) -> None:
    path.write_text("new", encoding="utf-8")


def by_renaming(path: Path) -> None:
    beside = path.with_name(".swp")
    beside.write_text("new", encoding="utf-8")
    beside.replace(path)


def old_one_away_first(path: Path) -> None:
    """As vim does."""
    path.rename(path.with_name("a.frag~"))
    path.write_text("new", encoding="utf-8")


def without_closing(path: Path) -> None:
    file = os.open(path, os.O_WRONLY | os.O_TRUNC)
    os.write(file, b"new")
    threading.Timer(1.0, os.close, [file]).start()


@pytest.mark.parametrize("save", [in_place, by_renaming, old_one_away_first, without_closing])
def test_a_save_is_noticed_once(watcher: FileWatcher, tmp_path: Path, save: Callable[[Path], None]) -> None:
    path = tmp_path / "a.frag"
    save(path)
    assert watcher.wait(SECONDS) == {path}
    assert path.read_text(encoding="utf-8") == "new"
    assert watcher.wait(0.1) == frozenset()


def test_a_file_may_come_and_go(watcher: FileWatcher, tmp_path: Path) -> None:
    path = tmp_path / "b.frag"
    path.touch()
    assert watcher.wait(SECONDS) == {path}
    path.unlink()
    assert watcher.wait(SECONDS) == {path}


def test_others_are_nobodys_business_unless_wanted(watcher: FileWatcher, tmp_path: Path) -> None:
    (tmp_path / "c.frag").touch()
    assert watcher.wait(0.2) == frozenset()
    watcher.watch([tmp_path / "a.frag"], with_neighbours=True)
    (tmp_path / "d.frag").touch()
    assert watcher.wait(SECONDS) == {tmp_path / "d.frag"}


def test_files_saved_together_come_together(tmp_path: Path) -> None:
    told = ToldChanges([tmp_path])
    batches = iter(told)
    assert next(batches) == frozenset()
    paths = {tmp_path / "a.frag", tmp_path / "b.frag"}
    for path in paths:
        path.write_text("new", encoding="utf-8")
    assert next(batches) == paths
    told.stop()
    assert next(batches, None) is None


def test_somebody_who_writes_without_a_pause_is_heard(watcher: FileWatcher, tmp_path: Path) -> None:
    end = threading.Event()

    def write() -> None:
        with (tmp_path / "a.frag").open("w", encoding="utf-8") as file:
            while not end.wait(0.002):
                file.write("more\n")
                file.flush()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert watcher.wait(SECONDS) == {tmp_path / "a.frag"}
    finally:
        end.set()
        writer.join()


def test_the_owner_is_told_from_the_thread(tmp_path: Path) -> None:
    told = threading.Event()
    watcher = FileWatcher([tmp_path / "a.frag"], told.set)
    try:
        (tmp_path / "a.frag").touch()
        assert told.wait(SECONDS)
        assert watcher.poll() == {tmp_path / "a.frag"}
        assert watcher.poll() == frozenset()
    finally:
        watcher.close()


def test_a_complete_file_is_told_of_at_once(tmp_path: Path) -> None:
    """No looking every few milliseconds: the best of some saves is far below one such step."""
    path = tmp_path / "a.frag"
    watcher = FileWatcher([path])
    times = []
    try:
        for _ in range(20):
            start = time.perf_counter()
            by_renaming(path)
            assert watcher.wait(SECONDS) == {path}
            times.append(time.perf_counter() - start)
    finally:
        watcher.close()
    assert min(times) < 0.005


def test_files_missed_in_a_flood_count_as_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.frag").touch()
    told = ToldChanges([tmp_path])
    batches = iter(told)
    assert next(batches) == frozenset()
    (tmp_path / "b.frag").write_text("", encoding="utf-8")
    overflow = struct.pack("iIII", -1, 0x4000, 0, 0)  # IN_Q_OVERFLOW, of no watch
    monkeypatch.setattr("texelscope.pipeline.reload.folder_changes.os.read", lambda *_: overflow)
    assert next(batches) == {tmp_path / "a.frag", tmp_path / "b.frag"}
    told.stop()
    assert next(batches, None) is None


def test_a_watcher_that_goes_leaves_no_open_files(tmp_path: Path) -> None:
    def open_files() -> int:
        return psutil.Process().num_fds()

    FileWatcher([tmp_path / "a.frag"]).close()
    before = open_files()
    for number in range(10):
        folder = tmp_path / str(number)
        folder.mkdir()
        watcher = FileWatcher([tmp_path / "a.frag"])
        watcher.watch([folder / "a.frag"])
        watcher.close()
    with pytest.raises(OSError, match="No such file"):
        ToldChanges([tmp_path, tmp_path / "nowhere"])
    assert open_files() == before


def test_linux_inside_windows_is_not_told_what_windows_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = changes_in([tmp_path])
    assert isinstance(told, ToldChanges)
    told.stop()
    list(told)
    monkeypatch.setattr("platform.release", lambda: "5.15.90.1-microsoft-standard-WSL2")
    assert isinstance(changes_in([tmp_path]), PolledChanges)


def test_a_folder_that_cannot_be_watched_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OSError, match="No such file or directory"):
        ToldChanges([tmp_path / "nowhere"])

    def refuse(folders: Collection[Path]) -> FolderChanges:
        raise OSError(errno.ENOSPC, "no more watches", str(tmp_path))

    monkeypatch.setattr("texelscope.pipeline.reload.watch.changes_in", refuse)
    watcher = FileWatcher([tmp_path / "a.frag"])
    assert watcher.error == f"[Errno {errno.ENOSPC}] no more watches: '{tmp_path}'"
    assert watcher.poll() == frozenset()
    watcher.close()
