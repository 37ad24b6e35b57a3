"""Draws the menu of a right-click on a shader line: run there, stop there, watch a name."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.pipeline.glsl.lines import Line
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.debugger.model.unrun import line_with_code
from texelscope.viewer.debugger.source.gutter import Gutter
from texelscope.viewer.debugger.source.text_marks import EditorPage


class TextMenu:
    """The menu; `_line` and `_name` are those that were clicked."""

    def __init__(self) -> None:
        self._line: Line = ("", 0)
        self._name = ""

    def work(self, app: App, page: EditorPage, gutter: Gutter) -> None:
        """Opens and draws the menu. Call inside the editor's child window, after its text was drawn."""
        mouse = imgui.get_mouse_pos()
        is_over = imgui.is_window_hovered() and gutter.row_at(page) is None
        if is_over and imgui.is_mouse_clicked(1):
            line = page.widget.get_doc_pos_at_mouse_pos(mouse).line + 1
            self._line = (page.file, line_with_code(page.widget.get_text(), line))
            word = page.widget.get_word_at_mouse_pos(mouse) if page.widget.is_mouse_pos_over_glyph(mouse) else ""
            self._name = word if word.isidentifier() else ""
            imgui.open_popup("text menu")
        if self._line[0] != page.file or not imgui.begin_popup("text menu"):
            return
        imgui.push_font(app.display.fonts.text, theme.FONT_PIXELS)
        self._offers(app, gutter)
        imgui.pop_font()
        imgui.end_popup()

    def _offers(self, app: App, gutter: Gutter) -> None:
        stepping, number = app.debugger.stepping, self._line[1]
        if stepping.is_on:
            if self._offered(app, f"Run to line {number}", "Ctrl+F10"):
                app.send("step_to_line", line=self._line)
            if self._offered(app, f"Run back to line {number}", "Ctrl+Shift+F10"):
                app.send("step_to_line", line=self._line, back=True)
        elif self._offered(app, "Step through the picked texel", "F10"):
            app.send("step_texel")
        imgui.separator()
        condition = stepping.breakpoints.get(self._line)
        if self._offered(app, f"{'Set' if condition is None else 'Remove'} breakpoint at line {number}", "F9"):
            app.send("set_breakpoint", line=self._line, condition="" if condition is None else None)
        if self._offered(app, "Breakpoint with a condition …"):
            gutter.ask(self._line, condition or "")
        if self._name:
            imgui.separator()
            if self._offered(app, f"Watch {self._name}") and self._name not in stepping.watches:
                stepping.watches.append(self._name)

    def _offered(self, app: App, text: str, keys: str = "") -> bool:
        chosen = bool(imgui.menu_item(text, keys, False)[0])
        app.mark(f"menu {text}")
        return chosen
