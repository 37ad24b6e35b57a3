"""Handles the margin beside a shader's lines: a click sets a breakpoint, a right-click gives it a condition."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui
from imgui_bundle import imgui_color_text_edit as text_edit

from texelscope.pipeline.glsl.lines import Line
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.debugger.model.unrun import line_with_code
from texelscope.viewer.debugger.source.text_marks import EditorPage

_WIDTH_PIXELS = 340.0


class Gutter:
    """Breakpoints of the visible text; `_asked` is the line whose condition is being typed."""

    def __init__(self) -> None:
        self._asked: Line | None = None
        self._condition = ""

    def row_at(self, page: EditorPage) -> int | None:
        """Returns the line, from 0, whose margin the mouse is in; None elsewhere. Call in the editor's child window."""
        if not imgui.is_window_hovered():
            return None
        mouse, left = imgui.get_mouse_pos(), imgui.get_window_pos().x
        start = page.start(page.widget.get_first_visible_row())
        if not left <= mouse.x < start.x - page.widget.get_glyph_width():
            return None
        row: int = page.widget.get_doc_pos_at_mouse_pos(ImVec2(start.x + 1.0, mouse.y)).line
        below = page.start(row).y + page.widget.get_line_height()
        return row if mouse.y < below else None

    def work(self, app: App, page: EditorPage) -> None:
        """Handles clicks. Call inside the editor's child window, after its text was drawn."""
        row = self.row_at(page)
        if row is not None:
            line = (page.file, row + 1)
            condition = app.debugger.stepping.breakpoints.get(line)
            said = "Click to set a breakpoint (F9); right-click to set one with a condition."
            if condition is not None:
                said = f"Breakpoint{f' where {condition}' if condition else ''}. Click to remove it."
                refused = (
                    app.debugger.stepping.trace.refused.get(condition)
                    if app.debugger.stepping.trace is not None
                    else None
                )
                said += f"\nIts condition cannot be evaluated: {refused}" if refused else ""
            imgui.set_tooltip(said)
            clicked, asked = imgui.is_mouse_clicked(0), imgui.is_mouse_clicked(1)
            if (clicked or asked) and condition is None:
                line = (page.file, line_with_code(page.widget.get_text(), row + 1))
            if clicked:
                app.send("set_breakpoint", line=line, condition="" if condition is None else None)
            elif asked:
                self._asked, self._condition = line, condition or ""
        if self._asked is not None and self._asked[0] == page.file:
            self._ask(app, self._asked)

    def ask(self, line: Line, condition: str) -> None:
        """Opens the field for the condition of a line's breakpoint in the next frame."""
        self._asked, self._condition = line, condition

    def _ask(self, app: App, line: Line) -> None:
        opening = not imgui.is_popup_open("condition")
        if opening:
            imgui.open_popup("condition")
        if not imgui.begin_popup("condition"):
            self._asked = None
            return
        imgui.push_font(app.display.fonts.text, theme.FONT_PIXELS)
        imgui.text_disabled(f"Stop at line {line[1]} where")
        imgui.set_next_item_width(_WIDTH_PIXELS * app.scale)
        imgui.push_font(app.display.fonts.mono, theme.FONT_PIXELS)
        if opening:
            imgui.set_keyboard_focus_here()
        entered, self._condition = imgui.input_text_with_hint(
            "##condition", "i == 3 && x < 0.0", self._condition, int(imgui.InputTextFlags_.enter_returns_true)
        )
        imgui.pop_font()
        app.mark("condition")
        imgui.text_disabled("A GLSL expression of variables in scope; empty: always. The driver evaluates it.")
        if imgui.button("Set") or entered:
            app.send("set_breakpoint", line=line, condition=self._condition)
            self._asked = None
        app.mark("set breakpoint")
        imgui.same_line()
        if imgui.button("Remove breakpoint"):
            app.send("set_breakpoint", line=line, condition=None)
            self._asked = None
        if self._asked is None:
            imgui.close_current_popup()
        imgui.pop_font()
        imgui.end_popup()


def caret_line(page: EditorPage) -> Line:
    """Returns the line of the caret."""
    position: text_edit.TextEditor.DocPos = page.widget.get_main_cursor_position()
    return page.file, position.line + 1
