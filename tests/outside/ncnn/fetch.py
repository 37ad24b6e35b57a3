"""Fetches ncnn's source distribution from the index that pip is set up with, and keeps its shaders alone.

pip itself would build what it downloads as source; so it is asked for the index alone.
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from pathlib import Path, PurePosixPath
from urllib.parse import urljoin

from tests.outside.ncnn.tree import VERSION, shader_folder

_MOST_BYTES = 64 << 20
_SECONDS = 120
_SHADERS = "src/layer/vulkan/shader"


def fetch(folder: Path) -> int:
    """Puts the shaders into `folder`, whole or not at all; how many there are. Does nothing if it is there."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            archive = Path(scratch) / "ncnn.tar.gz"
            archive.write_bytes(_read(_address()))
            unpacked = Path(scratch) / "shaders"
            unpacked.mkdir()
            with tarfile.open(archive) as members:
                for member in members:
                    path = PurePosixPath(member.name)
                    if member.isfile() and path.suffix == ".comp" and str(path.parent).endswith(_SHADERS):
                        source = members.extractfile(member)
                        assert source is not None
                        (unpacked / path.name).write_bytes(source.read())
            shutil.move(unpacked, folder)
    return sum(1 for _ in folder.glob("*.comp"))


def _address() -> str:
    """Returns the archive's address on one of the indices that pip is set up with."""
    for page in _pages():
        try:
            text = _read(page).decode()
        except OSError:
            continue
        found = re.search(rf'href="([^"]*ncnn-{re.escape(VERSION)}\.tar\.gz[^"]*)"', text)
        if found is not None:
            return urljoin(page, html.unescape(found[1]))
    raise SystemExit(f"No index of pip's has the source distribution of ncnn {VERSION}.")


def _pages() -> list[str]:
    """The pages of ncnn in these indices: pip lists them when it looks for a version that there is not."""
    command = [sys.executable, "-m", "pip", "download", "-vv", "--no-deps", "--dest", tempfile.gettempdir(), "ncnn==0"]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return re.findall(r"analyzing links: (\S+)", told)


def _read(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=_SECONDS) as answer:
        data: bytes = answer.read(_MOST_BYTES + 1)
    assert len(data) <= _MOST_BYTES, "larger than it may be"
    return data


if __name__ == "__main__":
    sys.stdout.write(f"{fetch(shader_folder())} shaders of ncnn {VERSION}\n")
