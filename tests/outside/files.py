"""Locates the files of others: where `tests.outside.fetch` has put them, and in folders that a variable names."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

# Further folders, separated as PATH is.
MPV_VARIABLE = "TEXELSCOPE_MPV_SHADERS"


def cache_folder() -> Path:
    """The folder that fetched files are kept in, by kind."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "texelscope-outside"


def mpv_shaders() -> Collection[Path]:
    """Every mpv user shader there is; none where none was fetched and no folder is named."""
    named = os.environ.get(MPV_VARIABLE, "")
    folders = [cache_folder() / "mpv", *(Path(each) for each in named.split(os.pathsep) if each)]
    found = [path for folder in folders for path in folder.rglob("*") if path.suffix in (".glsl", ".hook")]
    return sorted(found, key=lambda path: path.name)
