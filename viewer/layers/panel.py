"""The Layers panel lists inputs and passes in order, with thumbnail, verdict, operator, shape, time and worst error."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from imgui_bundle import ImVec2, imgui

from texelscope.layouts.outside_text import printable
from texelscope.pipeline.compare.report import LARGEST_RATIO, ratio_text
from texelscope.pipeline.compare.words import grouped
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gradients.links import SIGN
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.canvas.thumbnails import LIVE_SECONDS, Thumbnail
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.layers import menu as layer_menu
from texelscope.viewer.layers.injecting import is_injected
from texelscope.viewer.layers.row_size import RowSize, draw_button, draw_line, row_size
from texelscope.viewer.panel import Panel
from texelscope.viewer.runs.model.change_words import Tone, layer_words
from texelscope.viewer.texture.shown import black_and_white_of, data_range
from texelscope.viewer.widgets import controls
from texelscope.viewer.widgets.controls import shortened, shortened_name, shortened_operator

TONES: Mapping[Tone, theme.Colour] = MappingProxyType(
    {
        "same": theme.FAINT,
        "within": theme.QUIET,
        "better": theme.GOOD,
        "worse": theme.BAD,
        "changed": theme.WARNING,
    }
)


class LayersPanel(Panel):
    """Lists inputs and passes in order, with thumbnail, verdict and figures."""

    title = "Layers"
    place = "left"
    key = "1"
    in_front = True

    def __init__(self) -> None:
        self._scrolled_to: str | None = None

    def draw(self, app: App) -> None:
        """Draws a filter, then a row for each layer."""
        if app.document.session is None:
            imgui.text_disabled("Nothing is open.")
            imgui.text_wrapped(with_keys("Open a model or a pipeline with Ctrl+O, or drop one here."))
            return
        imgui.set_next_item_width(-110.0 * app.scale - imgui.get_frame_height_with_spacing())
        if app.state.wanted_filter:
            imgui.set_keyboard_focus_here()
            app.state.wanted_filter = False
        changed, text = imgui.input_text_with_hint("##filter", "Filter", app.state.filter_text)
        if changed:
            app.state.filter_text = text
        imgui.same_line()
        _, app.state.only_wrong = controls.checkbox("Only wrong", app.state.only_wrong)
        app.mark("only wrong")
        imgui.same_line()
        draw_button(app)
        captured = app.analyses.captured.shown_beside(app.document.session)
        if captured is not None:
            _legend(app, captured.renderer)
        imgui.separator()
        # While the list has the keyboard its arrow keys choose layers; elsewhere they move the pick.
        focused = int(imgui.InputFlags_.route_focused | imgui.InputFlags_.repeat)
        for key, command in ((imgui.Key.up_arrow, "previous"), (imgui.Key.down_arrow, "next")):
            if not imgui.get_io().want_text_input and imgui.shortcut(int(key), focused):
                app.send(command)
        imgui.begin_child("rows", ImVec2(0, 0), 0, int(imgui.WindowFlags_.no_nav_inputs))
        shown = [name for name in app.layer_names() if _passes_filter(app, name)]
        self._rows(app, shown)
        if not shown:
            _nothing(app)
        imgui.end_child()

    def _rows(self, app: App, shown: list[str]) -> None:
        """Draws the visible rows of a list that may have a thousand."""
        size = row_size(app)
        height = size.pitch
        imgui.push_style_var(int(imgui.StyleVar_.item_spacing), ImVec2(imgui.get_style().item_spacing.x, size.gap))
        selected, backward = app.selected, _backward(app)
        first = next((number for number, name in enumerate(shown) if name in backward), len(shown))
        if selected != self._scrolled_to and selected in shown:
            self._scrolled_to = selected
            at = shown.index(selected)
            imgui.set_scroll_y(max((at + (at >= first) + 0.5) * height - imgui.get_window_height() / 2, 0.0))
        clipper = imgui.ListClipper()
        clipper.begin(len(shown) + (first < len(shown)), height)
        while clipper.step():
            for number in range(clipper.display_start, clipper.display_end):
                if number == first:
                    _heading(app, len(backward), size)
                else:
                    self._row(app, shown, number - (number > first), size)
        imgui.pop_style_var()
        app.display.canvas.thumbnails.draw()

    def _row(self, app: App, shown: list[str], number: int, size: RowSize) -> None:
        name = shown[number]
        selected = app.selected == name
        imgui.push_id(name)
        top = imgui.get_cursor_screen_pos()
        if imgui.selectable("##row", selected, 0, ImVec2(0, size.height))[0]:
            app.send("select", name=name)
        app.mark(f"layer {name}")
        app.display.rows.append(name)
        if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):
            app.send("lock", name=name)
        layer_menu.draw(app, name)
        visible = imgui.is_item_visible()
        width = imgui.get_item_rect_size().x
        if visible:
            draw_list = imgui.get_window_draw_list()
            _bracket(app, shown, number, top, size.height, draw_list)
            _thumbnail(app, name, ImVec2(top.x + 3 * app.scale, top.y + size.margin), size.side, draw_list)
            _words(app, name, top, size, width, draw_list)
        imgui.pop_id()


def _nothing(app: App) -> None:
    """Draws why the list is empty, and a button that lists all layers."""
    text = app.state.filter_text.strip()
    which = f"matches '{text}'" if text else ""
    which += " and is wrong" if text and app.state.only_wrong else "is wrong" if app.state.only_wrong else ""
    imgui.text_wrapped(f"No layer {printable(which)}." if which else "There is no layer.")
    if which and imgui.button("List all layers"):
        app.send("clear_filter")
    app.mark("clear filter")


def _backward(app: App) -> frozenset[str]:
    """Returns the names of the layers that compute gradients."""
    session = app.document.session
    return session.plan.backward if session is not None else frozenset()


def _heading(app: App, count: int, size: RowSize) -> None:
    """Draws the heading between the model's own layers and those that compute gradients; as high as a row."""
    session, scale = app.document.session, app.scale
    assert session is not None
    top, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    imgui.dummy(ImVec2(width, size.height))
    app.mark("gradients heading")
    draw_list, ink = imgui.get_window_draw_list(), theme.packed(theme.VIOLET)
    of = session.plan.graph.differentiated if session.plan.graph is not None else ""
    title = shortened(f"{SIGN}  Gradients of {of}", width - 6 * scale)
    draw_list.add_text(ImVec2(top.x + 3 * scale, top.y + (1 if size.is_compact else 5) * scale), ink, title)
    if size.is_compact:
        return
    passes = "1 backward pass" if count == 1 else f"{count} backward passes"
    draw_list.add_text(ImVec2(top.x + 3 * scale, top.y + 25 * scale), theme.packed(theme.QUIET), passes)
    low = top.y + size.height - 2 * scale
    draw_list.add_line(ImVec2(top.x, low), ImVec2(top.x + width, low), ink, scale)


