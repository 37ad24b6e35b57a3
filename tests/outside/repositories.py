"""Fetches the mpv user shaders of public repositories, file by file at fixed commits, into the cache."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.outside.files import cache_folder

# The address of a repository, which another one with {owner} and {name} replaces: a mirror, or folders of this machine.
VARIABLE = "TEXELSCOPE_OUTSIDE_REPOSITORIES"
_ADDRESS = "https://github.com/{owner}/{name}"
_LIST = Path(__file__).parent / "mpv_repositories.toml"


@dataclass(frozen=True)
class PublishedFile:
    """Identifies a file of a repository."""

    repository: str
    commit: str
    path: str
    sha256: str

    @property
    def cached(self) -> Path:
        """Where the file is kept."""
        return cache_folder() / "mpv-repositories" / self.repository / self.path

    @property
    def is_there(self) -> bool:
        """Whether it is kept there, unchanged."""
        return self.cached.is_file() and hashlib.sha256(self.cached.read_bytes()).hexdigest() == self.sha256


def published_files() -> Sequence[PublishedFile]:
    """Returns the chosen files, in the order of their list."""
    repositories = tomllib.loads(_LIST.read_text(encoding="utf-8"))["repositories"]
    return [
        PublishedFile(each["name"], each["commit"], file["path"], file["sha256"])
        for each in repositories
        for file in each["files"]
    ]


def fetch_published() -> int:
    """Puts each file into the cache; how many there are. Fetches nothing of a repository whose files are there."""
    files = published_files()
    for repository in dict.fromkeys(each.repository for each in files):
        missing = [each for each in files if each.repository == repository and not each.is_there]
        if missing:
            _fetch(missing)
    return len(files)


def _fetch(files: Sequence[PublishedFile]) -> None:
    """Fetches files of one repository at one commit: their contents alone, where its server allows."""
    owner, name = files[0].repository.split("/")
    address = os.environ.get(VARIABLE, _ADDRESS).format(owner=owner, name=name)
    with tempfile.TemporaryDirectory() as folder:
        git = ["git", "-C", folder]
        subprocess.run([*git, "init", "--quiet", "--bare"], check=True)
        subprocess.run([*git, "remote", "add", "origin", address], check=True)
        partial = ["--quiet", "--depth", "1", "--filter=blob:none"]
        subprocess.run([*git, "fetch", *partial, "origin", files[0].commit], check=True)
        for each in files:
            shown = subprocess.run([*git, "show", f"{each.commit}:{each.path}"], check=True, capture_output=True)
            each.cached.parent.mkdir(parents=True, exist_ok=True)
            each.cached.write_bytes(shown.stdout)
            assert each.is_there, f"{each.repository}/{each.path} is not the file that was chosen"
