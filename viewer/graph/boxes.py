"""Draws the boxes of the graph: with words, with sign and short name, or from afar as bars in a verdict's colour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.gradients.links import SIGN
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.graph.model.camera import SHORT_ZOOM, WORDS_ZOOM
from texelscope.viewer.graph.model.drawn_graph import DrawnGraph, title_of
from texelscope.viewer.graph.model.folding import WORST_FIRST, GraphBox, count_words, is_wrong
from texelscope.viewer.graph.model.geometry import Bars, Floats, Indices
from texelscope.viewer.graph.model.node_details import NodeDetails
from texelscope.viewer.graph.model.scopes import last_part
from texelscope.viewer.graph.sheet import Rect, Sheet
from texelscope.viewer.graph.signs import INPUT, SIGNS, BoxSigns
from texelscope.viewer.widgets.controls import shortened, shortened_name, shortened_operator

# The opacity of backward passes.
BACKWARD_TINT = 0.22
# Text beside a sign, in a box too small for more, is so large compared with usual text.
_SHORT_TEXT = 0.7
# A folded box lies on two others, each moved by so much.
_STACKED = 5.0
# Bars are at least so high; wrong ones too stand out of their column.
_BAR_HEIGHT, _WRONG_HEIGHT, _STANDS_OUT = 1.5, 3.0, 4.0
_MOST_CUT = 4096
# The sign beside a wrong bar, and how many of them at most.
_SIGN_RADIUS, _MOST_SIGNS = 5.0, 60


class Cuts:
    """Keeps texts that were cut to a width: cutting measures many beginnings."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int, float], str] = {}

    def cut(self, text: str, width: float, by: Callable[[str, float], str]) -> str:
        """Returns the text as `by` cuts it to `width` pixels of usual text."""
        key = text, round(width), imgui.get_font_size()
        if len(self._known) > _MOST_CUT:
            self._known.clear()
        if key not in self._known:
            self._known[key] = by(text, float(key[1]))
        return self._known[key]


@dataclass(frozen=True)
class BoxLook:
    """How a box is drawn, beside its own texts."""

    sign: theme.Sign
    is_selected: bool
    is_hovered: bool
    is_backward: bool


@dataclass(frozen=True)
class BoxTexts:
    """Holds the texts of a box: its name, a short one, a line below, and further lines."""

    title: str
    short: str
    below: str
    lines: tuple[str, ...]


def texts_of(app: App, graph: DrawnGraph, box: GraphBox, signs: BoxSigns, details: NodeDetails) -> BoxTexts:
    """Returns the texts of a box as it is now."""
    if box.scope:
        words = count_words(signs.of_members(box.members))
        return BoxTexts(title_of(box), last_part(title_of(box)), words, (graph.kinds[box.key],))
    unusual = "  ".join(f"{key} {value}" for key, value in details.unusual)
    weights = f"weights {', '.join(shape for _, shape in details.weights)}" if details.weights else ""
    operator = app.operator_of(box.key)
    return BoxTexts(box.key, last_part(box.key), operator, tuple(line for line in (unusual, weights) if line))


def draw_box(sheet: Sheet, rect: Rect, box: GraphBox, texts: BoxTexts, look: BoxLook, cuts: Cuts) -> None:
    """Draws a box that is near enough for a sign at least."""
    left, top, right, bottom = rect
    zoom, draw_list = sheet.zoom, sheet.draw_list
    low, high, rounding = ImVec2(left, top), ImVec2(right, bottom), 5.0 * zoom
    edge, alpha = (theme.ACCENT, 1.0) if look.is_selected or look.is_hovered else (look.sign.colour, 0.6)
    if box.scope:
        for place in (2, 1):
            by = place * _STACKED * zoom
            low_behind, high_behind = ImVec2(left + by, top + by), ImVec2(right + by, bottom + by)
            draw_list.add_rect_filled(low_behind, high_behind, theme.packed(theme.RAISED), rounding)
            draw_list.add_rect(low_behind, high_behind, theme.packed(edge, alpha * 0.6), rounding, 1.0)
    draw_list.add_rect_filled(low, high, theme.packed(theme.HEADER if look.is_selected else theme.RAISED), rounding)
    if look.is_backward:
        draw_list.add_rect_filled(low, high, theme.packed(theme.VIOLET, BACKWARD_TINT), rounding)
    draw_list.add_rect(low, high, theme.packed(edge, alpha), rounding, 1.5)
    draw_list.push_clip_rect(low, ImVec2(right - 3 * zoom, bottom), True)
    if sheet.camera.zoom >= WORDS_ZOOM:
        _words(sheet, rect, texts, look, cuts)
    else:
        _short(sheet, rect, texts, look, cuts)
    draw_list.pop_clip_rect()


