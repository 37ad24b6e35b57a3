"""Texts that an editor has not saved stand for their files, where texts are read, and nowhere else."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.quotas import Quotas, allowing
from texelscope.pipeline.untrusted_files import read_bytes, read_text
from texelscope.pipeline.untrusted_files.unsaved import unsaved


def test_a_typed_text_is_read_until_the_block_ends(tmp_path: Path) -> None:
    file, other, link = tmp_path / "a.frag", tmp_path / "b.frag", tmp_path / "link.frag"
    file.write_text("saved", encoding="utf-8")
    other.write_text("other", encoding="utf-8")
    link.symlink_to(file)
    with unsaved({file: "typed\r\n"}):
        assert [read_text(each) for each in (file, link, other)] == ["typed\n", "typed\n", "other"]
        assert read_bytes(file) == b"saved"
        with unsaved({other: "also"}):
            assert (read_text(file), read_text(other)) == ("typed\n", "also")
        found: list[str] = []
        thread = threading.Thread(target=lambda: found.append(read_text(file)))
        thread.start()
        thread.join()
        assert found == ["saved"]  # another thread's work is not about what is typed
    assert read_text(file) == "saved"


def test_what_is_typed_opens_no_door(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "b.frag"
    inside.mkdir()
    outside.write_text("x", encoding="utf-8")
    with unsaved({outside: "typed", tmp_path / "none.frag": "typed"}):
        with pytest.raises(TexelscopeError, match="expected"):
            read_text(outside, inside=inside)
        with pytest.raises(TexelscopeError, match="no such file"):
            read_text(tmp_path / "none.frag")
        with allowing(Quotas(text_bytes=3)), pytest.raises(TexelscopeError, match="at most 3"):
            read_text(outside)
