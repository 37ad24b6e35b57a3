"""Draws the windows of the Help menu, one at a time; Esc closes them."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.crash_report.fault_log import package_lines, program_lines
from texelscope.pipeline.installation import SHIPPED
from texelscope.viewer.app import App
from texelscope.viewer.shell.command_table import COMMANDS

# The first pages for a beginner; all others follow by name.
_FIRST = ("first-bug.md", "guide.md")


@dataclass(frozen=True)
class HelpPage:
    """Names a documentation file and its title."""

    path: Path
    title: str


def pages(folder: Path = SHIPPED / "docs") -> tuple[HelpPage, ...]:
    """Returns all pages in reading order; none if the program was installed without its source."""
    found = [HelpPage(path, _title(path)) for path in sorted(folder.glob("*.md"))]
    return tuple(sorted(found, key=lambda page: (page.path.name not in _FIRST, page.path.name)))


def _title(path: Path) -> str:
    """Returns the text of the first heading."""
    with path.open(encoding="utf-8") as lines:
        return next((line[2:].strip() for line in lines if line.startswith("# ")), path.stem)


def version_lines(info: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Returns name and version of each, or that it is not installed; `info` comes from the GL context."""
    return (
        *program_lines(),
        ("GL driver", str(info["GL_RENDERER"])),
        ("GL version", str(info["GL_VERSION"])),
        ("GL vendor", str(info["GL_VENDOR"])),
        *package_lines(),
    )


def as_text(lines: tuple[tuple[str, str], ...]) -> str:
    """Returns a line for each."""
    return "".join(f"{name}: {version}\n" for name, version in lines)


_TITLES = {"keys": "Keys", "documentation": "Documentation", "versions": "Versions"}
_WITHOUT_PAGES = (
    "The documentation is in the folder docs of the source; this copy was installed without it. "
    "'texelscope --help' describes every command."
)


class HelpWindows:
    """The open help window is named in the state; this object holds what was read for it."""

    def __init__(self) -> None:
        self._filter = ""
        self._pages: tuple[HelpPage, ...] | None = None
        self._versions: tuple[tuple[str, str], ...] = ()

    def draw(self, app: App) -> None:
        """Draws the open help window."""
        shown = app.state.help_shown
        if not shown:
            return
        screen = imgui.get_main_viewport().size
        imgui.set_next_window_pos(ImVec2(screen.x / 2, screen.y / 2), int(imgui.Cond_.appearing), ImVec2(0.5, 0.5))
        size = ImVec2(min(560 * app.scale, screen.x * 0.94), min(560 * app.scale, screen.y * 0.86))
        imgui.set_next_window_size(size, int(imgui.Cond_.appearing))
        flags = imgui.WindowFlags_
        imgui.push_style_var(int(imgui.StyleVar_.window_border_size), 1.0)
        plain = flags.no_docking | flags.no_collapse | flags.no_saved_settings
        visible, stays = imgui.begin(_TITLES[shown], True, int(plain))
        imgui.pop_style_var()
        if visible:
            {"keys": self._keys, "documentation": self._documentation, "versions": self._version_list}[shown](app)
        corner, inside = imgui.get_window_pos(), imgui.get_window_size()
        app.display.places[f"help {shown}"] = (corner.x, corner.y, inside.x, inside.y)
        is_left = imgui.is_window_focused(int(imgui.FocusedFlags_.root_and_child_windows))
        is_left = is_left and imgui.is_key_pressed(imgui.Key.escape)
        imgui.end()
        if not stays or is_left:
            app.state.help_shown = ""

    def _keys(self, app: App) -> None:
        if imgui.is_window_appearing():
            self._filter = ""
            imgui.set_keyboard_focus_here()
        imgui.set_next_item_width(-1)
        _, self._filter = imgui.input_text_with_hint("##keys", "Filter: what it does, or the key", self._filter)
        words = self._filter.lower().split()
        if not imgui.begin_table("keys", 2, int(imgui.TableFlags_.row_bg | imgui.TableFlags_.scroll_y)):
            return
        imgui.table_setup_column("key", int(imgui.TableColumnFlags_.width_fixed), 150 * app.scale)
        imgui.table_setup_column("what", int(imgui.TableColumnFlags_.width_stretch))
        for command in sorted(COMMANDS.values(), key=lambda each: each.title):
            if command.keys and all(word in f"{command.title} {command.keys}".lower() for word in words):
                imgui.table_next_row()
                imgui.table_next_column()
                imgui.text_disabled(command.keys)
                imgui.table_next_column()
                imgui.text_unformatted(command.title)
                app.mark(f"key of {command.name}")
        imgui.end_table()

    def _documentation(self, app: App) -> None:
        if self._pages is None:
            self._pages = pages()
        if not self._pages:
            imgui.text_wrapped(_WITHOUT_PAGES)
        for page in self._pages:
            if imgui.selectable(page.title, False)[0]:
                webbrowser.open(page.path.as_uri())
                app.log.add(f"Opened {page.path} in another program.")
            app.mark(f"page {page.path.stem}")
            imgui.set_item_tooltip(str(page.path))

    def _version_list(self, app: App) -> None:
        if not self._versions:
            self._versions = version_lines(app.display.canvas.context.info)
        if imgui.button("Copy"):
            imgui.set_clipboard_text(as_text(self._versions))
        app.mark("copy versions")
        if imgui.begin_table("versions", 2, int(imgui.TableFlags_.row_bg | imgui.TableFlags_.scroll_y)):
            imgui.table_setup_column("name", int(imgui.TableColumnFlags_.width_fixed), 130 * app.scale)
            imgui.table_setup_column("version", int(imgui.TableColumnFlags_.width_stretch))
            for name, version in self._versions:
                imgui.table_next_row()
                imgui.table_next_column()
                imgui.text_disabled(name)
                imgui.table_next_column()
                imgui.text_wrapped(version)
            imgui.end_table()
