"""What is written is there whole or not at all, whoever stops the writing; nothing is left of it but the old file."""

from __future__ import annotations

import os
import re
import resource
import stat
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from tests.checkout import ROOT
from texelscope.pipeline.atomic_files import filled_folder, new_folder, write_array_whole, write_text_whole, write_whole
from texelscope.pipeline.atomic_files.unfinished import unfinished_file
from texelscope.pipeline.errors import TexelscopeError


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


@contextmanager
def largest_file(size_bytes: int) -> Iterator[None]:
    """What a full disk is to this process: no file may become larger."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def killed(folder: Path, text: str) -> None:
    """Runs Python that kills itself with what cannot be caught."""
    lines = f"import os, signal\nfrom pathlib import Path\nfrom texelscope.pipeline.atomic_files import *\n{textwrap.dedent(text)}"
    done = subprocess.run([sys.executable, "-c", lines], cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == -9


class TestAFile:
    """write_whole."""

    def test_a_full_disk_leaves_the_old_file(self, tmp_path: Path) -> None:
        path = tmp_path / "a.txt"
        write_text_whole(path, "old")
        with (
            largest_file(1000),
            pytest.raises(TexelscopeError, match="expected a file that can be written, got File too large"),
        ):
            write_text_whole(path, "new" * 1000)
        with largest_file(1000), pytest.raises(TexelscopeError, match="expected a file that can be written, got"):
            write_array_whole(tmp_path / "b.npy", np.zeros(1000))
        assert path.read_text() == "old"
        assert names(tmp_path) == ["a.txt"]

    def test_a_kill_leaves_the_old_file_and_the_next_writing_tidies_up(self, tmp_path: Path) -> None:
        path = tmp_path / "a.txt"
        write_text_whole(path, "old")
        killed(
            tmp_path,
            """
            def write(unfinished):
                unfinished.write_text("half")
                os.kill(os.getpid(), signal.SIGKILL)
            write_whole(Path("a.txt"), write)
            """,
        )
        assert path.read_text() == "old"
        assert len(names(tmp_path)) == 2
        write_text_whole(path, "new")
        assert path.read_text() == "new"
        assert names(tmp_path) == ["a.txt"]

    def test_two_that_write_the_same_file_share_nothing(self, tmp_path: Path) -> None:
        path = tmp_path / "a.txt"

        def write(unfinished: Path) -> None:
            unfinished.write_text("outer")
            write_text_whole(path, "inner")
            assert unfinished.read_text() == "outer"
            assert path.read_text() == "inner"

        write_whole(path, write)
        assert path.read_text() == "outer"
        assert names(tmp_path) == ["a.txt"]

    def test_a_name_that_is_another_s_by_now_is_left_to_it(self, tmp_path: Path) -> None:
        path = tmp_path / "a.txt"
        with unfinished_file(path) as first:
            first.replace(path)
            with unfinished_file(path) as second:
                assert second == first
                path.unlink()
        with unfinished_file(path) as first:
            first.replace(path)
            first.write_text("another's")
        assert first.read_text() == "another's"

    def test_permissions_and_links_stay(self, tmp_path: Path) -> None:
        path, link = tmp_path / "a.txt", tmp_path / "link"
        path.write_text("old")
        path.chmod(0o640)
        link.symlink_to("a.txt")
        write_text_whole(link, "new")
        assert link.is_symlink()
        assert path.read_text() == "new"
        assert stat.S_IMODE(path.stat().st_mode) == 0o640

    def test_a_new_file_has_the_permissions_that_the_shell_asks_for(self, tmp_path: Path) -> None:
        before = os.umask(0o027)
        try:
            write_text_whole(tmp_path / "a.txt", "new")
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640

    def test_a_device_and_a_pipe_are_written_to_as_they_are(self, tmp_path: Path) -> None:
        with pytest.raises(TexelscopeError, match="/dev/full: expected a file that can be written, got No space left"):
            write_text_whole(Path("/dev/full"), "new")
        write_text_whole(Path(os.devnull), "new")
        assert not Path(os.devnull).is_file()
        fifo = tmp_path / "fifo"
        os.mkfifo(fifo)
        reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        write_text_whole(fifo, "new")
        assert os.read(reader, 9) == b"new"
        os.close(reader)

    def test_a_stream_of_the_caller_s_is_not_replaced(self, tmp_path: Path) -> None:
        with (tmp_path / "a.txt").open("w+") as stream:
            write_text_whole(Path(f"/dev/fd/{stream.fileno()}"), "new")
            assert stream.read() == "new"

    @pytest.mark.parametrize(
        ("name", "got"),
        [
            ("folder", "Is a directory"),
            ("x" * 256, "File name too long"),
            ("loop", "Too many levels of symbolic links"),
            ("nul\0", "a name that no file can have"),
            ("none/below", "No such file or directory"),
        ],
    )
    def test_a_place_that_cannot_be_written_is_a_line(self, tmp_path: Path, name: str, got: str) -> None:
        (tmp_path / "folder").mkdir()
        (tmp_path / "loop").symlink_to("loop")
        with pytest.raises(TexelscopeError, match=f"expected a file that can be written, got {got}. Choose another"):
            write_text_whole(tmp_path / name, "new")
        assert names(tmp_path) == ["folder", "loop"]

    def test_a_file_that_is_read_only_stays(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "a.txt").write_text("old")
        monkeypatch.setattr(os, "access", lambda *_: False)  # to the super-user nothing is
        with pytest.raises(TexelscopeError, match="expected a file that can be written, got one that is read-only"):
            write_text_whole(tmp_path / "a.txt", "new")

    def test_a_name_as_long_as_names_may_be_can_be_written(self, tmp_path: Path) -> None:
        write_text_whole(tmp_path / ("ä" * 127), "new")
        assert names(tmp_path) == ["ä" * 127]

    def test_what_utf_8_has_no_sign_for_is_written_as_its_number(self, tmp_path: Path) -> None:
        write_text_whole(tmp_path / "a\udcff.txt", "a\udcff")
        assert (tmp_path / "a\udcff.txt").read_text() == "a\\udcff"

    def test_something_else_in_the_way_of_an_unfinished_file_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / ".a.txt.0.unfinished").symlink_to("mine")
        write_text_whole(tmp_path / "a.txt", "new")
        assert names(tmp_path) == [".a.txt.0.unfinished", "a.txt"]


class TestAFolder:
    """new_folder and filled_folder."""

    def test_a_folder_that_is_new_is_there_when_it_is_done(self, tmp_path: Path) -> None:
        with new_folder(tmp_path / "a" / "b") as unfinished:
            (unfinished / "x").write_text("x")
            assert not (tmp_path / "a" / "b").exists()
        assert names(tmp_path / "a") == ["b"]
        assert names(tmp_path / "a" / "b") == ["x"]

    def test_many_files_are_put_on_the_disk_together(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        company, flushed = Barrier(2, timeout=10.0), list[int]()

        def fsync(handle: int) -> None:
            if stat.S_ISREG(os.fstat(handle).st_mode):
                company.wait()  # alone nobody comes through
            flushed.append(handle)

        monkeypatch.setattr(os, "fsync", fsync)
        with new_folder(tmp_path / "made") as unfinished:
            for number in range(8):
                (unfinished / f"{number}.txt").write_text("a")
        assert (len(flushed), len(names(tmp_path / "made"))) == (8 + 2, 8)

    def test_a_kill_leaves_no_folder_and_the_next_one_tidies_up(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        for name in ("new", "empty"):
            killed(
                tmp_path,
                f"""
                with new_folder(Path({name!r})) as unfinished:
                    (unfinished / "x").write_text("half")
                    os.kill(os.getpid(), signal.SIGKILL)
                """,
            )
            assert not (tmp_path / name).exists() or names(tmp_path / name) == []
            with new_folder(tmp_path / name) as unfinished:
                (unfinished / "x").write_text("whole")
            assert names(tmp_path / name) == ["x"]
        assert names(tmp_path) == ["empty", "new"]

    def test_a_full_disk_leaves_what_was_in_the_folder(self, tmp_path: Path) -> None:
        (tmp_path / "x").write_text("old")

        def fill() -> None:
            with largest_file(1000), filled_folder(tmp_path) as unfinished:
                (unfinished / "x").write_text("new")
                (unfinished / "y").write_text("new" * 1000)

        with pytest.raises(TexelscopeError, match="expected a folder that can be written, got File too large"):
            fill()
        assert names(tmp_path) == ["x"]
        assert (tmp_path / "x").read_text() == "old"

    def test_others_stay_and_a_file_of_that_name_keeps_its_permissions(self, tmp_path: Path) -> None:
        for name in ("x", "y"):
            (tmp_path / name).write_text("old")
        (tmp_path / "x").chmod(0o640)
        with filled_folder(tmp_path) as unfinished:
            (unfinished / "x").write_text("new")
        assert {name: (tmp_path / name).read_text() for name in names(tmp_path)} == {"x": "new", "y": "old"}
        assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o640

    def test_a_link_in_the_folder_is_replaced_and_not_followed(self, tmp_path: Path) -> None:
        (tmp_path / "mine").write_text("mine")
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder" / "x").symlink_to("../mine")
        with filled_folder(tmp_path / "folder") as unfinished:
            (unfinished / "x").write_text("new")
        assert (tmp_path / "mine").read_text() == "mine"
        assert not (tmp_path / "folder" / "x").is_symlink()

    def test_two_that_make_the_same_folder_both_have_their_files_there(self, tmp_path: Path) -> None:
        with filled_folder(tmp_path / "a") as unfinished, filled_folder(tmp_path / "a") as other:
            (unfinished / "x").write_text("x")
            (other / "y").write_text("y")
        assert names(tmp_path / "a") == ["x", "y"]
        assert names(tmp_path) == ["a"]

    @pytest.mark.parametrize("name", ["x" * 256, "nul\0", "file/below", "file"])
    def test_a_place_that_cannot_be_written_is_a_line(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "file").write_text("")
        for opened in (new_folder, filled_folder):
            with pytest.raises(TexelscopeError, match=re.escape(": expected a")), opened(tmp_path / name):
                pytest.fail("it was opened")
        assert names(tmp_path) == ["file"]
