"""Sum: the terms that a fragment added up, beside the oracle's, with the first one where the two part ways."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from pipeline.trace.sums import Sums, Term
from viewer import theme
from viewer.app import App
from viewer.content.short_text import shortened
from viewer.panels.registry import Panel
from viewer.variables.sum_rows import number, parted, term_text, turn_text

_COLUMNS = (
    ("", 40.0),
    ("turn", 62.0),
    ("read", 0.0),
    ("value", 82.0),
    ("× weight", 82.0),
    ("= product", 88.0),
    ("share", 66.0),
    ("sum", 88.0),
    ("the oracle's", 88.0),
    ("apart", 78.0),
)
_SHARE_COLUMN = 6


class SumPanel(Panel):
    """A row a term, in the order of the fragment; a click steps to it."""

    title = "Sum"
    place = "bottom"
    order = 1
    comes_and_goes = True

    def __init__(self) -> None:
        self._scrolled_to: Sums | None = None

    def is_there(self, app: App) -> bool:
        """While a fragment is stepped through."""
        return app.stepping.is_on

    def draw(self, app: App) -> None:
        """What became of the sum in a line, then its terms."""
        sums = app.stepping.sums
        if sums is None:
            imgui.text_disabled("Adding up what the fragment added, beside the oracle …")
            return
        _conclusion(app, sums)
        if sums.terms:
            self._terms(app, sums)

    def _terms(self, app: App, sums: Sums) -> None:
        flags = imgui.TableFlags_.sizing_fixed_fit | imgui.TableFlags_.scroll_y | imgui.TableFlags_.row_bg
        if not imgui.begin_table("terms", len(_COLUMNS), int(flags | imgui.TableFlags_.no_saved_settings)):
            return
        imgui.table_setup_scroll_freeze(0, 1)
        for title, width in _COLUMNS:
            kind = imgui.TableColumnFlags_.width_fixed if width else imgui.TableColumnFlags_.width_stretch
            imgui.table_setup_column(title, int(kind), width * app.scale if width else 1.0)
        imgui.table_headers_row()
        height = imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y
        if self._scrolled_to is not sums:
            self._scrolled_to = sums
            if sums.first_wrong is not None:
                imgui.set_scroll_y(max((sums.first_wrong + 0.5) * height - imgui.get_window_height() / 2, 0.0))
        clipper = imgui.ListClipper()
        clipper.begin(len(sums.terms), height)
        while clipper.step():
            for place in range(clipper.display_start, clipper.display_end):
                _term(app, sums, place)
        imgui.end_table()


def _conclusion(app: App, sums: Sums) -> None:
    """What the first wrong term is, a way there, and what was never added."""
    if sums.first_wrong is not None:
        if imgui.button("Step to the first wrong term"):
            app.send("step_to", number=sums.terms[sums.first_wrong].step)
        app.mark("first wrong term")
        imgui.same_line()
    is_right = bool(sums.terms) and sums.first_wrong is None and not sums.missing
    colour = theme.GOOD if is_right else theme.BAD if sums.terms else theme.QUIET
    room = imgui.get_content_region_avail().x
    imgui.align_text_to_frame_padding()
    imgui.text_colored(colour, shortened(sums.reason, room))
    imgui.set_item_tooltip(sums.reason)
    app.mark("sum conclusion")


def _term(app: App, sums: Sums, place: int) -> None:
    term, index, session = sums.terms[place], app.stepping.index, app.document.session
    is_here = place == sums.first_wrong
    imgui.table_next_row()
    if is_here:
        imgui.table_set_bg_color(int(imgui.TableBgTarget_.row_bg1), theme.packed(theme.BAD, 0.22))
    imgui.table_next_column()
    span = int(imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap)
    if imgui.selectable(f"##{place}", app.stepping.at == term.step, span)[0]:
        app.send("step_to", number=term.step)
    app.mark(f"term {place}")
    if imgui.is_item_hovered():
        if term.reads:
            app.looking.light(term.reads[0].key, term.reads[0].texel, imgui.get_frame_count())
        imgui.set_tooltip(_told(term))
    imgui.same_line(0, 0)
    if is_here:
        imgui.text_colored(theme.BAD, "here")
    else:
        imgui.text_disabled(f"{place + 1:,}")
    colour = theme.BAD if term.wrong else theme.TEXT
    imgui.table_next_column()
    imgui.text_disabled(turn_text(index.step(term.step)) if index is not None else "")
    imgui.table_next_column()
    stored = session.plan.textures if session is not None else {}
    imgui.text_colored(colour, shortened(term_text(term, stored), imgui.get_content_region_avail().x))
    imgui.push_font(app.fonts.mono, 0.0)
    for value in (term.value, term.weight, term.product):
        imgui.table_next_column()
        _right(number(None if value is None else float(value)), colour)
    imgui.table_next_column()
    _share(app, term)
    for value in (term.running, term.expected_running, parted(term)):
        imgui.table_next_column()
        _right(number(value), colour)
    imgui.pop_font()


def _told(term: Term) -> str:
    expected = f"The oracle adds {number(term.expected, 9)} here." if term.expected is not None else ""
    lines = (term.text, expected, "A click steps to it.")
    return "\n".join(line for line in lines if line)


def _share(app: App, term: Term) -> None:
    """A bar of the term's share of all that was added."""
    corner, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    height = imgui.get_text_line_height()
    wide = room * min(max(term.share, 0.0), 1.0)
    colour = theme.packed(theme.BAD if term.wrong else theme.ACCENT, 0.45)
    low, high = ImVec2(corner.x, corner.y + 2 * app.scale), ImVec2(corner.x + max(wide, 1.0), corner.y + height - 2)
    imgui.get_window_draw_list().add_rect_filled(low, high, colour, 1.0)
    imgui.text_disabled(f"{100 * term.share:.3g} %")


def _right(text: str, colour: theme.Colour) -> None:
    """A number that ends where its column does."""
    left = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(left, 0.0))
    imgui.text_colored(colour, text)


PANEL = SumPanel()
