"""Recognises recordings of WebGL by their names."""

from __future__ import annotations

from pathlib import Path

from texelscope.pipeline.dialects.recordings.kinds import holds

MANIFEST, ENDING = "draws.json", ".webgl.zip"


def is_webgl_recording(target: Path) -> bool:
    """Reports whether a path looks like a recording's; no file is opened but an archive's index."""
    return holds(target, MANIFEST, ENDING)