def _legend(app: App, renderer: str) -> None:
    """Draws whose verdicts are framed."""
    at, scale = imgui.get_cursor_screen_pos(), app.scale
    height = imgui.get_text_line_height()
    low, high = ImVec2(at.x + 2 * scale, at.y), ImVec2(at.x + 14 * scale, at.y + height)
    imgui.get_window_draw_list().add_rect(low, high, theme.packed(theme.ACCENT), 3.0 * scale, 1.4 * scale)
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + 22 * scale)
    imgui.text_disabled(shortened(f"captured: {renderer}", imgui.get_content_region_avail().x))
    imgui.set_item_tooltip(f"Framed verdicts are those of {renderer}")
    app.mark("captured legend")


def _bracket(app: App, shown: list[str], number: int, top: ImVec2, height: float, draw_list: imgui.ImDrawList) -> None:
    """Draws a bracket around the rows that one form computes."""
    groups = app.document.run.groups
    heads = groups.heads(shown[number]) if groups is not None else ()
    if groups is None or not heads:
        return
    first = number == 0 or not set(heads) & set(groups.heads(shown[number - 1]))
    last = number + 1 == len(shown) or not set(heads) & set(groups.heads(shown[number + 1]))
    scale, colour = app.scale, theme.packed(theme.ACCENT, 0.9)
    x, low, high = top.x + scale, top.y + 3 * scale * first, top.y + height - 3 * scale * last
    below = 0.0 if last else imgui.get_style().item_spacing.y
    draw_list.add_line(ImVec2(x, low), ImVec2(x, high + below), colour, 2.0 * scale)
    for is_end, y in ((first, low), (last, high)):
        if is_end:
            draw_list.add_line(ImVec2(x, y), ImVec2(x + 4 * scale, y), colour, 2.0 * scale)


