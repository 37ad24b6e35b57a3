"""Draws a row for each number that an effect or an mpv shader lets its user set: a slider, or a list of choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from texelscope.layouts.outside_text import in_cell
from texelscope.viewer.app import App

if TYPE_CHECKING:
    from texelscope.pipeline.dialects.mpv.blocks import HookParameter

# A change that takes longer is made when the slider is let go, and not at each of its places.
LIVE_MS = 100.0
# How far a number without limits moves with one pixel of the mouse, of its value, and at least.
SHARE_OF_PIXEL, LEAST_OF_PIXEL = 0.01, 0.001
# The largest numbers that a slider takes; larger ones are typed.
MOST_WHOLE, MOST = float(1 << 29), 1e30


class HookRows:
    """Draws the rows, and remembers the values of sliders that are held until the shader has them."""

    def __init__(self) -> None:
        self._held: dict[str, float] = {}
        self._moved: str = ""

    def let_go(self) -> None:
        """Forgets what sliders show."""
        self._held = {}

    def draw(self, app: App, parameters: tuple[HookParameter, ...]) -> None:
        """Draws a table of the parameters."""
        flags = imgui.TableFlags_.sizing_fixed_fit | imgui.TableFlags_.row_bg
        if not parameters or not imgui.begin_table("parameters", 4, int(flags)):
            return
        imgui.table_setup_column("name")
        imgui.table_setup_column("value", 0, 300 * app.scale)
        imgui.table_setup_column("reset")
        imgui.table_setup_column("description")
        for each in parameters:
            self._row(app, each)
        imgui.end_table()

    def _row(self, app: App, parameter: HookParameter) -> None:
        imgui.push_id(parameter.name)
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.align_text_to_frame_padding()
        imgui.text_unformatted(in_cell(parameter.name))
        imgui.table_next_column()
        imgui.set_next_item_width(-1.0)
        if parameter.choices:
            _choice(app, parameter)
        else:
            self._number(app, parameter)
        imgui.table_next_column()
        imgui.begin_disabled(parameter.initial == parameter.in_file)
        if imgui.button("Reset"):
            _set(app, parameter, parameter.in_file)
        app.mark(f"reset {parameter.name}")
        imgui.end_disabled()
        imgui.set_item_tooltip(f"Back to {parameter.in_file:g}, as the file has it")
        imgui.table_next_column()
        imgui.align_text_to_frame_padding()
        imgui.text_disabled(in_cell(parameter.description))
        imgui.pop_id()

    def _number(self, app: App, parameter: HookParameter) -> None:
        shown = self._held.get(parameter.name, parameter.initial)
        moved, number = _slider(parameter, shown)
        is_let_go = imgui.is_item_deactivated_after_edit()
        if imgui.is_item_activated():
            self._moved = ""
        app.mark(f"parameter {parameter.name}")
        imgui.set_item_tooltip("Ctrl and a click to type a number")
        if moved:
            self._held[parameter.name] = number
        if is_let_go or not imgui.is_item_active():
            number = self._held.pop(parameter.name, number)
        is_due = is_let_go or (moved and _is_quick(app, parameter))
        if is_due and number != parameter.initial:
            _set(app, parameter, number, goes_on=self._moved == parameter.name)
            self._moved = parameter.name


def _slider(parameter: HookParameter, shown: float) -> tuple[bool, float]:
    """Draws a slider for a parameter with both limits, and a number to drag for others.

    Returns whether it moved, and its number.
    """
    low, high = parameter.minimum, parameter.maximum
    most = MOST if parameter.type == "float" else MOST_WHOLE
    if max(abs(each) for each in (shown, low or 0.0, high or 0.0)) > most:
        return imgui.input_double("##value", shown, 0.0, 0.0, "%.9g")
    if parameter.type == "float":
        if low is not None and high is not None:
            return imgui.slider_float("##value", shown, low, high, "%.4g")
        speed = max(abs(parameter.in_file) * SHARE_OF_PIXEL, LEAST_OF_PIXEL)
        return imgui.drag_float("##value", shown, speed, 0.0, 0.0, "%.4g")
    if low is not None and high is not None:
        return imgui.slider_int("##value", round(shown), round(low), round(high))
    return imgui.drag_int("##value", round(shown))


def _choice(app: App, parameter: HookParameter) -> None:
    current = parameter.choices[int(parameter.initial)]
    if not imgui.begin_combo("##value", in_cell(current)):
        app.mark(f"parameter {parameter.name}")
        return
    for number, name in enumerate(parameter.choices):
        if imgui.selectable(f"{in_cell(name)}##{number}", name == current)[0] and name != current:
            _set(app, parameter, float(number))
        app.mark(f"choice {name}")
    imgui.end_combo()


def _is_quick(app: App, parameter: HookParameter) -> bool:
    """Reports whether a change is made while the slider moves: no shader is compiled, and it takes little time."""
    return not parameter.is_constant and app.document.varied_ms <= LIVE_MS


def _set(app: App, parameter: HookParameter, number: float, *, goes_on: bool = False) -> None:
    from texelscope.pipeline.dialects.mpv.settings import written

    app.send("set_values", values={parameter.name: written(parameter, number)}, goes_on=goes_on)
