"""Draws a shared variable as a grid of cells: values in colours, and who touched them since the last barrier."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import ImVec2, imgui
from numpy.typing import NDArray

from texelscope.pipeline.export import colour_maps
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.shared_memory.model.recorded_group import RecordedGroup, access_lines

if TYPE_CHECKING:
    from texelscope.pipeline.read_trace.shared_contents import SharedVariable

# Cells are at most and at least this large, in pixels at scale 1; from the third on they have room for numbers.
MOST_CELL, LEAST_CELL, WORDS_CELL = 46.0, 4.0, 34.0
# Larger arrays are shown up to here: a frame draws a rectangle for each.
MOST_CELLS = 8192


def draw(app: App, group: RecordedGroup, variable: SharedVariable, lane: int, room: ImVec2) -> None:
    """Draws one lane of a variable as it is at the end of the shown phase, as large as fits into `room`."""
    shown, memory = group.shown, group.memory
    held = shown.contents.get(variable.name) if shown is not None else None
    if held is None or shown is None or memory is None:
        imgui.text_disabled("Its contents were not copied here: the shader may return before.")
        return
    values = held.reshape(-1, variable.lanes)[:, lane]
    count = min(len(values), MOST_CELLS)
    rows, columns = group.extents(variable, count)
    cell = min(room.x / columns, max(room.y, 60 * app.scale) / rows, MOST_CELL * app.scale)
    cell = max(float(int(cell)), LEAST_CELL * app.scale)
    corner, draw_list = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    imgui.invisible_button(f"##{variable.name}", ImVec2(columns * cell, rows * cell))
    app.mark(f"shared {variable.name}")
    colours = _colours(app, values[:count])
    own = {(each.element, each.writes) for each in group.own() if each.name == variable.name}
    written = {each.element for each in shown.accesses if each.name == variable.name and each.writes}
    gap = 1.0 if cell >= 8.0 else 0.0
    for element in range(count):
        low = ImVec2(corner.x + element % columns * cell, corner.y + element // columns * cell)
        high = ImVec2(low.x + cell - gap, low.y + cell - gap)
        draw_list.add_rect_filled(low, high, colours[element])
        if element in written:
            draw_list.add_triangle_filled(
                ImVec2(high.x - cell * 0.3, low.y), ImVec2(high.x, low.y), ImVec2(high.x, low.y + cell * 0.3),
                theme.packed(theme.ACCENT),
            )  # fmt: skip
        if cell >= WORDS_CELL * app.scale:
            _number(draw_list, low, cell, f"{values[element]:.3g}")
        for writes, colour in ((False, theme.GOOD), (True, theme.WARNING)):
            if (element, writes) in own:
                draw_list.add_rect(low, high, theme.packed(theme.BACKGROUND), 0.0, 4.0)
                draw_list.add_rect(low, high, theme.packed(colour), 0.0, 2.0)
    if imgui.is_item_hovered():
        mouse = imgui.get_mouse_pos()
        at = int((mouse.y - corner.y) // cell) * columns + int((mouse.x - corner.x) // cell)
        if 0 <= at < count:
            _pointed(group, variable, at, values[at])
    if len(values) > count:
        imgui.text_disabled(f"and {len(values) - count:,} more elements")


def _pointed(group: RecordedGroup, variable: SharedVariable, element: int, value: np.generic) -> None:
    """Draws what is known of the element under the mouse; a click shows the invocation that wrote or read it."""
    shown, memory = group.shown, group.memory
    if shown is None or memory is None:
        return
    index = _index(shown.contents[variable.name].shape[:-1], element)
    lines = access_lines(memory, shown.accesses, variable.name, element) or ("not touched since the last barrier",)
    imgui.set_tooltip("\n".join((f"{variable.name}{index} = {value:.9g}", *lines)))
    if imgui.is_mouse_clicked(0):
        touched = [each for each in shown.accesses if (each.name, each.element) == (variable.name, element)]
        touched.sort(key=lambda each: not each.writes)
        if touched:
            group.invocation = touched[0].invocation


def _index(extents: tuple[int, ...], element: int) -> str:
    return "".join(f"[{place}]" for place in np.unravel_index(element, extents)) if extents else ""


def _colours(app: App, values: NDArray[np.generic]) -> list[int]:
    """Returns the packed colour of each value, over the range of all finite ones."""
    numbers = values.astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    signed = low < 0.0
    if signed:
        low, high = -max(-low, high), max(-low, high)
    table = colour_maps.table(app.state.colours.map_of(signed=signed))
    share = np.nan_to_num((numbers - low) / ((high - low) or 1.0), nan=0.0, posinf=1.0, neginf=0.0)
    steps = np.clip(np.round(share * (colour_maps.STEPS - 1)), 0, colour_maps.STEPS - 1).astype(int)
    red, green, blue = (np.round(table[steps, channel] * 255).astype(np.int64) for channel in range(3))
    packed = (0xFF << 24) | (blue << 16) | (green << 8) | red
    odd = theme.packed(theme.BAD)
    return [odd if bad else int(each) for each, bad in zip(packed, ~np.isfinite(numbers), strict=True)]


def _number(draw_list: imgui.ImDrawList, low: ImVec2, cell: float, text: str) -> None:
    font, pixels = imgui.get_font(), imgui.get_font_size() * 0.8
    size = imgui.calc_text_size(text)
    at = ImVec2(low.x + (cell - size.x * 0.8) / 2, low.y + (cell - size.y * 0.8) / 2)
    for x, y in ((1, 1), (-1, -1), (1, -1), (-1, 1)):
        draw_list.add_text(font, pixels, ImVec2(at.x + x, at.y + y), theme.packed((0.0, 0.0, 0.0, 0.75)), text)
    draw_list.add_text(font, pixels, at, theme.packed(theme.ON_PICTURE), text)
