"""Archives that lie about what they hold, or hold more than may be."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
from pathlib import Path

import pytest

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.quotas import Quotas, allowing
from texelscope.pipeline.untrusted_files.archives import opened_archive

MEMBER = 46 + len("a")


def packed(path: Path, *members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytearray:
    """An archive at `path`, and its bytes to be changed."""
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return bytearray(path.read_bytes())


def refusal(path: Path, name: str = "a") -> str:
    with pytest.raises(TexelscopeError) as caught, opened_archive(path, "it") as archive:
        archive.read(name)
    return str(caught.value)


def test_members_are_read_by_name_and_no_further_than_asked(tmp_path: Path) -> None:
    packed(tmp_path / "a.zip", ("a", b"0123456789"), ("b/c", b""))
    with opened_archive(tmp_path / "a.zip") as archive:
        assert list(archive.members) == ["a", "b/c"]
        assert (archive.read("a"), archive.read("a", 3), archive.size_bytes) == (b"0123456789", b"012", 10)
    assert (
        refusal(tmp_path / "a.zip", "../a") == "it: expected '../a' in it, got no such file. Save or download it again."
    )


def test_more_members_than_may_be_are_counted_not_read(tmp_path: Path) -> None:
    data = packed(tmp_path / "a.zip", *((str(i), b"") for i in range(40)))
    with allowing(Quotas(archive_members=30)):
        assert "at most 30 archive members, got 40" in refusal(tmp_path / "a.zip")
        data[-14:-10] = b"\1\0\1\0"  # the end of the archive says that there is one
        (tmp_path / "a.zip").write_bytes(data)
        assert "at most 30 archive members, got 40" in refusal(tmp_path / "a.zip")


def test_a_file_twice_is_refused(tmp_path: Path) -> None:
    packed(tmp_path / "a.zip", ("b", b""), ("a", b"1"), ("a", b"2"))
    assert refusal(tmp_path / "a.zip") == "it: expected each file once, got 'a' twice. Save or download it again."
    packed(tmp_path / "a.zip", ("a\0x", b"1"), ("a", b"2"))
    assert "expected each file once, got 'a' twice" in refusal(tmp_path / "a.zip")


def test_members_over_one_another_are_refused(tmp_path: Path) -> None:
    """One member of zeros, listed many times: 28 million times as large at its best (Fifield, 2019)."""
    data = packed(tmp_path / "a.zip", ("a", bytes(1 << 22)))
    index = data.rindex(b"PK\1\2")
    entries = b"".join(data[index : index + 46] + f"{i:01x}".encode() for i in range(10))
    end = bytearray(data[index + MEMBER :])
    end[8:20] = struct.pack("<HHII", 10, 10, len(entries), index)
    (tmp_path / "a.zip").write_bytes(data[:index] + entries + end)
    assert "at most 1,100 archive ratio, got " in refusal(tmp_path / "a.zip")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_pack_without_bounds_are_refused(tmp_path: Path, method: int) -> None:
    packed(tmp_path / "a.zip", ("a", b"1"), method=method)
    assert f"'a' in it: expected a file stored or deflated, got method {method}. " in refusal(tmp_path / "a.zip")


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    data = packed(tmp_path / "a.zip", ("a", b"1"))
    data[data.rindex(b"PK\1\2") + 8] |= 1
    (tmp_path / "a.zip").write_bytes(data)
    assert "'a' in it: expected a file without a password, got an encrypted one" in refusal(tmp_path / "a.zip")


@pytest.mark.parametrize(("claimed", "got"), [(1, "Bad CRC-32"), (1 << 20, "EOF|ends|end-of|Bad|truncated|unpacks")])
def test_a_member_of_another_size_than_it_says_is_refused(tmp_path: Path, claimed: int, got: str) -> None:
    data = packed(tmp_path / "a.zip", ("a", b"0123456789" * 9))
    place = data.rindex(b"PK\1\2") + 24
    data[place : place + 4] = struct.pack("<I", claimed)
    (tmp_path / "a.zip").write_bytes(data)
    if claimed == 1:
        assert got in refusal(tmp_path / "a.zip")
    else:  # no more comes out than there is
        with opened_archive(tmp_path / "a.zip") as archive:
            assert len(archive.read("a")) == 90


def test_damage_anywhere_is_a_line(tmp_path: Path) -> None:
    whole = bytes(packed(tmp_path / "a.zip", ("a", b"0123456789" * 9), ("b", b"")))
    damaged = [whole[:count] for count in range(0, len(whole), 7)]
    for place in range(0, len(whole), 3):
        damaged += [whole[:place] + bytes([value]) + whole[place + 1 :] for value in (0, 255)]
    for data in damaged:
        (tmp_path / "a.zip").write_bytes(data)
        try:
            with opened_archive(tmp_path / "a.zip", "it") as archive:
                for name in archive.members:
                    assert len(archive.read(name)) <= 90
        except TexelscopeError as error:
            assert "\n" not in str(error)  # noqa: PT017


def test_lies_in_64_bits_are_told(tmp_path: Path) -> None:
    data = packed(tmp_path / "a.zip", ("a", b"1"))
    index = data.rindex(b"PK\1\2")
    end = data.rindex(b"PK\5\6")
    for length in (1 << 62, len(data), 47):
        far = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, length, index)
        locator = struct.pack("<4sIQI", b"PK\6\7", 0, end, 1)
        (tmp_path / "a.zip").write_bytes(data[:end] + far + locator + data[end:])
        if length == 47:
            with opened_archive(tmp_path / "a.zip") as archive:
                assert archive.read("a") == b"1"
        else:
            assert "expected a readable zip archive, got " in refusal(tmp_path / "a.zip")


def test_a_comment_may_follow_and_an_empty_archive_has_nothing(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a", b"1")
        archive.comment = b"c" * 500
    with opened_archive(tmp_path / "a.zip") as opened:
        assert opened.read("a") == b"1"
    empty = io.BytesIO()
    zipfile.ZipFile(empty, "w").close()
    (tmp_path / "a.zip").write_bytes(empty.getvalue())
    with opened_archive(tmp_path / "a.zip") as opened:
        assert not opened.members
