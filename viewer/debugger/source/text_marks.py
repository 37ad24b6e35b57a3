"""Draws a trace over the text of its shader, after the editor has drawn it: lines, values, breakpoints.

Positions in the editor are pixels of the screen; its lines count from 0, those of traces from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from imgui_bundle import ImVec2, imgui
from imgui_bundle import imgui_color_text_edit as text_edit

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.stepping.index import TraceIndex
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.debugger.model.words import BRIEF_FIGURES, assigned_words, read_words, value_words
from texelscope.viewer.widgets.controls import shortened

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.trace import Assigned, TraceStep

# Widths in characters: of the margin for breakpoints, and of the gap between a line and its values.
MARGIN_GLYPHS = 3
_GAP_GLYPHS = 3
# Lines that stay visible above and below a step.
_AROUND = 3
_MOST_READS = 2
# The largest part of the panel's width for values, where their line is long.
_MOST_SHARE = 0.45


@dataclass(frozen=True)
class EditorPage:
    """A text in its editor: `file` as traces name it; `is_as_run` if it is the traced text, line for line."""

    widget: text_edit.TextEditor
    file: str
    name: str
    is_as_run: bool

    def rows(self) -> range:
        """Returns the numbers of the visible lines, from 0."""
        last = min(self.widget.get_last_visible_row() + 1, self.widget.get_line_count() - 1)
        return range(self.widget.get_first_visible_row(), last + 1)

    def start(self, row: int) -> ImVec2:
        """Returns where a line begins."""
        return self.widget.doc_pos2_screen_pos(text_edit.TextEditor.DocPos(row, 0))


def prepare(app: App, page: EditorPage) -> None:
    """Prepares the editor before it draws: room for breakpoints; the line that runs next gets the caret."""
    page.widget.set_line_number_left_margin(MARGIN_GLYPHS)
    place = app.debugger.stepping.place
    is_here = app.debugger.stepping.of is not None and app.debugger.stepping.of[0] == page.name
    if not is_here or place is None or place[0][0] != page.file or app.debugger.stepping.shown == place:
        return
    app.debugger.stepping.shown = place
    row = place[0][1] - 1
    if page.is_as_run:
        code = page.widget.get_line_text(row)
        page.widget.set_cursor(text_edit.TextEditor.DocPos(row, len(code) - len(code.lstrip())))
    first, last = page.widget.get_first_visible_row(), page.widget.get_last_visible_row()
    around = min(_AROUND, max((last - first) // 3, 0))
    if not first + around <= row <= last - around - 1:
        page.widget.scroll_to_line(row, text_edit.TextEditor.Scroll.align_middle)


def wanted_file(app: App, name: str) -> str | None:
    """Returns the file to bring to the front: that of a step that was not shown yet."""
    place = app.debugger.stepping.place
    if place is None or app.debugger.stepping.of is None or app.debugger.stepping.of[0] != name:
        return None
    return place[0][0] if app.debugger.stepping.shown != place else None


def draw(app: App, page: EditorPage) -> None:
    """Draws everything over the text, after the editor. Call where the editor's child window can be entered."""
    stepping = app.debugger.stepping
    marks = imgui.get_window_draw_list()
    left, right = imgui.get_window_pos().x, imgui.get_window_pos().x + imgui.get_window_size().x
    height, glyph = page.widget.get_line_height(), page.widget.get_glyph_width()
    index = stepping.index
    is_traced = index is not None and stepping.of is not None and stepping.of[0] == page.name
    if index is not None and is_traced and page.is_as_run and not stepping.is_stale:
        _Lines(app, page, index, left, right).draw(marks)
    elif is_traced and not page.is_as_run:
        _not_as_run(app, marks, right - glyph, height)
    for row in page.rows():
        condition = stepping.breakpoints.get((page.file, row + 1))
        if condition is not None:
            middle = ImVec2(left + 1.4 * glyph, page.start(row).y + height / 2)
            _breakpoint(marks, middle, height * 0.32, conditional=bool(condition))
            app.display.places[f"breakpoint {row + 1}"] = (left, middle.y - height / 2, 3 * glyph, height)


def _breakpoint(marks: imgui.ImDrawList, middle: ImVec2, radius: float, *, conditional: bool) -> None:
    """Draws a red dot, with a bar in it for a condition."""
    marks.add_circle_filled(middle, radius, theme.packed(theme.BAD), 16)
    if conditional:
        for y in (-0.3, 0.3):
            left, right = (ImVec2(middle.x + x * radius, middle.y + y * radius) for x in (-0.55, 0.55))
            marks.add_line(left, right, theme.packed(theme.PANEL), max(radius * 0.28, 1.0))


def _not_as_run(app: App, marks: imgui.ImDrawList, right: float, height: float) -> None:
    """Draws a note that the text is not the traced one: no line of it has a value."""
    text = "text changed since the trace: no values to show"
    width, top = imgui.calc_text_size(text).x, imgui.get_window_pos().y
    corner = ImVec2(right - width - 8, top)
    marks.add_rect_filled(ImVec2(corner.x - 8, top), ImVec2(right, top + height + 4), theme.packed(theme.RAISED), 3.0)
    marks.add_text(ImVec2(corner.x, top + 2), theme.packed(theme.WARNING), text)
    app.display.places["not as run"] = (corner.x, top, width, height)


