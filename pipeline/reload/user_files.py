"""Finds the user's own file that a shader was read from."""

from __future__ import annotations

from pathlib import Path

from texelscope.pipeline.glsl.assemble import SHADER_FOLDER
from texelscope.pipeline.plan import SourceFile


def user_path(file: SourceFile, target: str | Path) -> Path | None:
    """Returns the path of a file of a target's shader; None for a built-in one, and for text inside another file."""
    own = SHADER_FOLDER.parent / file.path
    if own.is_file() and own.is_relative_to(SHADER_FOLDER):
        return None
    start = Path(target).resolve()
    path = (start if start.is_dir() else start.parent) / file.path
    return path if path.is_file() else None
