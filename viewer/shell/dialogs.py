"""Draws the small windows over the others: command palette, go to, open."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from imgui_bundle import ImVec2, imgui

from texelscope.layouts import LayoutError
from texelscope.layouts.outside_text import is_utf8
from texelscope.pipeline.export.bundle import SUFFIX
from texelscope.pipeline.importers.registry import suffixes as importable
from texelscope.pipeline.inputs.sources import PICTURE_SUFFIXES
from texelscope.pipeline.plan import Backend, StoredTensor
from texelscope.pipeline.untrusted_files.door import real_path
from texelscope.viewer.app import App
from texelscope.viewer.colour.picture import shows
from texelscope.viewer.shell.command_table import COMMANDS
from texelscope.viewer.widgets.controls import as_label

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
        above = real_path(_folder_of(text)[0]).parent
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


def draw_files(app: App, text: str) -> tuple[str, bool]:
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


_BACKENDS: Mapping[Backend, str] = MappingProxyType(
    {
        "auto": "whichever is faster on this driver",
        "fragment": "draws into framebuffers",
        "compute": "dispatches of compute shaders: OpenGL 4.3",
    }
)


class Dialogs:
    """The dialogs and their texts while they are open."""

    def __init__(self) -> None:
        self._palette = ""
        self._chosen = 0
        self._goto = ""
        self._path = ""
        self._shapes = ""
        self._backend: Backend = "auto"
        self._message = ""

    def draw(self, app: App) -> None:
        """Draws the open dialogs."""
        if app.state.palette_open:
            app.state.palette_open = self._palette_window(app)
        if app.state.goto_open:
            app.state.goto_open = self._goto_window(app)
        if app.state.open_dialog:
            app.state.open_dialog = self._open_window(app)

    def _palette_window(self, app: App) -> bool:
        opening = self._begin("Command palette", 520 * app.scale)
        if opening:
            self._palette, self._chosen = "", 0
        entered, self._palette = self._line("##command", "Type what to do", self._palette, focus=opening)
        words = self._palette.lower().split()
        found = [
            c for c in COMMANDS.values() if c.title and c.name != "palette" and all(w in c.title.lower() for w in words)
        ]
        if imgui.is_key_pressed(imgui.Key.down_arrow):
            self._chosen += 1
        if imgui.is_key_pressed(imgui.Key.up_arrow):
            self._chosen -= 1
        self._chosen = min(max(self._chosen, 0), max(len(found) - 1, 0))
        stays = True
        imgui.begin_child("found", ImVec2(0, 320 * app.scale))
        for position, command in enumerate(found):
            pressed = imgui.selectable(command.title, position == self._chosen)[0]
            app.mark(f"palette {command.name}")
            imgui.same_line(imgui.get_content_region_avail().x - 90 * app.scale)
            imgui.text_disabled(command.keys)
            if pressed or (entered and position == self._chosen):
                app.send(command.name)
                stays = False
        if not found:
            imgui.text_disabled("No such command.")
        imgui.end_child()
        return self._end(stays=stays)

    def _goto_window(self, app: App) -> bool:
        opening = self._begin("Go to", 420 * app.scale)
        if opening:
            self._goto, self._message = "", ""
        entered, self._goto = self._line("##place", "33 12  ·  n c y x  ·  #1234", self._goto, focus=opening)
        imgui.text_disabled("Two numbers: texel x y. A number for each axis: tensor index. With #: linear index.")
        if self._message:
            imgui.text_wrapped(self._message)
        stays = True
        if entered:
            place, self._message = parse_place(app, self._goto)
            if place is not None:
                app.send("go_to", tx=place[0], ty=place[1])
                stays = False
        return self._end(stays=stays)

    def _open_window(self, app: App) -> bool:
        opening = self._begin("Open", 620 * app.scale)
        if opening:
            self._path = app.document.target.path if app.document.target is not None else ""
            self._backend = app.remembering.settings.backend
        entered, self._path = self._line(
            "##path", "Path of a model, a pipeline.toml or a shader", self._path, focus=opening
        )
        imgui.text_disabled(
            "Pictures and .npy files become the input; folders of them are played. You can also drop them."
        )
        imgui.text_disabled("A capture of another device (a folder with capture.json, or that file) is shown beside.")
        entered_shapes, self._shapes = self._line(
            "##shapes",
            "Shapes, where a model leaves them free or unknown: image=1,3,128,128",
            self._shapes,
            focus=False,
        )
        self._backend_choice(app)
        stays = True
        pressed = imgui.button("Open")
        app.mark("open file")
        imgui.same_line()
        if app.display.file_dialog.is_available:
            self._browse_button(app)
            imgui.same_line()
        imgui.text_disabled("or choose below; double-click to open")
        self._path, opens = draw_files(app, self._path)
        if pressed or entered or entered_shapes or opens:
            app.send("open_path", path=self._path, shapes=self._shapes, backend=self._backend)
            app.remembering.settings.backend = self._backend
            stays = False
        return self._end(stays=stays)

    def _browse_button(self, app: App) -> None:
        """Draws the button of the system's own dialog, whose answer opens the file."""
        if imgui.button("Browse …"):
            start = str(_folder_of(self._path)[0].absolute())
            suffixes = sorted(SUFFIXES.union(importable()))

            def answer(path: str) -> None:
                app.send("open_path", path=path, shapes=self._shapes, backend=self._backend)
                app.state.open_dialog = False

            app.display.file_dialog.ask_for_file("Open", start, suffixes, answer)
        app.mark("browse file")

    def _backend_choice(self, app: App) -> None:
        """Draws the choice between draws, dispatches, or the faster one, where an operator has both."""
        imgui.align_text_to_frame_padding()
        imgui.text_disabled("Backend")
        for backend, words in _BACKENDS.items():
            imgui.same_line()
            if imgui.radio_button(backend, self._backend == backend):
                self._backend = backend
            app.mark(f"backend {backend}")
            imgui.set_item_tooltip(words)
        imgui.same_line()
        imgui.text_disabled(_BACKENDS[self._backend])

    def _begin(self, title: str, width: float) -> bool:
        """Begins a window in the upper middle; True in the frame in which it appears."""
        viewport = imgui.get_main_viewport()
        imgui.set_next_window_pos(ImVec2(viewport.size.x / 2, viewport.size.y * 0.16), 0, ImVec2(0.5, 0.0))
        imgui.set_next_window_size(ImVec2(width, 0))
        flags = imgui.WindowFlags_
        imgui.push_style_var(int(imgui.StyleVar_.window_border_size), 1.0)
        imgui.push_style_var(int(imgui.StyleVar_.window_border_size), 1.0)
        imgui.begin(title, None, int(flags.no_collapse | flags.no_docking | flags.no_resize | flags.no_saved_settings))
        imgui.pop_style_var()
        imgui.pop_style_var()
        appearing = bool(imgui.is_window_appearing())
        if appearing:
            imgui.set_window_focus()
        return appearing

    def _end(self, *, stays: bool) -> bool:
        focused = imgui.is_window_focused(int(imgui.FocusedFlags_.root_and_child_windows))
        closed = imgui.is_key_pressed(imgui.Key.escape) or (not focused and imgui.is_mouse_clicked(0))
        imgui.end()
        return stays and not closed

    def _line(self, label: str, hint: str, text: str, *, focus: bool) -> tuple[bool, str]:
        if focus:
            imgui.set_keyboard_focus_here()
        imgui.set_next_item_width(-1)
        entered, text = imgui.input_text_with_hint(label, hint, text, int(imgui.InputTextFlags_.enter_returns_true))
        return entered, text


