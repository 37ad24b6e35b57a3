"""Opens and closes a capture of another device beside the open target."""

from __future__ import annotations

from pathlib import Path

from texelscope.pipeline.captured.manifest import NAMES
from texelscope.viewer.app import App


def is_capture(path: Path) -> bool:
    """Returns whether a path is a capture: a folder with a manifest, or the manifest itself."""
    return any((path / name).is_file() for name in NAMES) or path.suffix.lower() == ".json" or path.name == NAMES[1]


def open_capture(app: App, path: str) -> None:
    """Shows a capture of another device beside the results of this one."""
    if app.document.session is None and not app.document.opening:
        app.log.add("A capture is shown beside an open target: open the target first (Ctrl+O).", warning=True)
        return
    app.other.open(Path(path).expanduser())
    app.state.wanted_panels.append("Captured")


def close_capture(app: App) -> None:
    """Closes the capture."""
    app.other.close_capture()
