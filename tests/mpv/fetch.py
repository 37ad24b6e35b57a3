"""Fetches a published pack of mpv user shaders into a folder: `python -m tests.mpv.fetch`.

The pack is that of the package jellyfin-mpv-shim (Anime4K, FSRCNNX, ArtCNN and others, each under its own licence). It
stays outside the tree. `TEXELSCOPE_MPV_SHADERS` names another folder of shaders, in place of the cache.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "jellyfin-mpv-shim==3.3.0"
_INSIDE = "jellyfin_mpv_shim/default_shader_pack/shaders/"


def folder() -> Path:
    """Where the shaders are, or will be."""
    named = os.environ.get("TEXELSCOPE_MPV_SHADERS")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(named) if named else cache / "texelscope" / "mpv-shaders"


def shader(name: str) -> Path | None:
    """The shader of that name; None where the pack is not there."""
    path = folder() / name
    return path if path.is_file() else None


def fetch(to: Path) -> int:
    """Downloads the package and takes its shaders out; how many there are."""
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as room:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", room, PACKAGE]
        subprocess.run(command, check=True)
        (wheel,) = Path(room).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            names = [each for each in archive.namelist() if each.startswith(_INSIDE) and not each.endswith("/")]
            for name in names:
                (to / Path(name).name).write_bytes(archive.read(name))
    return len(names)


if __name__ == "__main__":
    if not any(folder().glob("*.glsl")):
        sys.stdout.write(f"{fetch(folder())} shaders of {PACKAGE} in {folder()}\n")