def _row_under_mouse(page: EditorPage) -> int | None:
    """Returns the line, from 0, under the mouse, whose text must not be covered."""
    if not imgui.is_window_hovered():
        return None
    row: int = page.widget.get_doc_pos_at_mouse_pos(imgui.get_mouse_pos()).line
    return row


class _Lines:
    """Draws the lines of a page: the one that runs next, those that never run, and each line's last assignments."""

    def __init__(self, app: App, page: EditorPage, index: TraceIndex, left: float, right: float) -> None:
        self._app, self._page, self._index = app, page, index
        self._left, self._right = left, right
        self._height, self._glyph = page.widget.get_line_height(), page.widget.get_glyph_width()
        self._row_under_mouse = _row_under_mouse(page)
        self._unrun = index.unrun(page.file, page.widget.get_text) if index.is_whole else frozenset()

    def draw(self, marks: imgui.ImDrawList) -> None:
        """Draws all visible lines."""
        step = self._app.debugger.stepping.step
        for row in self._page.rows():
            start = self._page.start(row)
            text = self._page.widget.get_line_text(row)
            if step is not None and step.line == (self._page.file, row + 1):
                self._current(marks, row, start)
            elif row + 1 in self._unrun:
                self._faint(marks, start)
            self._values(marks, (self._page.file, row + 1), start, text)
        self._parts(marks)

    def _current(self, marks: imgui.ImDrawList, row: int, start: ImVec2) -> None:
        """Draws an arrow in the margin and a bar behind the line."""
        bottom = start.y + self._height
        marks.add_rect_filled(
            ImVec2(self._left, start.y), ImVec2(self._right, bottom), theme.packed(theme.CURRENT, 0.2)
        )
        x, y, reach = self._left + 2.7 * self._glyph, start.y + self._height / 2, self._height * 0.28
        tip = ImVec2(x, y)
        back = ImVec2(x - 1.6 * reach, y - reach), ImVec2(x - 1.6 * reach, y + reach)
        marks.add_triangle_filled(tip, *back, theme.packed(theme.CURRENT))
        self._app.display.places["current line"] = (self._left, start.y, self._right - self._left, self._height)
        self._app.display.places[f"line {row + 1}"] = self._app.display.places["current line"]

    def _parts(self, marks: imgui.ImDrawList) -> None:
        """Marks the line where the running sum first differs from the oracle's, in its margin."""
        step = self._app.debugger.stepping.first_wrong
        if step is None or step.line[0] != self._page.file or step.line[1] - 1 not in self._page.rows():
            return
        start = self._page.start(step.line[1] - 1)
        bottom = start.y + self._height
        marks.add_rect_filled(ImVec2(self._left, start.y), ImVec2(self._left + 3.0, bottom), theme.packed(theme.BAD))
        self._app.display.places["line of the first wrong turn"] = (
            self._left,
            start.y,
            self._right - self._left,
            self._height,
        )

    def _faint(self, marks: imgui.ImDrawList, start: ImVec2) -> None:
        """Draws the text faint, because this fragment never ran the line."""
        corner, end = ImVec2(start.x, start.y), ImVec2(self._right, start.y + self._height)
        marks.add_rect_filled(corner, end, theme.packed(theme.PANEL, 0.55))

    def _values(self, marks: imgui.ImDrawList, line: Line, start: ImVec2, text: str) -> None:
        """Draws the line's last assignments behind its end; highlighted if the last motion made them."""
        at = self._app.debugger.stepping.at
        assigned = self._index.values_on(line, at)
        last = self._index.last_on(line, at)
        whole = _line_text(assigned, last, brief=False)
        if not whole:
            return
        code = text.expandtabs(4).split("//")[0].rstrip()
        x = start.x + (len(code) + _GAP_GLYPHS) * self._glyph
        room = self._right - self._glyph - x
        if imgui.calc_text_size(whole).x > room:  # values must be legible: the end of the line is covered
            if self._row_under_mouse == line[1] - 1:
                return
            whole = _line_text(assigned, last, brief=True)
        width = min(imgui.calc_text_size(whole).x, (self._right - self._left) * _MOST_SHARE)
        latest = self._right - width - 2 * self._glyph
        if x > latest or len(code) < len(text.rstrip()):
            x = min(x, latest)
            corner, end = ImVec2(x - self._glyph, start.y), ImVec2(x + width + self._glyph, start.y + self._height)
            marks.add_rect_filled(corner, end, theme.packed(theme.RAISED), 3.0)
        shown = shortened(whole, width + 1.0)
        since = min(self._app.debugger.stepping.was, at)
        is_new = any(each.begun > since for each in assigned)
        marks.add_text(ImVec2(x, start.y), theme.packed(theme.WARNING if is_new else theme.GOOD, 0.9), shown)


def _line_text(assigned: tuple[Assigned, ...], last: TraceStep | None, *, brief: bool) -> str:
    """Returns what a line did when it ran last: what it assigned, else what it read, else how it branched.

    In brief, values without names, in four figures.
    """
    if assigned and brief:
        return ",  ".join(value_words(each.value, BRIEF_FIGURES) for each in assigned)
    if assigned:
        return ",  ".join(assigned_words(each) for each in assigned)
    if last is not None and last.reads:
        return ",  ".join(read_words(read) for read in last.reads[:_MOST_READS])
    return "" if last is None or last.branch is None else "true" if last.branch else "false"
