"""Which files differ: committed on the branch, staged, changed, removed, and new ones."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.near.changes import base_of, changed_files


def git(folder: Path, *words: str) -> None:
    """Runs git, with nothing of the user's settings."""
    settings = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *settings, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A clone with five files on `main`, and a branch that has changed one of them."""
    git(tmp_path, "init", "--initial-branch", "main")
    for name in ("committed", "staged", "changed", "removed", "same"):
        (tmp_path / name).write_text("before")
    (tmp_path / ".gitignore").write_text("ignored")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "begin")
    git(tmp_path, "switch", "-c", "branch")
    (tmp_path / "committed").write_text("after")
    git(tmp_path, "commit", "-a", "-m", "change")
    return tmp_path


def test_everything_that_differs_is_found(repository: Path) -> None:
    for name in ("staged", "changed"):
        (repository / name).write_text("after")
    git(repository, "add", "staged")
    (repository / "removed").unlink()
    for name in ("new", "with a space", "ignored"):
        (repository / name).write_text("after")
    assert changed_files(repository, base_of(repository)) == [
        "changed",
        "committed",
        "new",
        "removed",
        "staged",
        "with a space",
    ]


def test_on_the_main_branch_nothing_differs_until_something_is_changed(repository: Path) -> None:
    git(repository, "switch", "main")
    assert changed_files(repository, base_of(repository)) == []
    (repository / "same").write_text("after")
    assert changed_files(repository, base_of(repository)) == ["same"]


def test_what_came_to_the_main_branch_meanwhile_is_no_change(repository: Path) -> None:
    git(repository, "switch", "main")
    (repository / "same").write_text("after")
    git(repository, "commit", "-a", "-m", "meanwhile")
    git(repository, "switch", "branch")
    assert changed_files(repository, base_of(repository)) == ["committed"]
