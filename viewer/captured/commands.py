"""Opens and closes a capture of another device beside the open target."""

from __future__ import annotations

from pathlib import Path

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.command import Command, MenuGroup, chord, toggle
from texelscope.viewer.key_names import with_keys


def is_capture(path: Path) -> bool:
    """Returns whether a path is a capture: a folder with a manifest, or the manifest itself."""
    from texelscope.pipeline.captured.manifest import NAMES

    return any((path / name).is_file() for name in NAMES) or path.suffix.lower() == ".json" or path.name == NAMES[1]


def open_capture(app: App, path: str) -> None:
    """Shows a capture of another device beside the results of this one."""
    if app.document.session is None and not app.document.opening:
        app.log.add(
            with_keys("A capture is shown beside an open target: open the target first (Ctrl+O)."), warning=True
        )
        return
    app.analyses.captured.open(Path(path).expanduser())
    app.state.wanted_panels.append("Captured")


def close_capture(app: App) -> None:
    """Closes the capture."""
    app.analyses.captured.close_capture()


COMMANDS = (
    Command("open_capture", open_capture),
    Command(
        "open_capture_dialog",
        toggle("open_dialog"),
        "Open a capture …",
        "Ctrl+Shift+O",
        chord(imgui.Key.o, ctrl=True, shift=True),
    ),
    Command(
        "close_capture", close_capture, "Close the capture", "Ctrl+Shift+W", chord(imgui.Key.w, ctrl=True, shift=True)
    ),
)
MENUS = (MenuGroup("File", 20, ("open_capture_dialog", "close_capture")),)
