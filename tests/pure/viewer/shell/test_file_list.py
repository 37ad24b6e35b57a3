"""Tests completions of a path that is being typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from texelscope.viewer.shell.dialogs import MOST_ENTRIES, entries, parent_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns files of all kinds and a folder."""
    for name in (
        "net.onnx",
        "Next.toml",
        "state.texelscope",
        "cat.PNG",
        "sharp.glsl",
        "values.npy",
        "notes.txt",
        ".hidden.onnx",
    ):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "nested").mkdir()
    return tmp_path


def names(text: str | Path) -> list[str]:
    return [entry.name for entry in entries(str(text))]


def test_a_folder_lists_its_folders_and_what_can_be_opened(folder: Path) -> None:
    assert names(f"{folder}/") == [
        "nested", "cat.PNG", "net.onnx", "Next.toml", "sharp.glsl", "state.texelscope", "values.npy",
    ]  # fmt: skip


def test_the_beginning_of_a_name_is_enough_in_either_case(folder: Path) -> None:
    assert names(folder / "ne") == ["nested", "net.onnx", "Next.toml"]
    assert [entry.is_folder for entry in entries(str(folder / "ne"))] == [True, False, False]


def test_a_whole_name_lists_its_neighbours(folder: Path) -> None:
    assert names(folder / "net.onnx") == names(f"{folder}/")


def test_what_is_not_there_lists_nothing(folder: Path) -> None:
    assert names(folder / "none" / "x") == []
    assert names(f"{folder}/net.onnx/") == names(f"{folder}/"), "a file is no folder"
    for odd in ("\0", "~nobody-of-that-name/x"):
        assert names(odd) == []
        assert parent_of(odd)


def test_the_folder_above_is_that_of_what_is_listed(folder: Path) -> None:
    assert parent_of(f"{folder}/nested/") == f"{folder}/"
    assert parent_of(f"{folder}/nested/beginning") == f"{folder}/"
    assert parent_of("/") == "/"


def test_a_folder_of_very_many_files_lists_the_first_ones(folder: Path) -> None:
    for number in range(MOST_ENTRIES + 3):
        (folder / "nested" / f"{number:05}.npy").write_bytes(b"")
    assert len(names(f"{folder}/nested/")) == MOST_ENTRIES
