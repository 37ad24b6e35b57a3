"""Shows the newest warning or error over the lower edge of the window for a while: the log may be hidden."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.document.log import LogEntry

SECONDS = 12.0
_WIDTH = 620.0


class Notice:
    """Shows an entry of the log until its time is over, it is clicked, or a newer one comes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._newest: LogEntry | None = None
        self._shown: LogEntry | None = None
        self._until = 0.0
        self._of_shader: LogEntry | None = None

    def update(self, entries: list[LogEntry]) -> LogEntry | None:
        """Adds what was logged since the last call; returns the entry to show, if there is one."""
        new = entries[self._known(entries) :]
        self._newest = entries[-1] if entries else None
        for entry in new:
            if entry.level != "info":
                self._shown, self._until = entry, self._clock() + SECONDS
        if self._shown is not None and self._clock() >= self._until:
            self._shown = None
        return self._shown

    def dismiss(self) -> None:
        """Hides the entry, which was read."""
        self._shown = None

    def seconds_left(self) -> float:
        """Returns how long the window may sleep."""
        return max(self._until - self._clock(), 0.0) if self._shown is not None else math.inf

    def draw(self, app: App) -> None:
        """Draws the box, unless a panel shows the same problem in full, or the problem was fixed."""
        entry = self.update(app.log.entries)
        if entry is None or app.document.failure is not None or self._is_shown(app, entry):
            return
        screen, wide = imgui.get_main_viewport().size, _WIDTH * app.scale
        imgui.set_next_window_pos(ImVec2(screen.x / 2, screen.y - 14 * app.scale), 0, ImVec2(0.5, 1.0))
        imgui.set_next_window_size(ImVec2(min(wide, screen.x * 0.9), 0))
        flags = imgui.WindowFlags_
        fixed = flags.no_decoration | flags.no_docking | flags.no_saved_settings | flags.no_move | flags.no_nav
        colour = theme.BAD if entry.level == "error" else theme.WARNING
        imgui.push_style_var(int(imgui.StyleVar_.window_border_size), 1.0)
        imgui.push_style_color(int(imgui.Col_.border), theme.packed(colour))
        imgui.push_style_color(int(imgui.Col_.window_bg), theme.packed(theme.RAISED))
        imgui.begin("Notice", None, int(fixed | flags.no_focus_on_appearing))
        imgui.pop_style_color(2)
        imgui.pop_style_var()
        imgui.internal.bring_window_to_display_front(imgui.internal.get_current_window())
        self._words(app, entry, colour)
        imgui.end()

    def _is_shown(self, app: App, entry: LogEntry) -> bool:
        """Returns whether the shader panel shows this error; dismisses one that no pass has any more."""
        session = app.document.session
        errors = {each.name: session.shader_error(each.name) for each in app.document.passes} if session else {}
        texts = {str(error) for error in errors.values() if error is not None}
        if entry.text in texts:
            self._of_shader = entry
        elif entry is self._of_shader:
            self.dismiss()
            return True
        return entry.text == str(errors.get(app.selected or ""))

    def _words(self, app: App, entry: LogEntry, colour: theme.Colour) -> None:
        right = imgui.get_content_region_avail().x - imgui.get_frame_height() * 1.2
        imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + right)
        imgui.text_colored(colour, entry.text)
        imgui.pop_text_wrap_pos()
        imgui.same_line(imgui.get_cursor_pos_x() + right + 4 * app.scale)
        if imgui.small_button("×"):
            self.dismiss()
        app.mark("dismiss notice")

    def _known(self, entries: list[LogEntry]) -> int:
        """Returns how many of the entries were there at the last call; the oldest may be dropped since."""
        for position in range(len(entries) - 1, -1, -1):
            if entries[position] is self._newest:
                return position + 1
        return 0
