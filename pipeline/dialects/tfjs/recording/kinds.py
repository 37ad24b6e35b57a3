"""What is a recording, as far as names tell."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

MANIFEST = "programs.json"
# What reading an archive of somebody else's may raise.
BROKEN = (OSError, zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, zlib.error)


def is_recording(target: Path) -> bool:
    """Whether a path is a recording's, as far as names tell; no file is opened but an archive's index."""
    if target.is_dir():
        return (target / MANIFEST).is_file()
    if target.suffix.lower() != ".zip":
        return target.name == MANIFEST
    try:
        with zipfile.ZipFile(target) as archive:
            return MANIFEST in archive.namelist()
    except BROKEN:
        return target.name.endswith(".tfjs.zip")
