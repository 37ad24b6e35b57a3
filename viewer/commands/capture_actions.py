"""Captures of other devices: opened beside what runs here, and let go."""

from __future__ import annotations

from pathlib import Path

from texelscope.pipeline.captured.manifest import NAMES
from texelscope.viewer.app import App


def is_capture(path: Path) -> bool:
    """Whether a path is that of a capture: a folder with a manifest, or the manifest itself."""
    return any((path / name).is_file() for name in NAMES) or path.suffix.lower() == ".json" or path.name == NAMES[1]


def open_capture(app: App, path: str) -> None:
    """Shows what another device made beside what is made here."""
    if app.document.session is None and not app.document.opening:
        app.log.add("A capture is shown beside a target: open that first (Ctrl+O).", warning=True)
        return
    app.other.open(Path(path).expanduser())
    app.state.wanted_panels.append("Captured")


def close_capture(app: App) -> None:
    """Lets the capture go."""
    app.other.close_capture()
