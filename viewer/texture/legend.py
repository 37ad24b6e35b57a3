"""Draws the legend beside a picture: colours with their numbers, NaN and infinities; a click offers other maps."""

from __future__ import annotations

from functools import cache

import numpy as np
from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.export import colour_maps
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.colour.picture import PREPARED, TrueColour
from texelscope.viewer.colour.ranges import ABOVE, BELOW, DIVERGING, INFINITY, NAN, SEQUENTIAL
from texelscope.viewer.state import View, ViewMode
from texelscope.viewer.texture.shown import ShownTensor
from texelscope.viewer.widgets.controls import short_number

WIDTH = 88.0
# A narrower pane has no legend.
LEAST_PANE = 240.0
_TALLEST = 300.0
_BAR = 15.0
_TICKS = 5
# In lines of text: the bar's length, and the free room below it at least.
_LEAST_TALL, _LEAST_BELOW = 2.5, 1
_SLICES = 64
_LANES = ("red", "green", "blue")

Colour = tuple[float, float, float]


def width_in(app: App, pane_width: float) -> int:
    """Returns how many pixels of a pane the legend takes."""
    return round(WIDTH * app.scale) if app.state.colours.legend and pane_width >= LEAST_PANE * app.scale else 0


def draw(app: App, view: View, shown: ShownTensor, corner: ImVec2, size: tuple[int, int]) -> None:
    """Draws the legend in a strip of that size; its right part is left free."""
    scale, line = app.scale, imgui.get_text_line_height()
    draw_list = imgui.get_window_draw_list()
    imgui.set_cursor_screen_pos(corner)
    imgui.invisible_button("legend", ImVec2(size[0], size[1]))
    app.mark("legend")
    imgui.set_item_tooltip(_tip(app, view, shown))
    if imgui.is_item_clicked(0) or imgui.is_item_clicked(1):
        imgui.open_popup("colours")
    _menu(app, view, shown)
    below = [text for text in ((_encoding(app, shown), None), *_odd(view, shown)) if text[0]]
    left, top = corner.x + 8 * scale, corner.y + line + 10 * scale
    tall = min(size[1] - 1.7 * line - 10 * scale - max(len(below), _LEAST_BELOW) * line, _TALLEST * scale)
    if tall < _LEAST_TALL * line:
        # The count of non-finite values is shown above the picture as well.
        below, tall = [], size[1] - 1.5 * line - 10 * scale
    if tall < _LEAST_TALL * line:
        return
    draw_list.add_text(ImVec2(left, corner.y + 4 * scale), theme.packed(theme.QUIET), _title(shown))
    columns = _columns(app, view, shown)
    wide = _BAR * scale / max(len(columns), 1)  # no channel is shown
    for number, colours in enumerate(columns):
        _bar(draw_list, (left + number * wide, top, wide, tall), colours)
    right = left + _BAR * scale
    draw_list.add_rect(ImVec2(left, top), ImVec2(right, top + tall), theme.packed(theme.LINE))
    ticks = _TICKS if tall > 1.2 * _TICKS * line else 3
    for tick, value in enumerate(_values(shown.limits, ticks)):
        y = top + (1.0 - tick / (ticks - 1)) * tall
        draw_list.add_line(ImVec2(right, y), ImVec2(right + 3 * scale, y), theme.packed(theme.QUIET))
        text = number_text(value, shown.limits[1] - shown.limits[0])
        draw_list.add_text(ImVec2(right + 6 * scale, y - line / 2), theme.packed(theme.TEXT), text)
    for number, (text, colour) in enumerate(below):
        _swatch(draw_list, left, top + tall + (0.7 + number) * line, line, text, colour)


def _values(limits: tuple[float, float], count: int) -> list[float]:
    """Returns that many numbers from the first to the last, at equal distances; both ends are exact."""
    low, high = limits
    return [low, *(low + tick / (count - 1) * (high - low) for tick in range(1, count - 1)), high]


def number_text(value: float, span: float) -> str:
    """Formats a number of a legend; zero but for rounding is shown as zero."""
    return "0" if abs(value) < 1e-6 * span else short_number(value)


def _title(shown: ShownTensor) -> str:
    return {ViewMode.RATIO: "× bound", ViewMode.DIFFERENCE: "difference"}.get(
        shown.mode, "picture" if shown.is_picture else "values"
    )


def _tip(app: App, view: View, shown: ShownTensor) -> str:
    if shown.is_picture and not shown.differs:
        light = "amounts of light, encoded for the screen" if _seen(app, shown).linear else "sRGB as they are"
        low, high = shown.limits
        return f"{low:.7g} is black, {high:.7g} is white ({shown.why}); values are {light}.\nClick to change it."
    if shown.is_picture:
        return "Channel by channel: grey is no difference."
    if not _is_alone(view, shown):
        return "Lanes as red, green and blue. One lane alone has a colour map: right-click R, G, B or A."
    names = DIVERGING if shown.is_signed else SEQUENTIAL
    return f"Colour map {names[app.state.colours.map_of(signed=shown.is_signed)]}; click to choose another (M)."


def _seen(app: App, shown: ShownTensor) -> TrueColour:
    return app.state.pictures.get(shown.own.key, TrueColour())


def _encoding(app: App, shown: ShownTensor) -> str:
    if not shown.is_picture or shown.differs:
        return ""
    return "linear" if _seen(app, shown).linear else "sRGB"


