"""Draws the rows above and below a texture: mode, range, lanes; size and zoom, overlays."""

from __future__ import annotations

from functools import partial

from imgui_bundle import imgui

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.canvas.spread import Spread
from texelscope.viewer.colour.picture import NAME, TrueColour, channel_count, lane_count
from texelscope.viewer.colour.shown_as import layouts_for
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.runs import against
from texelscope.viewer.state import MODE_LABELS, NEEDS_ORACLE, View, ViewMode
from texelscope.viewer.texture import range_bar
from texelscope.viewer.texture.shown import ShownTensor, expected_of
from texelscope.viewer.widgets import controls
from texelscope.viewer.widgets.controls import RowPiece, shortened, toggle_button

_LAYOUT_WIDTH = 150.0
_INDEX_WIDTH = 44.0
_GREY_WIDTH = 52.0
_GAP = 8.0
_LETTERS = "RGBA"


def draw(app: App, view: View, stored: StoredTensor) -> None:
    """Draws the choice and a picture's controls in one row; what does not fit moves behind a button."""
    _shown_as(app, view, stored)
    pieces = _pieces(app, stored)
    if pieces:
        controls.draw_row(app, pieces, "more of the picture")
        imgui.same_line(0, _GAP * app.scale)


def width_of(app: App, stored: StoredTensor) -> float:
    """Returns how many pixels all controls take."""
    return app.scale * (_LAYOUT_WIDTH + _GAP + sum(piece.width + piece.gap for piece in _pieces(app, stored)))


def _pieces(app: App, stored: StoredTensor) -> list[RowPiece]:
    """Returns the controls of a picture: its channels, and its index in the batch."""
    if stored.layout.name != NAME:
        return []
    pieces = []
    if channel_count(stored.shape) > 1:
        width = lane_count(stored.layout) * (_INDEX_WIDTH + 28) + _GREY_WIDTH
        pieces.append(RowPiece(width, partial(_channels, app, stored)))
    if _batch(stored) > 1:
        pieces.append(RowPiece(_INDEX_WIDTH + 20, partial(_number, app, stored)))
    return pieces


def _shown_as(app: App, view: View, stored: StoredTensor) -> None:
    """Draws the choice of the layout that the tensor is shown in."""
    own = app.document.stored(view.locked or app.selected or "")
    if own is None:
        return
    imgui.set_next_item_width(_LAYOUT_WIDTH * app.scale)
    is_picture = stored.layout.name == NAME
    now = "as a picture" if is_picture else "as stored" if stored.layout == own.layout else f"as {stored.layout.name}"
    if imgui.begin_combo("##shown as", now, int(imgui.ComboFlags_.height_large)):
        if imgui.selectable("as a picture", is_picture)[0] and not is_picture:
            app.send("see_picture", on=True)
        app.mark("shown as picture")
        if imgui.selectable(f"as stored, {own.layout.name}", stored.layout == own.layout)[0]:
            app.send("see_picture", on=False)
        app.mark("shown as stored")
        for name in layouts_for(own, app.display.canvas.most_texels):
            if name == own.layout.name:
                continue
            chosen = name == stored.layout.name
            if imgui.selectable(f"as {name}", chosen)[0] and not chosen:
                app.send("show_as", layout=name)
            app.mark(f"shown as {name}")
        imgui.end_combo()
    app.mark("shown as")
    imgui.set_item_tooltip(
        "Shows the tensor as a picture in its own colours (I), or as it would lie in another layout (Shift+S);\n"
        "nothing runs again"
    )
    imgui.same_line(0, _GAP * app.scale)


def _channels(app: App, stored: StoredTensor) -> None:
    """Draws the choice of channels for red, green, blue and opacity, or grey."""
    seen = app.state.pictures.get(stored.key, TrueColour())
    shown: tuple[int, ...] = getattr(stored.layout, "channels", ())
    count = channel_count(stored.shape)
    letters = _LETTERS if len(shown) > 1 else ("grey",)
    for place, letter in enumerate(letters[: len(shown)]):
        changed, value = _index(app, letter, shown[place], count, f"channel shown as {letter}")
        if changed:
            app.send("see_picture", channels=(*shown[:place], value, *shown[place + 1 :]))
        imgui.same_line(0, _GAP * app.scale)
    if toggle_button("grey##alone", on=len(shown) == 1):
        first = shown[0]
        colour = () if not seen.channels or count <= 4 else tuple(min(first + k, count - 1) for k in range(3))
        app.send("see_picture", channels=(first,) if len(shown) > 1 else colour)
    app.mark("picture grey")
    imgui.set_item_tooltip("One channel alone, from black to white")