def _words(sheet: Sheet, rect: Rect, texts: BoxTexts, look: BoxLook, cuts: Cuts) -> None:
    left, top, right, _ = rect
    zoom, near, draw_list = sheet.zoom, sheet.camera.zoom, sheet.draw_list
    is_input = look.sign is INPUT
    if not is_input:
        theme.draw_sign(draw_list, left + 13 * zoom, top + 15 * zoom, 5.0 * zoom, look.sign)
    # Whole pixels: letters between them are blurred.
    font, pixels = imgui.get_font(), round(imgui.get_font_size() * near)
    text_left = round(left + (9 if is_input else 24) * zoom)
    room = (right - 6 * zoom - text_left) / near
    title = cuts.cut(texts.title, room, shortened_name)
    draw_list.add_text(font, pixels, ImVec2(text_left, round(top + 5 * zoom)), theme.packed(theme.TEXT), title)
    below = f"{SIGN} {texts.below}" if look.is_backward else texts.below
    below = cuts.cut(below, room / 0.9, shortened_operator)
    at = ImVec2(text_left, round(top + 25 * zoom))
    draw_list.add_text(font, round(pixels * 0.9), at, theme.packed(theme.QUIET), below)
    left += 9 * zoom
    for row, text in enumerate(texts.lines):
        at, room = ImVec2(round(left), round(top + (44 + 18 * row) * zoom)), (right - 6 * zoom - left) / near
        line = cuts.cut(text, room / 0.85, shortened)
        draw_list.add_text(font, round(pixels * 0.85), at, theme.packed(theme.QUIET), line)


def _short(sheet: Sheet, rect: Rect, texts: BoxTexts, look: BoxLook, cuts: Cuts) -> None:
    left, top, right, bottom = rect
    middle, radius = (top + bottom) / 2, max(min(5.0 * sheet.zoom, 5.0 * sheet.scale), 3.5 * sheet.scale)
    theme.draw_sign(sheet.draw_list, left + radius * 1.8, middle, radius, look.sign)
    font, usual = imgui.get_font(), imgui.get_font_size()
    pixels = round(usual * max(_SHORT_TEXT, sheet.camera.zoom))
    text_left = round(left + radius * 3.4)
    text = cuts.cut(texts.short, (right - 2 * sheet.scale - text_left) * usual / pixels, shortened)
    at = ImVec2(text_left, round(middle - pixels / 2))
    sheet.draw_list.add_text(font, pixels, at, theme.packed(theme.TEXT), text)


def level_of(zoom: float) -> str:
    """Returns how boxes are drawn at a zoom: `words`, `short` or `bars`."""
    return "words" if zoom >= WORDS_ZOOM else "short" if zoom >= SHORT_ZOOM else "bars"


def draw_bars(
    sheet: Sheet, xs: Floats, tops: Floats, ranks: Indices, size: tuple[float, float], *, signed: bool = False
) -> None:
    """Draws boxes with those left and top pixels as bars of `size`; bars that touch and look alike become one.

    If they are `signed`, wrong ones have their sign at their right, unless these are too many.
    """
    width, height = max(size[0], 2.0), max(size[1], _BAR_HEIGHT)
    bars = Bars.of(np.round(xs), tops, ranks, height)
    inks = [theme.packed(sign.colour, 0.95 if _stands_out(rank) else 0.6) for rank, sign in enumerate(SIGNS)]
    add, beyond = sheet.draw_list.add_rect_filled, _STANDS_OUT * sheet.scale
    rows = zip(bars.xs.tolist(), bars.tops.tolist(), bars.bottoms.tolist(), bars.ranks.tolist(), strict=True)
    for left, top, bottom, rank in rows:
        if _stands_out(rank):
            bottom = max(bottom, top + _WRONG_HEIGHT * sheet.scale)
            add(ImVec2(left - beyond, top), ImVec2(left + width + beyond, bottom), inks[rank])
        else:
            add(ImVec2(left, top), ImVec2(left + width, bottom), inks[rank])
    is_wrong_bar = [_stands_out(rank) for rank in bars.ranks.tolist()]
    if signed and sum(is_wrong_bar) <= _MOST_SIGNS:
        for number in np.flatnonzero(is_wrong_bar).tolist():
            x = float(bars.xs[number]) + width + 3 * _SIGN_RADIUS * sheet.scale
            y = (float(bars.tops[number]) + float(bars.bottoms[number])) / 2
            sheet.draw_list.add_circle_filled(
                ImVec2(x, y), 1.7 * _SIGN_RADIUS * sheet.scale, theme.packed(theme.BACKGROUND)
            )
            theme.draw_sign(sheet.draw_list, x, y, _SIGN_RADIUS * sheet.scale, SIGNS[int(bars.ranks[number])])


def _stands_out(rank: int) -> bool:
    return rank < len(WORST_FIRST) and is_wrong(WORST_FIRST[rank])