def parse_place(app: App, text: str) -> tuple[tuple[int, int] | None, str]:
    """Returns the texel that `text` names in the active view's tensor, or None and why not."""
    view = app.state.view
    stored = app.shown_in(view)
    if stored is None:
        return None, "No texture is shown."
    linear = text.strip().startswith("#")
    words = text.replace(",", " ").replace("#", " ").replace("(", " ").replace(")", " ").split()
    if not words or not all(word.isascii() and word.isdigit() for word in words):
        return None, "Enter whole numbers, such as 33 12."
    numbers = [int(word) for word in words]
    height, width = stored.texture_shape
    if linear and len(numbers) == 1:
        return _element(stored, numbers[0])
    if len(numbers) == len(stored.shape) and len(numbers) != 2:
        if any(i >= size for i, size in zip(numbers, stored.shape, strict=True)):
            return None, f"The tensor's shape is {list(stored.shape)}."
        index = 0
        for i, size in zip(numbers, stored.shape, strict=True):
            index = index * size + i
        return _element(stored, index)
    if len(numbers) == 2:
        inside = numbers[0] < width and numbers[1] < height
        return ((numbers[0], numbers[1]), "") if inside else (None, f"The texture has {width}×{height} texels.")
    return None, f"Enter two numbers for a texel or {len(stored.shape)} for an index."


def _element(stored: StoredTensor, index: int) -> tuple[tuple[int, int] | None, str]:
    try:
        tx, ty, _ = stored.layout.texel_of(stored.shape, index)
    except LayoutError as error:
        return None, str(error)
    if not shows(stored.layout, stored.shape, index):
        return None, "The picture does not show that element: I shows the tensor as stored, J the next of the batch."
    return (tx, ty), ""