def _number(app: App, stored: StoredTensor) -> None:
    """Draws the choice of the index in the batch."""
    now, batch = int(getattr(stored.layout, "n", 0)), _batch(stored)
    changed, value = _index(app, "n", now, batch, "picture of the batch (J: next)")
    if changed:
        app.send("see_picture", n=value)


def _batch(stored: StoredTensor) -> int:
    """Returns how many pictures the batch has."""
    return as_nchw(stored.shape)[0]


def _index(app: App, letter: str, value: int, count: int, what: str) -> tuple[bool, int]:
    """Draws a number from 0 to `count` - 1 to drag or type, behind its letter; returns whether it changed."""
    imgui.align_text_to_frame_padding()
    imgui.text_disabled(letter)
    imgui.same_line(0, 4 * app.scale)
    imgui.set_next_item_width(_INDEX_WIDTH * app.scale)
    changed, wanted = imgui.drag_int(f"##picture {letter}", value, 0.1, 0, count - 1)
    app.mark(f"picture {letter}")
    imgui.set_item_tooltip(f"The {what}, 0 to {count - 1}: drag, or double-click to type")
    return bool(changed), min(max(int(wanted), 0), count - 1)


_LANE_NAMES = "RGBA"
_BUTTONS = (
    ("Fit", "fit"),
    ("1:1", "one_to_one"),
    ("Grid", "grid"),
    ("Labels", "labels"),
    ("Legend", "legend"),
    ("?", "marks"),
)
_BUTTON_TIPS = {
    "legend": "Shows which value has which colour (Y)",
    "marks": "Shows what boxes, crosses, rings and stripes over the texture mean (Shift+Y)",
}
_ARRANGEMENT = (("Side by side", "side_by_side"), ("Linked", "linked"))
_BAR_WIDTH = 230.0


def above(app: App, view: View, stored: StoredTensor, shown: ShownTensor | None) -> None:
    """Draws mode, range and lanes, in as many rows as the panel's width requires."""
    gap = 3 * app.scale
    has_oracle = expected_of(app, stored.key) is not None
    for mode in MODE_LABELS:
        label = against.label(app, mode)
        _flow(_button_width(label), gap, is_first=mode is ViewMode.ACTUAL)
        imgui.begin_disabled(mode in NEEDS_ORACLE and not has_oracle)
        if toggle_button(label, on=view.mode == mode):
            app.send("set_mode", mode=mode)
        app.mark(f"mode {mode.name.lower()}")
        imgui.end_disabled()
    if shown is None:
        return
    odd, outside = odd_text(shown.odd), outside_text(shown)
    odd_width = sum(_button_width(text) + 12 * app.scale for text in (odd, outside) if text)
    lanes = lane_count(stored.layout)
    lanes_width = (lanes * 30 + 12) * app.scale if lanes > 1 else 0.0
    has_room = _flow(_BAR_WIDTH * app.scale, 14 * app.scale)
    room = imgui.get_content_region_avail().x
    beside = room - lanes_width - odd_width >= _BAR_WIDTH * app.scale
    statistics = app.document.comparison.statistics.get(stored.key) if app.document.comparison else None
    histogram = statistics if not shown.differs else None
    range_bar.draw(app, view, shown, histogram, room - lanes_width - odd_width if beside else room)
    for text, draw_button in ((odd, _odd), (outside, _outside)):
        if text:
            if beside or not has_room:
                _flow(_button_width(text), 8 * app.scale)
            draw_button(app, shown, text)
    if lanes > 1:
        if beside or not has_room or odd or outside:
            _flow(lanes_width, 12 * app.scale)
        _lane_buttons(app, view, lanes)


def odd_text(spread: Spread) -> str:
    """Returns how many numbers are not finite, as in `2 NaN, 1 Inf`; empty if all are finite."""
    counts = ((spread.nan, "NaN"), (spread.infinite, "Inf"))
    return ", ".join(f"{count:,} {word}" for count, word in counts if count)


def outside_text(shown: ShownTensor) -> str:
    """Returns how many of a picture's values lie outside black and white, as in `12 outside 0 to 1`; empty if none."""
    count = shown.odd.below + shown.odd.above
    return f"{count:,} outside {shown.nominal[0]:g} to {shown.nominal[1]:g}" if count and shown.nominal else ""