def _thumbnail(app: App, name: str, at: ImVec2, side: float, draw_list: imgui.ImDrawList) -> None:
    document = app.document
    stored = document.stored(name)
    corner = ImVec2(at.x + side, at.y + side)
    draw_list.add_rect_filled(at, corner, theme.packed(theme.BACKGROUND))
    # A large picture of a layer comes before small ones of all.
    waits = app.display.picture_is_due and document.run.is_under_way
    if waits or stored is None or document.session is None or not _is_there(app, stored):
        draw_list.add_rect(at, corner, theme.packed(theme.LINE))
        if document.run.is_inside(name):
            imgui.set_item_tooltip(f"Computed {document.run.together(name)}, not stored: click to open it up")
        return
    shown = _picture(app, stored, document.session)
    draw_list.add_image(imgui.ImTextureRef(shown.texture.glo), at, corner, ImVec2(*shown.low), ImVec2(*shown.high))


def _picture(app: App, stored: StoredTensor, session: DebugSession) -> Thumbnail:
    """Returns the thumbnail, redrawn when the tensor was written; during live runs less often."""
    thumbnails = app.display.canvas.thumbnails
    there = session.is_valid(stored.key)
    known = thumbnails.last(stored.key, LIVE_SECONDS if there else math.inf) if app.document.run.is_live else None
    if known is not None:
        return known
    shared, live = data_range(app, stored.key), session.texture(stored.key)
    generation, seen = session.generation(stored.key), app.pictured(stored)
    if seen.layout != stored.layout:
        live, shared = app.display.canvas.in_layout(live, stored, seen, generation), black_and_white_of(app, stored)
    return thumbnails.of(seen, live, generation, shared, app.scale)


def _is_there(app: App, stored: StoredTensor) -> bool:
    """Returns whether there is something to show: the tensor or, during live runs, an earlier frame's picture."""
    document = app.document
    if document.session is None or document.session.is_valid(stored.key):
        return document.session is not None
    return document.run.is_live and app.display.canvas.thumbnails.last(stored.key, math.inf) is not None


def _words(app: App, name: str, top: ImVec2, size: RowSize, width: float, draw_list: imgui.ImDrawList) -> None:
    scale = app.scale
    document = app.document
    stored = document.stored(name)
    found = document.session.plan.find(name) if document.session else None
    report = document.report_of(name)
    left = top.x + size.side + 12 * scale
    first, second = top.y + (1 if size.is_compact else 5) * scale, top.y + 25 * scale
    ran = stored is not None and _is_there(app, stored)
    inside = document.run.is_inside(name)
    ink = theme.packed(theme.TEXT if ran else theme.QUIET if inside else theme.FAINT)
    quiet = theme.packed(theme.QUIET if ran or inside else theme.FAINT)
    right = top.x + width - 14 * scale
    sign = theme.SIGNS[sign_of(app, name)]
    time = _time(app, found.name) if found is not None else ""
    compared = report is not None and report.isolated is not None
    ratio = _ratio(report.isolated.bound_ratio) if compared and report and report.isolated else ""
    ratio_colour = _ratio_colour(sign_of(app, name))
    if document.reference is not None:
        ratio, tone = layer_words(app.analyses.runs, document, name, chained=app.state.chained)
        ratio_colour = TONES[tone]
    shape = "×".join(map(str, stored.shape)) if stored is not None else ""
    operator = app.operator_of(name)
    sign_before = f"{SIGN} " if name in _backward(app) else ""
    place = (left + 18 * scale, first, right)
    if operator != "input":
        theme.draw_sign(draw_list, left + 6 * scale, first + 9 * scale, 5.5 * scale, sign)
        _sign_tooltip(app, f"sign {name}", (left + 6 * scale, first + 9 * scale), f"{sign.word}: {sign.meaning}")
    if size.is_compact:
        if _other_sign(app, name, (left + 24 * scale, first + 9 * scale), draw_list):
            place = (place[0] + 18 * scale, first, right)
        draw_line(draw_list, place, (name, ink), (ratio, theme.packed(ratio_colour)), (time, quiet))
        return
    _row_text(draw_list, place, (name, ink), (time, quiet), shortened_name)
    _row_text(
        draw_list,
        (left + 18 * scale, second, right),
        (f"{sign_before}{operator}  {shape}", quiet),
        (ratio, theme.packed(ratio_colour)),
        lambda _text, room: shortened(
            sign_before + shortened_operator(operator, room - _width(f"{sign_before}  {shape}")) + f"  {shape}", room
        ),
    )
    if operator != "input":
        _other_sign(app, name, (left + 6 * scale, second + 9 * scale), draw_list)


def _time(app: App, name: str) -> str:
    """Returns the pass's time; for a fused form the time and the count at its first pass, and `…as one` at the others.

    Times of an earlier run than the last are in parentheses.
    """
    session, run = app.document.session, app.document.run
    if session is None:
        return ""
    place, timer = run.place(name), run.timer_of(name)
    if place and not timer:
        return place
    if not place and not session.has_run(name):
        return ""
    form = run.form_of(name) if place else None
    time_ms = session.gpu_ms(timer) if timer else None
    count = len(form.covers) if form is not None else 1
    if time_ms is None:
        return f"{count} as one" if count > 1 else ""
    if name in run.untimed and not place:
        return f"({time_ms:.1f} ms)"
    return f"{time_ms:.1f} ms" + (f" for {count}" if count > 1 else "")


