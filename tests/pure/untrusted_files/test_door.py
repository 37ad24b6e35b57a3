"""Tests what the door admits: regular files, inside their folder, of an allowed size."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.quotas import QuotaError, Quotas, allowing
from texelscope.pipeline.untrusted_files import is_file, is_folder, is_inside, opened, read_bytes, read_text, resolved
from texelscope.pipeline.untrusted_files.door import real_path

LONG = "n" * 300


def said(path: object, **options: object) -> str:
    with pytest.raises(TexelscopeError) as caught:
        read_bytes(path, "it", **options)  # type: ignore[arg-type]
    return str(caught.value).removeprefix("it: ")


def descriptors() -> int:
    """Counts the open descriptors of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))


def test_whatever_is_no_regular_file_is_told_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "socket"))
        assert said(tmp_path / "socket") == "expected a readable file, got a socket. Check the path."
    assert said(tmp_path / "pipe.png") == "expected a readable file, got a pipe. Check the path."
    assert said(tmp_path) == "expected a readable file, got a folder. Check the path."
    assert said("/dev/zero", what="a picture") == "expected a readable picture, got a device. Check the path."
    assert said(tmp_path / "none") == "expected a file, got no such file. Check the path."


@pytest.mark.parametrize(
    ("name", "got"),
    [
        (LONG, "a name too long for the file system"),
        ("/".join(["d"] * 5000), "a name too long for the file system"),
        ("a\0b", "a name that no file can have"),
        ("\ud800", "a name that no file can have"),
        ("loop", "links that lead round in a circle"),
        ("file/below", "no such file"),
    ],
)
def test_names_that_no_file_has_are_told(tmp_path: Path, name: str, got: str) -> None:
    (tmp_path / "loop").symlink_to("pool")
    (tmp_path / "pool").symlink_to("loop")
    (tmp_path / "file").touch()
    for inside in (None, tmp_path):
        assert f", got {got}. " in said(tmp_path / name, inside=inside)
    assert not is_file(tmp_path / name)
    assert not is_folder(tmp_path / name)


def test_links_lead_anywhere_inside_a_folder_and_nowhere_out_of_it(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "below").mkdir(parents=True)
    (tmp_path / "secret").write_bytes(b"secret")
    (folder / "own").write_bytes(b"own")
    (folder / "below" / "fine").symlink_to("../own")
    (folder / "out").symlink_to(tmp_path / "secret")
    (folder / "away").symlink_to(tmp_path)
    (tmp_path / "other name").symlink_to(folder)
    assert read_bytes(folder / "below" / "fine", inside=folder) == b"own"
    assert read_bytes(tmp_path / "other name" / "own", inside=folder) == b"own"
    for path in (folder / "out", folder / "away" / "secret", folder / ".." / "secret", tmp_path / "secret"):
        assert (
            said(path, inside=folder)
            == "expected a file inside its folder, got one that leads out of it. Copy it there."
        )
        assert not is_inside(path, folder)
        assert read_bytes(path) == b"secret"
    (folder / "self").symlink_to("self")
    with pytest.raises(TexelscopeError, match=r"expected a readable model, got links that lead round in a circle"):
        resolved(folder / "self", what="a model")


@pytest.mark.parametrize("swapped", ["file", "folder"])
def test_a_link_put_in_place_after_the_check_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, swapped: str
) -> None:
    folder = tmp_path / "folder"
    (folder / "below").mkdir(parents=True)
    (folder / "below" / "own").write_bytes(b"own")
    (tmp_path / "own").write_bytes(b"secret")
    real = os.open

    def swap(name: object, *arguments: int, **options: int) -> int:
        if name == folder and swapped == "file":
            (folder / "below" / "own").unlink()
            (folder / "below" / "own").symlink_to(tmp_path / "own")
        elif name == folder:
            (folder / "below").rename(folder / "was")
            (folder / "below").symlink_to(tmp_path)
        return real(name, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", swap)
    assert "expected a" in said(folder / "below" / "own", inside=folder)


def test_a_pipe_put_in_place_after_the_check_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, real = tmp_path / "a.png", os.open
    path.touch()

    def swap(name: object, *arguments: int, **options: int) -> int:
        path.unlink()
        os.mkfifo(path)
        return real(name, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", swap)
    assert said(path) == "expected a readable file, got a pipe. Check the path."


def test_sizes_come_first(tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(Quotas().file_bytes + 1)
    with pytest.raises(QuotaError, match="at most 8,589,934,592 file bytes, got 8,589,934,593"):
        read_bytes(tmp_path / "large")
    assert (
        said(tmp_path / "large", most=7) == "expected at most 7 bytes, got 8589934593. Check that it is the right file."
    )
    (tmp_path / "text").write_bytes(b"\xef\xbb\xbfa\r\nb\rc")
    assert read_text(tmp_path / "text") == "a\nb\nc"
    with allowing(Quotas(text_bytes=4)), pytest.raises(QuotaError, match="at most 4 text bytes, got 9"):
        read_text(tmp_path / "text")


def test_no_descriptor_is_left_behind(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    os.mkfifo(tmp_path / "pipe")
    read_bytes(tmp_path / "a", inside=tmp_path)  # whatever is opened once is open now
    before = descriptors()
    for _ in range(20):
        read_bytes(tmp_path / "a", inside=tmp_path)
        said(tmp_path / "pipe", inside=tmp_path)
        said(tmp_path / "none", inside=tmp_path)
        with pytest.raises(ZeroDivisionError), opened(tmp_path / "a"):
            raise ZeroDivisionError
    assert descriptors() == before


def test_a_name_to_keep_follows_links_and_raises_for_none(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert real_path(tmp_path / "circle") == tmp_path / "circle"
    assert real_path(tmp_path / "link") == tmp_path / "real"
    assert real_path("a\0b") == Path("a\0b")
