"""What is a recording, as far as names tell."""

from __future__ import annotations

from pathlib import Path

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.untrusted_files import is_file, is_folder
from texelscope.pipeline.untrusted_files.archives import opened_archive

MANIFEST = "programs.json"


def is_recording(target: Path) -> bool:
    """Whether a path is a recording's, as far as names tell; no file is opened but an archive's index."""
    if is_folder(target):
        return is_file(target / MANIFEST)
    if target.suffix.lower() != ".zip":
        return target.name == MANIFEST
    try:
        with opened_archive(target) as archive:
            return MANIFEST in archive.members
    except TexelscopeError:
        return target.name.endswith(".tfjs.zip")
