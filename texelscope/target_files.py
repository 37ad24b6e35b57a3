"""Finds the files of a folder that can be opened as targets."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.untrusted_files import is_inside, read_text

# A target is listed by its ending; files of these endings that are none are left out.
_SUFFIXES = (".toml", ".onnx", ".comp", ".glsl", ".frag", ".hlsl", ".slang", ".wgsl", ".hook", ".fx", ".zip")
# Folders that hold nobody's shaders, and many files.
_HIDDEN = {".git", ".venv", "node_modules"}
_MOST_LOOKED_AT = 5000


def target_files(folder: Path) -> Iterator[Path]:
    """Yields the pipeline files, models and shaders in a folder and below, without looking at too many files."""
    looked_at = 0
    for root, below, names in os.walk(folder):
        below[:] = sorted(set(below) - _HIDDEN)
        for path in (Path(root, name) for name in sorted(names)):
            looked_at += 1
            if looked_at > _MOST_LOOKED_AT:
                return
            if path.suffix.lower() not in _SUFFIXES or not (path.is_file() and is_inside(path, folder)):
                continue
            if _is_target(path):
                yield path


def _is_target(path: Path) -> bool:
    """Whether a file of one of the endings is a target: other files have some of them too."""
    if path.suffix.lower() == ".toml":
        return is_pipeline_file(path)
    if path.suffix.lower() == ".zip":  # what a page ran
        from texelscope.pipeline.importers.registry import importer_taking

        return importer_taking(str(path)) is not None
    return True


def is_pipeline_file(path: Path) -> bool:
    """Whether a TOML file describes a pipeline, by its name or its tables."""
    if path.name == "pipeline.toml":  # also one that cannot be read
        return True
    try:
        text = read_text(path)
    except TexelscopeError:
        return False
    return "[pipeline]" in text or "[[pass]]" in text
