"""Log: what happened, what went wrong, what to do next."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer import theme
from viewer.app import App
from viewer.panels.registry import Panel
from viewer.widgets import copying

_COLOURS = {"info": theme.TEXT, "warning": theme.WARNING, "error": theme.BAD}


class LogPanel(Panel):
    """Messages, the newest at the bottom; a right-click copies one, or all."""

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
            app.mark(f"log {number}")
            if imgui.begin_popup_context_item("of a line"):
                whole = "\n".join(f"{each.clock} {each.level}: {each.text}" for each in app.log.entries)
                copying.entries(app, {"Copy this line": entry.text, "Copy the whole log": whole})
                imgui.end_popup()
            imgui.pop_id()
        if at_end:
            imgui.set_scroll_here_y(1.0)


PANEL = LogPanel()
