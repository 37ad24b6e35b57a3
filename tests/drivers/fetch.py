"""Fetches ANGLE with SwiftShader from npm: a package of Chromium for servers has them as libraries of their own."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

_PACKAGE = "@sparticuz/chromium@123.0.1"
_ARCHIVE = "package/bin/swiftshader.tar.br"
# Names under which programs load the libraries.
_LINKS = {"libEGL.so.1": "libEGL.so", "libGLESv2.so.2": "libGLESv2.so"}
# Node reads Brotli, which Python's library does not.
_UNPACK = (
    "const files = require('fs'), [from, to] = process.argv.slice(1);"
    "files.writeFileSync(to, require('zlib').brotliDecompressSync(files.readFileSync(from)))"
)


def fetch_angle(folder: Path) -> Path:
    """Puts the libraries into `folder`, whole or not at all, and returns it. Does nothing if they are there.

    Raises subprocess.CalledProcessError without npm, Node.js or a network.
    """
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as name:
        scratch = Path(name)
        subprocess.run(["npm", "pack", "--silent", _PACKAGE], cwd=scratch, check=True, stdout=subprocess.DEVNULL)
        (package,) = scratch.glob("*.tgz")
        with tarfile.open(package) as archive:
            archive.extract(_ARCHIVE, scratch, filter="data")
        subprocess.run(["node", "-e", _UNPACK, scratch / _ARCHIVE, scratch / "libraries.tar"], check=True)
        unpacked = scratch / "libraries"
        with tarfile.open(scratch / "libraries.tar") as archive:
            archive.extractall(unpacked, filter="data")
        for link, library in _LINKS.items():
            (unpacked / link).symlink_to(library)
        shutil.move(unpacked, folder)
    return folder