def _other_sign(app: App, name: str, at: tuple[float, float], draw_list: imgui.ImDrawList) -> bool:
    """Draws the captured device's verdict, in a frame like a phone's; returns whether there is one."""
    report = app.analyses.captured.report_of(app.document.session, name)
    if report is None:
        return False
    x, y, scale = *at, app.scale
    low, high = ImVec2(x - 6 * scale, y - 9 * scale), ImVec2(x + 6 * scale, y + 9 * scale)
    draw_list.add_rect(low, high, theme.packed(theme.ACCENT), 3.0 * scale, 1.4 * scale)
    sign = theme.SIGNS[report.verdict]
    theme.draw_sign(draw_list, x, y, 4 * scale, sign)
    _sign_tooltip(app, f"other sign {name}", at, f"On the captured device, {sign.word}: {sign.meaning}")
    return True


def _sign_tooltip(app: App, place: str, at: tuple[float, float], text: str) -> None:
    """Explains the sign around a position of the row just drawn while the pointer rests on it."""
    reach = 10 * app.scale
    left, top, side = at[0] - reach, at[1] - reach, 2 * reach
    app.display.places[place] = (left, top, side, side)
    mouse = imgui.get_mouse_pos()
    is_on_it = left <= mouse.x < left + side and top <= mouse.y < top + side
    if is_on_it and imgui.is_item_hovered(int(imgui.HoveredFlags_.for_tooltip)):
        controls.wrapped_tooltip(app, text)


def _ratio(ratio: float) -> str:
    """Formats error over bound for a narrow column."""
    if ratio == 0.0:
        return "exact"
    return f"{grouped(ratio) if 100.0 <= ratio <= LARGEST_RATIO else ratio_text(ratio)}×"


def _ratio_colour(sign: str) -> theme.Colour:
    """Returns the verdict's colour, unless something other than the figure matters: an inherited error, a bad save."""
    return theme.QUIET if sign in ("inherited", "error") else theme.SIGNS[sign].colour


def _width(text: str) -> float:
    return float(imgui.calc_text_size(text).x)


def sign_of(app: App, name: str) -> str:
    """Returns the name of a layer's sign: its verdict, `inherited` or `injected`; before that, why there is none."""
    report = app.document.report_of(name)
    session = app.document.session
    found = session.plan.find(name) if session else None
    if is_injected(app, name):
        return "injected"
    if app.document.run.is_inside(name):
        return "inside"
    if report is not None:
        return "inherited" if report.inherited else report.verdict
    if found is not None and session is not None and session.is_valid(found.output):
        return "not_compared" if app.document.comparing.ended else "waiting"
    return "not_run"


def _row_text(
    draw_list: imgui.ImDrawList,
    place: tuple[float, float, float],
    text: tuple[str, int],
    end: tuple[str, int],
    cut: Callable[[str, float], str] = shortened,
) -> None:
    """Draws a line between `place`'s left and right edge: a text, cut before the second text at the right end.

    If there is hardly room for more than the second text, the first one gets all of it.
    """
    left, top, right = place
    end_left = right - imgui.calc_text_size(end[0]).x
    if end[0] and end_left - left >= min(imgui.calc_text_size(text[0]).x, imgui.get_font_size() * 4.5):
        draw_list.add_text(ImVec2(end_left, top), end[1], end[0])
        right = end_left - imgui.get_font_size() * 0.5
    draw_list.add_text(ImVec2(left, top), text[1], cut(text[0], right - left))


def _passes_filter(app: App, name: str) -> bool:
    if not app.state.only_wrong and not app.state.filter_text:
        return True
    if app.state.only_wrong and sign_of(app, name) in (
        "match",
        "not_run",
        "injected",
        "waiting",
        "not_compared",
        "inside",
    ):
        return False
    words = app.state.filter_text.lower().split()
    text = f"{name} {app.operator_of(name)} {theme.SIGNS[sign_of(app, name)].word}".lower()
    if app.document.reference is not None:
        changed, tone = layer_words(app.analyses.runs, app.document, name, chained=app.state.chained)
        text += f" {changed.lower()} {tone if tone in ('same', 'within') else 'changed'}"
    return all(word in text for word in words)


PANEL = LayersPanel()
