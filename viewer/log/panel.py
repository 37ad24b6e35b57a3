"""The Log panel shows what happened, what went wrong, and what to do next."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Generic, TypeVar

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.document.log import LogEntry
from texelscope.viewer.panel import Panel
from texelscope.viewer.widgets import controls

E = TypeVar("E")


class TallList(Generic[E]):
    """The positions of a list's entries; new ones are added at its end and old ones dropped at its start.

    Heights are measured once for each entry and `width`, in pixels of the window.
    """

    def __init__(self) -> None:
        self._width = 0.0
        self._known: list[tuple[E, float]] = []
        self._tops = [0.0]

    def update(self, entries: Sequence[E], width: float, height_of: Callable[[E], float]) -> None:
        """Updates the entries; `height_of` returns the height of one at that width, with the gap below it."""
        if width != self._width:
            self._width = width
            self._known.clear()
        gone = next((at for at, (entry, _) in enumerate(self._known) if entries and entry is entries[0]), None)
        self._known = self._known[gone:] if gone is not None else []
        new = entries[len(self._known) :]
        if gone or new or len(self._tops) != len(entries) + 1:
            self._known += [(entry, height_of(entry)) for entry in new]
            self._tops = list(accumulate((height for _, height in self._known), initial=0.0))

    @property
    def height(self) -> float:
        """The height of all entries together."""
        return self._tops[-1]

    def top(self, number: int) -> float:
        """Returns where the entry begins, below the list's top."""
        return self._tops[number]

    def within(self, top: float, bottom: float) -> range:
        """Returns the numbers of the entries visible between two heights below the list's top."""
        return range(max(bisect_right(self._tops, top) - 1, 0), min(bisect_left(self._tops, bottom), len(self._known)))


_MENU = "of a line"
_COLOURS = {"info": theme.TEXT, "warning": theme.WARNING, "error": theme.BAD}


class LogPanel(Panel):
    """Shows messages, the newest at the bottom; a right-click copies one, or all."""

    title = "Log"
    place = "bottom"
    order = 9
    key = "-"

    def __init__(self) -> None:
        self._list: TallList[LogEntry] = TallList()
        self._asked_of: LogEntry | None = None

    def draw(self, app: App) -> None:
        """Draws all messages, and follows the newest unless the user has scrolled up."""
        scrolled, bottom = imgui.get_scroll_y(), imgui.get_scroll_max_y()
        entries, start = app.log.entries, imgui.get_cursor_pos_y()
        spacing = imgui.get_style().item_spacing
        text_width = imgui.get_content_region_avail().x - imgui.calc_text_size("00:00:00").x - spacing.x
        self._list.update(
            entries,
            max(text_width, 1.0),
            lambda entry: imgui.calc_text_size(entry.text, wrap_width=max(text_width, 1.0)).y + spacing.y,
        )
        for number in self._list.within(scrolled - start, scrolled - start + imgui.get_window_height()):
            imgui.set_cursor_pos_y(start + self._list.top(number))
            self._line(app, number, entries[number])
        imgui.set_cursor_pos_y(start + self._list.height)
        imgui.dummy(ImVec2(0, 0))
        if scrolled >= bottom - 1.0:
            imgui.set_scroll_here_y(1.0)
        self._menu(app)

    def _line(self, app: App, number: int, entry: LogEntry) -> None:
        imgui.text_disabled(entry.clock)
        imgui.same_line()
        imgui.push_style_color(int(imgui.Col_.text), theme.packed(_COLOURS[entry.level]))
        imgui.text_wrapped(entry.text)
        imgui.pop_style_color()
        app.mark(f"log {number}")
        if imgui.is_item_hovered() and imgui.is_mouse_released(imgui.MouseButton_.right):
            self._asked_of = entry
            imgui.open_popup(_MENU)

    def _menu(self, app: App) -> None:
        """Draws the menu of the clicked line, which may have scrolled away since."""
        if not imgui.begin_popup(_MENU):
            return
        whole = "\n".join(f"{each.clock} {each.level}: {each.text}" for each in app.log.entries)
        line = self._asked_of.text if self._asked_of is not None else ""
        controls.copy_entries(app, {"Copy this line": line, "Copy the whole log": whole})
        imgui.end_popup()


PANEL = LogPanel()
