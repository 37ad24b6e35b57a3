"""Recognises recordings by the name of their manifest."""

from __future__ import annotations

from pathlib import Path

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.untrusted_files import is_file, is_folder
from texelscope.pipeline.untrusted_files.archives import opened_archive


def holds(target: Path, manifest: str, ending: str) -> bool:
    """Reports whether a path is a manifest of that name, or its folder or archive; a damaged archive by its ending."""
    if is_folder(target):
        return is_file(target / manifest)
    if target.suffix.lower() != ".zip":
        return target.name == manifest
    try:
        with opened_archive(target) as archive:
            return manifest in archive.members
    except TexelscopeError:
        return target.name.endswith(ending)
