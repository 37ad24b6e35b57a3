"""Log: what happened, what went wrong, what to do next."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer import theme
from viewer.app import App
from viewer.panels.registry import Panel

_COLOURS = {"info": theme.TEXT, "warning": theme.WARNING, "error": theme.BAD}


class LogPanel(Panel):
    """Messages, the newest at the bottom; a right-click copies one."""

    title = "Log"
    place = "bottom"
    order = 9

    def draw(self, app: App) -> None:
        """All messages, kept at the newest while the user has not scrolled up."""
        at_end = imgui.get_scroll_y() >= imgui.get_scroll_max_y() - 1.0
        for number, entry in enumerate(app.log.entries):
            imgui.push_id(number)
            imgui.text_disabled(entry.clock)
            imgui.same_line()
            imgui.push_style_color(int(imgui.Col_.text), theme.packed(_COLOURS[entry.level]))
            imgui.text_wrapped(entry.text)
            imgui.pop_style_color()
            if imgui.is_item_clicked(1):
                imgui.set_clipboard_text(entry.text)
            imgui.pop_id()
        if at_end:
            imgui.set_scroll_here_y(1.0)


PANEL = LogPanel()
