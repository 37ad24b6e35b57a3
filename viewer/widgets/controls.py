"""Draws small controls that many panels share, and cuts texts to a width in pixels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from imgui_bundle import ImVec2, imgui

from texelscope.layouts.outside_text import in_cell, printable, printable_lines
from texelscope.pipeline.short_text import BEGINNING, cut, short_operator
from texelscope.viewer import theme
from texelscope.viewer.app import App


def toggle_button(label: str, *, on: bool, width: float = 0.0) -> bool:
    """Draws the button, of that width or as wide as its label; returns whether it was pressed."""
    if on:
        imgui.push_style_color(int(imgui.Col_.button), theme.packed(theme.CHOSEN))
    pressed = imgui.button(label, ImVec2(width, 0))
    if on:
        imgui.pop_style_color()
    return bool(pressed)


def checkbox(label: str, on: bool) -> tuple[bool, bool]:  # noqa: FBT001 - as imgui's own
    """Draws a check box whose empty box is seen on any ground; returns whether it changed, and whether it is on."""
    imgui.push_style_var(int(imgui.StyleVar_.frame_border_size), 1.0)
    imgui.push_style_color(int(imgui.Col_.border), theme.packed(theme.QUIET))
    changed, on = imgui.checkbox(label, on)
    imgui.pop_style_color()
    imgui.pop_style_var()
    return bool(changed), bool(on)


def wrapped_tooltip(app: App, text: str) -> None:
    """Draws a sentence as a tooltip in lines of readable length."""
    if imgui.begin_tooltip():
        imgui.push_text_wrap_pos(_SENTENCE_WIDTH * app.scale)
        imgui.text_unformatted(text)
        app.mark("tooltip")
        imgui.pop_text_wrap_pos()
        imgui.end_tooltip()


def entry_tooltip(app: App, text: str) -> None:
    """Explains the entry just drawn of an open menu or list, beside it: the other entries stay in sight."""
    if not imgui.is_item_hovered(int(imgui.HoveredFlags_.for_tooltip)):
        return
    corner, width, gap = imgui.get_window_pos(), imgui.get_window_width(), 4 * app.scale
    top, screen = imgui.get_item_rect_min().y, imgui.get_main_viewport().size.x
    beside = corner.x + width + gap
    is_left = beside + imgui.calc_text_size(text).x + 2 * imgui.get_style().window_padding.x > screen
    at = ImVec2(corner.x - gap, top) if is_left else ImVec2(beside, top)
    imgui.set_next_window_pos(at, 0, ImVec2(1.0 if is_left else 0.0, 0.0))
    if imgui.begin_tooltip():
        imgui.text_unformatted(text)
        app.mark("tooltip")
        imgui.end_tooltip()


def copy_menu(app: App, identifier: str, texts: Mapping[str, str]) -> None:
    """Draws the right-click menu of the item just drawn; `texts` maps titles to what they copy."""
    if imgui.begin_popup_context_item(identifier):
        copy_entries(app, texts)
        imgui.end_popup()


def copy_entries(app: App, texts: Mapping[str, str]) -> None:
    """Draws the entries in an open menu; the copied text is escaped so that pasting it into a terminal does no harm."""
    for title, text in texts.items():
        if imgui.menu_item(title, "", False)[0]:
            imgui.set_clipboard_text(printable_lines(text))
        app.mark(f"menu {title.lower()}")


_MORE = "»"
# Sentences in tooltips are wrapped at this width.
_SENTENCE_WIDTH = 340.0


@dataclass(frozen=True)
class RowPiece:
    """A control that `draw` draws, `width` pixels wide at scale 1, `gap` pixels after the one before it."""

    width: float
    draw: Callable[[], None]
    gap: float = 8.0


def fitting(pieces: Sequence[RowPiece], room: float, more: float) -> int:
    """Returns how many of the pieces fit a row of `room` pixels, whose button for the others is `more` wide."""
    used, count = 0.0, 0
    for number, piece in enumerate(pieces):
        used += piece.width + (piece.gap if number else 0.0)
        is_last = number + 1 == len(pieces)
        if used + (0.0 if is_last else more) > room:
            break
        count += 1
    return count


def draw_row(app: App, pieces: Sequence[RowPiece], name: str = "more tools") -> None:
    """Draws the row in the room there is; `name` is that of its last button."""
    scale = app.scale
    more = imgui.calc_text_size(_MORE).x / scale + 30.0
    count = fitting(pieces, imgui.get_content_region_avail().x / scale, more)
    for number, piece in enumerate(pieces[:count]):
        if number:
            imgui.same_line(0, piece.gap * scale)
        piece.draw()
    if count == len(pieces):
        return
    if count:
        imgui.same_line()
    if imgui.button(f"{_MORE}##{name}"):
        imgui.open_popup(name)
    app.mark(name)
    imgui.set_item_tooltip("Shows the controls that do not fit here")
    if imgui.begin_popup(name):
        for piece in pieces[count:]:
            piece.draw()
        imgui.end_popup()


def shortened(text: str, width: float) -> str:
    """Returns a text that fits into `width` pixels, ending in … if it had to be cut."""
    return cut(printable(text), width, _width)


def shortened_name(name: str, width: float) -> str:
    """Returns a name that fits into `width` pixels, with … in its middle if it had to be cut."""
    return cut(printable(name), width, _width, beginning=BEGINNING)


def shortened_operator(operator: str, width: float) -> str:
    """Returns a pass's operators in `width` pixels; of many nodes the first ones, the last and their number."""
    return short_operator(printable(operator), width, _width)


def as_label(text: str) -> str:
    """Escapes a name for the label of a button or a row: imgui would hide what follows `##`."""
    return in_cell(text).replace("##", "# #")


def short_number(value: float) -> str:
    """Formats a number with three digits in at most nine characters: -2.86e-4, 1.05, 12300."""
    text = f"{value:.3g}"
    if value and not 1e-3 <= abs(value) < 1e5:
        digits, _, power = f"{value:.2e}".partition("e")
        text = f"{digits}e{int(power)}" if power else digits
    return text


def _width(text: str) -> float:
    return float(imgui.calc_text_size(text).x)
