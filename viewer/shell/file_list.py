"""Lists files to choose from while a path is typed: those of its folder that can be opened, and subfolders."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from imgui_bundle import ImVec2, imgui

from texelscope.layouts.outside_text import is_utf8
from texelscope.pipeline.export.bundle import SUFFIX
from texelscope.pipeline.importers.registry import suffixes as importable
from texelscope.pipeline.inputs.sources import PICTURE_SUFFIXES
from texelscope.viewer.app import App
from texelscope.viewer.widgets.short_text import as_label

# In addition to what importers accept.
SUFFIXES = frozenset({SUFFIX, ".npy", ".json", ".zip", *PICTURE_SUFFIXES})
MOST_ENTRIES = 400
_ROWS = 9


@dataclass(frozen=True)
class FileEntry:
    """Names a file or a folder in its parent folder."""

    name: str
    path: str
    is_folder: bool


def entries(text: str) -> list[FileEntry]:
    """Returns possible completions of a typed path: folders first, by name; empty if the folder cannot be read."""
    found = []
    suffixes = SUFFIXES.union(importable())
    try:
        folder, start = _folder_of(text)
        with os.scandir(folder) as listed:
            for each in listed:
                # Names that are not UTF-8 can be neither shown nor typed.
                shown = each.name.lower().startswith(start) and not each.name.startswith(".") and is_utf8(each.name)
                is_folder = shown and each.is_dir()
                if shown and (is_folder or Path(each.name).suffix.lower() in suffixes):
                    found.append(FileEntry(each.name, str(Path(each.path)), is_folder))
    except (OSError, ValueError, RuntimeError):  # an unknown user after ~, a zero byte
        return []
    return sorted(found, key=lambda entry: (not entry.is_folder, entry.name.lower()))[:MOST_ENTRIES]


def parent_of(text: str) -> str:
    """Returns the folder above the listed one."""
    try:
        above = _folder_of(text)[0].resolve().parent
    except (OSError, ValueError, RuntimeError):
        return text
    return f"{str(above).rstrip(os.sep)}{os.sep}"


def _folder_of(text: str) -> tuple[Path, str]:
    """Returns the folder of a typed path, and the lower-case beginning of names in it."""
    path = Path(text.strip()).expanduser()
    if path.is_file():
        return path.parent, ""
    if text.endswith(("/", os.sep)) or not text.strip():
        return path, ""
    return path.parent, path.name.lower()


def draw(app: App, text: str) -> tuple[str, bool]:
    """Draws the list for a typed path; returns the path after a click, and whether a double-click opens it."""
    found = entries(text)
    height = _ROWS * imgui.get_text_line_height_with_spacing()
    imgui.begin_child("files", ImVec2(0, height), int(imgui.ChildFlags_.borders))
    chosen, opens = text, False
    if imgui.selectable(f"..{os.sep}", False, int(_FLAGS))[0]:
        chosen = parent_of(text)
    app.mark("file ..")
    for entry in found:
        label = f"{entry.name}{os.sep}" if entry.is_folder else entry.name
        pressed = imgui.selectable(f"{as_label(label)}##{entry.path}", entry.path == text, int(_FLAGS))[0]
        app.mark(f"file {entry.name}")
        if pressed:
            chosen = f"{entry.path}{os.sep}" if entry.is_folder else entry.path
            opens = not entry.is_folder and imgui.is_mouse_double_clicked(0)
    if not found:
        imgui.text_disabled("No model, pipeline, bundle, capture, picture or array has a name that begins like that.")
    imgui.end_child()
    return chosen, opens


_FLAGS = imgui.SelectableFlags_.allow_double_click | imgui.SelectableFlags_.no_auto_close_popups