def _outside(app: App, shown: ShownTensor, text: str) -> None:
    """Draws the count of values outside black and white, which goes to the next one."""
    assert shown.nominal is not None
    imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.WARNING))
    if imgui.button(f"{text}##outside"):
        app.send("next_outside")
    imgui.pop_style_color()
    app.mark("outside")
    black, white = shown.nominal
    imgui.set_item_tooltip(
        f"{shown.odd.above:,} values are above {white:g} and {shown.odd.below:,} below {black:g}, by half a step of a\n"
        "screen's 256 or more. They are shown as white and black, and marked (Shift+N). Click to go to the next one\n"
        "(Shift+X)"
    )


def _odd(app: App, _shown: ShownTensor, text: str) -> None:
    imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.BAD))
    if imgui.button(f"{text}##odd"):
        app.send("next_odd")
    imgui.pop_style_color()
    app.mark("not finite")
    imgui.set_item_tooltip("NaN or infinite numbers, which the range ignores. Click to go to the next one (X)")


def rows_below(app: App, stored: StoredTensor | None, width: float) -> int:
    """Returns how many rows `below` takes in a panel of that width."""
    if stored is None:
        return 1
    labels = [label for label, _ in _BUTTONS] + [label for label, *_ in _ARRANGEMENT] * (len(app.state.views) > 1)
    taken = sum(_button_width(label) + 6 * app.scale for label in labels)
    return 1 if taken + width_of(app, stored) <= width else 2


def below(app: App, view: View, stored: StoredTensor) -> None:
    """Draws zoom, overlays and layout, then a description of the texture."""
    in_two = rows_below(app, stored, imgui.get_content_region_avail().x) > 1
    for label, command in _BUTTONS:
        colours = app.state.colours
        shown = {"grid": view.grid, "labels": view.labels, "legend": colours.legend, "marks": colours.marks}
        on = shown.get(command, False)
        if toggle_button(f"{label}##{command}", on=on):
            app.send(command)
        app.mark(f"button {command}")
        if command in _BUTTON_TIPS:
            imgui.set_item_tooltip(_BUTTON_TIPS[command])
        imgui.same_line(0, 6 * app.scale)
    if len(app.state.views) > 1:
        _arrangement(app)
    if in_two:
        imgui.new_line()
    draw(app, view, stored)
    unwritten = app.unwritten(stored.key)
    if unwritten is not None:
        imgui.align_text_to_frame_padding()
        imgui.text_colored(theme.BAD, f"{int(unwritten.sum()):,} elements unwritten (crossed)")
        imgui.same_line()
    height, width = stored.texture_shape
    imgui.align_text_to_frame_padding()
    own = app.document.stored(view.locked or app.selected or "") or stored
    kept = "" if own.layout == stored.layout else f" (stored in {own.layout.name})"
    about = f"{width}×{height} texels, {stored.layout.name}{kept}, {stored.storage}, zoom {view.zoom:.3g}"
    imgui.text_disabled(shortened(about, imgui.get_content_region_avail().x))
    imgui.set_item_tooltip(f"{about}\n{own.layout.name}: {own.reason}" if own.reason else about)


def _arrangement(app: App) -> None:
    """Draws the choice between one tab at a time and all next to each other, if there are several tabs."""
    for label, command in _ARRANGEMENT:
        on = app.state.side_by_side and (command == "side_by_side" or app.state.linked)
        imgui.begin_disabled(command == "linked" and not app.state.side_by_side)
        if toggle_button(f"{label}##{command}", on=on):
            app.send(command)
        app.mark(f"button {command}")
        imgui.end_disabled()
        imgui.same_line(0, 6 * app.scale)


def _lane_buttons(app: App, view: View, count: int) -> None:
    for lane, letter in enumerate(_LANE_NAMES[:count]):
        if lane:
            imgui.same_line(0, 3 * app.scale)
        if toggle_button(letter, on=view.lanes[lane], width=27 * app.scale):
            app.send(f"lane_{lane}")
        app.mark(f"lane {letter}")
        if imgui.is_item_clicked(1):
            app.send(f"only_lane_{lane}")
        imgui.set_item_tooltip(
            with_keys(f"Show lane {lane} (Alt+{letter}); right-click: only this one (Alt+Shift+{letter})")
        )


def _flow(width: float, gap: float, *, is_first: bool = False) -> bool:
    """Continues in the same row if there are `width` pixels left in it; returns whether it does."""
    if is_first:
        return True
    right = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
    fits = imgui.get_item_rect_max().x + gap + width <= right
    if fits:
        imgui.same_line(0, gap)
    return bool(fits)


def _button_width(label: str) -> float:
    return float(imgui.calc_text_size(label).x + 2 * imgui.get_style().frame_padding.x)
