"""Recognises recordings of TensorFlow.js by their names."""

from __future__ import annotations

from pathlib import Path

from texelscope.pipeline.dialects.recordings.kinds import holds

MANIFEST, ENDING = "programs.json", ".tfjs.zip"


def is_recording(target: Path) -> bool:
    """Reports whether a path looks like a recording's; no file is opened but an archive's index."""
    return holds(target, MANIFEST, ENDING)
