"""Recognises recordings of WebGPU by their names."""

from __future__ import annotations

from pathlib import Path

from texelscope.pipeline.dialects.recordings.kinds import holds

MANIFEST, ENDING = "dispatches.json", ".webgpu.zip"


def is_webgpu_recording(target: Path) -> bool:
    """Reports whether a path looks like a recording's; no file is opened but an archive's index."""
    return holds(target, MANIFEST, ENDING)
