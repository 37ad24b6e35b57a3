"""Handles the mouse over a shader that is stepped through: breakpoints, values of names, the menu of a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import ImVec2, imgui
from imgui_bundle import imgui_color_text_edit as text_edit

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.stepping.index import TraceIndex
from texelscope.pipeline.stepping.unrun import line_with_code
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.debugger.model.words import value_words
from texelscope.viewer.debugger.source.text_marks import EditorPage
from texelscope.viewer.key_names import with_keys

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.trace import SamplerState, Trace

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


# The most elements of an array that are shown.
_MOST = 12


def draw(app: App, page: EditorPage) -> None:
    """Draws a tooltip beside the mouse. Call inside the editor's child window, after its text was drawn."""
    stepping, index = app.debugger.stepping, app.debugger.stepping.index
    is_traced = stepping.of is not None and stepping.of[0] == page.name and page.is_as_run and not stepping.is_stale
    if index is None or not is_traced or not imgui.is_window_hovered():
        return
    mouse = imgui.get_mouse_pos()
    if not page.widget.is_mouse_pos_over_glyph(mouse):
        return
    lines = hovered(index, stepping.at, page.widget.get_word_at_mouse_pos(mouse))
    if not lines:
        return
    imgui.begin_tooltip()
    imgui.push_font(app.display.fonts.mono, theme.FONT_PIXELS)
    for text in lines:
        imgui.text_unformatted(text)
    imgui.pop_font()
    imgui.end_tooltip()
    app.display.places["hovered value"] = (mouse.x, mouse.y, 1.0, 1.0)


def hovered(index: TraceIndex, at: int, name: str) -> tuple[str, ...]:
    """Returns lines about a name before step `at`: its value, or an array's elements; empty for no variable."""
    found = [
        each for each in index.variables(at) if each.name == name or each.name.startswith((f"{name}[", f"{name}."))
    ]
    if found:
        lines = [f"{each.type} {each.name} = {value_words(each.value)}" for each in found[:_MOST]]
        return (*lines, "…") if len(found) > _MOST else tuple(lines)
    return _given(index.trace, name)


def _given(trace: Trace, name: str) -> tuple[str, ...]:
    if name == "gl_FragCoord":
        return (f"vec4 gl_FragCoord = {value_words(trace.frag_coord)}",)
    for values, kind in ((trace.uniforms, "uniform"), (trace.constants, "const")):
        if name in values:
            return (f"{kind} {name} = {value_words(values[name])}",)
    sampler = next((each for each in trace.samplers if each.uniform == name), None)
    return _sampler(sampler) if sampler is not None else ()


def _sampler(sampler: SamplerState) -> tuple[str, ...]:
    width, height = sampler.size
    return (f"sampler {sampler.uniform}: {sampler.key}, {width} x {height}, {sampler.filter}, {sampler.wrap}",)


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
            if self._offered(app, f"Run to line {number}", with_keys("Ctrl+F10")):
                app.send("step_to_line", line=self._line)
            if self._offered(app, f"Run back to line {number}", with_keys("Ctrl+Shift+F10")):
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