def _odd(view: View, shown: ShownTensor) -> list[tuple[str, Colour]]:
    """Returns the kinds of marked values that occur, with their colours."""
    found = [(shown.odd.nan, "NaN", NAN), (shown.odd.infinite, "Inf", INFINITY)]
    if view.mark_outside and shown.nominal is not None:
        black, white = shown.nominal
        found += [(shown.odd.above, f"above {white:g}", ABOVE), (shown.odd.below, f"below {black:g}", BELOW)]
    return [(text, colour) for count, text, colour in found if count]


def _columns(app: App, view: View, shown: ShownTensor) -> list[tuple[int, ...]]:
    """Returns the colours from the first to the last value: of a map, of grey, or of each lane that is a colour."""
    if shown.is_picture:
        return [_ramp("light" if _seen(app, shown).linear and not shown.differs else "grey")]
    if not _is_alone(view, shown):
        return [_ramp(_LANES[lane]) for lane in _lanes(view, shown) if lane < len(_LANES)]
    return [_ramp("grey" if view.mark_negative else app.state.colours.map_of(signed=shown.is_signed))]


@cache
def _ramp(name: str) -> tuple[int, ...]:
    """Returns packed colours from first to last: of a map, a lane, or of `light` as a screen takes it."""
    steps = (np.arange(_SLICES) + 0.5) / _SLICES
    if name in _LANES:
        colours = steps[:, None] * np.eye(3)[_LANES.index(name)]
    elif name == "light":
        encoded = np.where(steps <= 0.0031308, 12.92 * steps, 1.055 * steps ** (1.0 / 2.4) - 0.055)
        colours = np.repeat(encoded[:, None], 3, axis=1)
    else:
        colours = colour_maps.table(name)[(steps * colour_maps.STEPS).astype(np.int64)]
    return tuple(theme.packed((float(red), float(green), float(blue), 1.0)) for red, green, blue in colours)


def _lanes(view: View, shown: ShownTensor) -> list[int]:
    return [lane for lane in range(shown.stored.layout.lanes) if view.lanes[lane]]


def _is_alone(view: View, shown: ShownTensor) -> bool:
    """Returns whether one lane is shown, in a colour map."""
    return len(_lanes(view, shown)) == 1


def _bar(draw_list: imgui.ImDrawList, place: tuple[float, float, float, float], colours: tuple[int, ...]) -> None:
    """Draws the colours from the bottom up."""
    left, top, width, height = place
    step = height / len(colours)
    for number, colour in enumerate(colours):
        y = top + height - (number + 1) * step
        draw_list.add_rect_filled(ImVec2(left, y), ImVec2(left + width, y + step + 1.0), colour)


def _swatch(
    draw_list: imgui.ImDrawList, left: float, top: float, line: float, text: str, colour: Colour | None
) -> None:
    if colour is not None:
        low, high = ImVec2(left, top + 0.2 * line), ImVec2(left + 0.7 * line, top + 0.9 * line)
        draw_list.add_rect_filled(low, high, theme.packed((*colour, 1.0)))
    x = left + (line if colour is not None else 0.0)
    draw_list.add_text(ImVec2(x, top), theme.packed(theme.QUIET), text)


def _menu(app: App, view: View, shown: ShownTensor) -> None:
    """Draws the menu: other maps, or a picture's black and white and the meaning of its values."""
    if not imgui.begin_popup("colours"):
        return
    if shown.is_picture and not shown.differs:
        _picture_menu(app, shown)
    elif not shown.is_picture:
        chosen = app.state.colours.map_of(signed=shown.is_signed)
        for name, words in (DIVERGING if shown.is_signed else SEQUENTIAL).items():
            _sample(app, name)
            imgui.same_line()
            if imgui.menu_item(words, "", name == chosen)[0]:
                app.send("choose_map", name=name)
            app.mark(f"map {name}")
        if not _is_alone(view, shown):
            imgui.text_disabled("Maps colour one lane alone: right-click R, G, B or A.")
        imgui.separator()
    if imgui.menu_item("Hide the legend", "Y", False)[0]:
        app.send("legend")
    app.mark("hide legend")
    imgui.end_popup()


def _picture_menu(app: App, shown: ShownTensor) -> None:
    if imgui.menu_item("Black and white detected from the values", "R", shown.chosen.follows)[0]:
        app.send("reset_range")
    for black, white in PREPARED:
        on = not shown.chosen.follows and shown.limits == (black, white)
        if imgui.menu_item(f"{black:g} is black, {white:g} is white", "", on)[0]:
            app.send("see_picture", limits=(black, white))
        app.mark(f"black {black:g} white {white:g}")
    imgui.separator()
    linear = _seen(app, shown).linear
    for label, on in (("Values are sRGB, shown as they are", False), ("Values are amounts of light (linear)", True)):
        if imgui.menu_item(label, "Shift+I" if on is not linear else "", linear is on)[0]:
            app.send("see_picture", linear=on)
        app.mark("values linear" if on else "values sRGB")
    imgui.separator()


def _sample(app: App, name: str) -> None:
    """Draws a small sample of a map."""
    at, width, height = imgui.get_cursor_screen_pos(), 72 * app.scale, imgui.get_text_line_height()
    table = colour_maps.table(name)[:: colour_maps.STEPS // 32]
    draw_list, step = imgui.get_window_draw_list(), width / len(table)
    for number, (red, green, blue) in enumerate(table):
        low = ImVec2(at.x + number * step, at.y)
        filled = theme.packed((float(red), float(green), float(blue), 1.0))
        draw_list.add_rect_filled(low, ImVec2(low.x + step + 1.0, at.y + height), filled)
    imgui.dummy(ImVec2(width, height))
