"""Asks git which files differ from where the work began: committed since, staged, changed, and new ones."""

from __future__ import annotations

import subprocess
from pathlib import Path

# The branch that work is measured against, by whatever name this clone has it.
MAIN_BRANCHES = ("main", "origin/main")


def base_of(root: Path) -> str:
    """The commit at which this branch left the main branch; the last commit where there is no other branch."""
    for branch in MAIN_BRANCHES:
        found = _git(root, "merge-base", "HEAD", branch, check=False).strip()
        if found:
            return found
    return "HEAD"


def changed_files(root: Path, since: str) -> list[str]:
    """Paths relative to `root` of the files that differ from commit `since`, removed and untracked ones too, sorted."""
    tracked = _git(root, "diff", "--name-only", "--no-renames", "--relative", "-z", since, "--")
    untracked = _git(root, "ls-files", "--others", "--exclude-standard", "-z")
    return sorted({path for path in (tracked + untracked).split("\0") if path})


def _git(root: Path, *words: str, check: bool = True) -> str:
    return subprocess.run(["git", *words], cwd=root, capture_output=True, encoding="utf-8", check=check).stdout
