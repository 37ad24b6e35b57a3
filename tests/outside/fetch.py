"""Fetches the files of others that `make outside` runs on.

mpv user shaders come in the wheel of a media player's remote, which has a pack of them, from the index that pip is set
up with; and from the repositories of their authors and users, by git.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from tests.outside.files import cache_folder
from tests.outside.repositories import fetch_published

_PACKAGE = "jellyfin-mpv-shim==3.3.0"
_PACK = "default_shader_pack/shaders"
# One member of the wheel, unpacked.
_MOST_BYTES = 4 << 20


def fetch_mpv_shaders(folder: Path) -> int:
    """Puts the pack's shaders into `folder`, whole or not at all; how many there are. Does nothing if it is there."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
            subprocess.run([*command, "--dest", scratch, _PACKAGE], check=True)
            (wheel,) = Path(scratch).glob("*.whl")
            unpacked = Path(scratch) / "shaders"
            unpacked.mkdir()
            with zipfile.ZipFile(wheel) as archive:
                for member in archive.infolist():
                    path = PurePosixPath(member.filename)
                    if str(path.parent).endswith(_PACK) and member.file_size <= _MOST_BYTES:
                        (unpacked / path.name).write_bytes(archive.read(member))
            shutil.move(unpacked, folder)
    return sum(1 for _ in folder.iterdir())


if __name__ == "__main__":
    sys.stdout.write(f"{fetch_mpv_shaders(cache_folder() / 'mpv')} mpv user shaders\n")
    sys.stdout.write(f"{fetch_published()} mpv user shaders of repositories\n")
