"""The Sum panel lists the terms that a fragment added, beside the oracle's, and marks the first that differs."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TYPE_CHECKING

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.stepping.sum_words import (
    elements_of,
    factors_text,
    number,
    parted,
    read_of_value,
    read_texts,
    term_text,
    turn_text,
)
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.debugger.tables import read_list
from texelscope.viewer.panel import Panel
from texelscope.viewer.widgets.controls import shortened

if TYPE_CHECKING:  # imported with the first fragment that is stepped through
    from texelscope.pipeline.step_trace.sums import FragmentSum, SumTerm


# Title, width at a scale of 1 (0: the rest), and the least panel width at which the column is shown.
_COLUMNS = (
    ("", 38.0, 0.0),
    ("turn", 46.0, 0.0),
    ("read", 0.0, 0.0),
    ("value × weight", 136.0, 0.0),
    ("product", 70.0, 560.0),
    ("share", 52.0, 700.0),
    ("sum", 70.0, 0.0),
    ("oracle", 70.0, 0.0),
    ("apart", 70.0, 760.0),
)
_DIGITS = 5


class SumPanel(Panel):
    """Lists the terms in the fragment's order; a click steps to one."""

    title = "Sum"
    place = "bottom"
    order = 1
    key = ";"
    comes_and_goes = True

    def __init__(self) -> None:
        self.let_go()

    def let_go(self) -> None:
        """Releases the rows: sums have thousands of terms."""
        self._scrolled_to: FragmentSum | None = None
        self._elements: tuple[int, ...] = ()

    def is_there(self, app: App) -> bool:
        """Returns whether a fragment is stepped through."""
        return app.debugger.stepping.is_on

    def draw(self, app: App) -> None:
        """Draws a conclusion in a line, then the terms."""
        sums = app.debugger.stepping.sums
        if sums is None:
            imgui.text_disabled("Comparing the fragment's sum with the oracle's …")
            return
        _conclusion(app, sums)
        if sums.terms:
            self._terms(app, sums)

    def _terms(self, app: App, sums: FragmentSum) -> None:
        width = imgui.get_content_region_avail().x / app.scale
        columns = [each for each in _COLUMNS if width >= each[2]]
        flags = imgui.TableFlags_.sizing_fixed_fit | imgui.TableFlags_.scroll_y | imgui.TableFlags_.row_bg
        if not imgui.begin_table("terms", len(columns), int(flags | imgui.TableFlags_.no_saved_settings)):
            return
        imgui.table_setup_scroll_freeze(0, 1)
        for title, wide, _ in columns:
            kind = imgui.TableColumnFlags_.width_fixed if wide else imgui.TableColumnFlags_.width_stretch
            imgui.table_setup_column(title, int(kind), wide * app.scale if wide else 1.0)
        imgui.table_next_row(int(imgui.TableRowFlags_.headers))
        for title, _, _ in columns:
            imgui.table_next_column()
            (imgui.text_disabled if title in ("", "turn", "read") else _right)(title)
        height = imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y
        if self._scrolled_to is not sums:
            self._scrolled_to, self._elements = sums, elements_of(sums.terms)
            if sums.first_wrong is not None:
                imgui.set_scroll_y(max((sums.first_wrong + 0.5) * height - imgui.get_window_height() / 2, 0.0))
        clipper = imgui.ListClipper()
        clipper.begin(len(sums.terms), height)
        while clipper.step():
            for place in range(clipper.display_start, clipper.display_end):
                _term(app, sums, place, self._elements[place], {title for title, _, _ in columns})
        imgui.end_table()


def _conclusion(app: App, sums: FragmentSum) -> None:
    """Draws the first wrong term with a link, and what was never added."""
    if sums.first_wrong is not None:
        if imgui.button("Step to it"):
            app.send("step_first_wrong")
        app.mark("first wrong term")
        imgui.same_line()
    is_right = bool(sums.terms) and sums.first_wrong is None
    colour = theme.GOOD if is_right else theme.BAD if sums.terms else theme.QUIET
    room = imgui.get_content_region_avail().x
    imgui.align_text_to_frame_padding()
    imgui.text_colored(colour, shortened(sums.reason, room))
    imgui.set_item_tooltip(sums.reason)
    app.mark("sum conclusion")


def _term(app: App, sums: FragmentSum, place: int, element: int, columns: Set[str]) -> None:
    term, index, session = sums.terms[place], app.debugger.stepping.index, app.document.session
    is_here = place == sums.first_wrong
    imgui.table_next_row()
    if is_here:
        imgui.table_set_bg_color(int(imgui.TableBgTarget_.row_bg1), theme.packed(theme.BAD, 0.22))
    imgui.table_next_column()
    span = int(imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap)
    if imgui.selectable(f"##{place}", app.debugger.stepping.at == term.step, span)[0]:
        app.send("step_to", number=term.step)
    app.mark(f"term {place}")
    stored = session.plan.textures if session is not None else {}
    if imgui.is_item_hovered():
        if term.reads:
            read = read_of_value(term)
            read_list.tooltip(app, _tooltip_text(term, stored), read.key, read.texel)
        else:
            imgui.set_tooltip(_tooltip_text(term, stored))
    imgui.same_line(0, 0)
    if is_here:
        imgui.text_colored(theme.BAD, "here")
    else:
        imgui.text_disabled(f"{place + 1:,}")
    imgui.table_next_column()
    imgui.text_disabled(turn_text(index.step(term.step)) if index is not None else "")
    imgui.table_next_column()
    colour = theme.BAD if term.wrong else theme.TEXT
    imgui.text_colored(colour, shortened(term_text(term, stored, element), imgui.get_content_region_avail().x))
    _numbers(app, term, columns)


def _numbers(app: App, term: SumTerm, columns: Set[str]) -> None:
    colour = theme.BAD if term.wrong else theme.TEXT
    texts = {
        "value × weight": factors_text(term),
        "product": number(term.product, _DIGITS),
        "share": "",
        "sum": number(term.running, _DIGITS),
        "oracle": number(term.expected_running, _DIGITS),
        "apart": number(parted(term), 3),
    }
    imgui.push_font(app.display.fonts.mono, theme.FONT_PIXELS * 0.9)
    for title, text in texts.items():
        if title in columns:
            imgui.table_next_column()
            if title == "share":
                _share(app, term)
            else:
                _right(text, colour)
    imgui.pop_font()


def _tooltip_text(term: SumTerm, stored: Mapping[str, StoredTensor]) -> str:
    expected = f"The oracle adds {number(term.expected, 9)} here." if term.expected is not None else ""
    lines = (term.text, *read_texts(term, stored), expected, "Click to step to it.")
    return "\n".join(line for line in lines if line)


def _share(app: App, term: SumTerm) -> None:
    """Draws a bar of the term's share of the sum."""
    corner, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    height = imgui.get_text_line_height()
    wide = room * min(max(term.share, 0.0), 1.0)
    colour = theme.packed(theme.BAD if term.wrong else theme.ACCENT, 0.45)
    low, high = ImVec2(corner.x, corner.y + 2 * app.scale), ImVec2(corner.x + max(wide, 1.0), corner.y + height - 2)
    imgui.get_window_draw_list().add_rect_filled(low, high, colour, 1.0)
    _right(f"{100 * term.share:.2g} %", theme.QUIET)


def _right(text: str, colour: theme.Colour = theme.QUIET) -> None:
    """Draws a number right-aligned in its column."""
    left = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(left, 0.0))
    imgui.text_colored(colour, text)


PANEL = SumPanel()
