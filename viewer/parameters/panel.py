"""The Parameters panel has a slider for each number that a shader lets its user set; the picture follows it."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.layouts.outside_text import in_cell
from texelscope.pipeline.dialects.mpv.blocks import HookParameter
from texelscope.viewer.app import App
from texelscope.viewer.panel import Panel
from texelscope.viewer.parameters.values import parameters_of, with_value

# A change that takes longer is made when the slider is let go, and not at each of its places.
_LIVE_MS = 100.0
# How far a number without limits moves with one pixel of the mouse, of its value in the file, and at least.
_SHARE_OF_PIXEL, _LEAST_OF_PIXEL = 0.01, 0.001
# The largest numbers that a slider takes; larger ones are typed.
_MOST_WHOLE, _MOST = float(1 << 29), 1e30


class ParametersPanel(Panel):
    """Shows a row for each parameter: its name, its value to change, what it is for, and the way back to the file's."""

    title = "Parameters"
    place = "bottom"
    order = 6
    comes_and_goes = True

    def __init__(self) -> None:
        # Values of sliders that are held, until the shader has them.
        self._held: dict[str, float] = {}

    def is_there(self, app: App) -> bool:
        """Returns whether the open shader has parameters."""
        return bool(parameters_of(app))

    def let_go(self) -> None:
        """Forgets what sliders show."""
        self._held = {}

    def draw(self, app: App) -> None:
        """Draws the rows, and a button that resets all."""
        parameters = parameters_of(app)
        imgui.begin_disabled(all(each.initial == each.in_file for each in parameters))
        if imgui.button("Reset all"):
            app.send("reset_parameters")
        app.mark("reset parameters")
        imgui.end_disabled()
        flags = imgui.TableFlags_.sizing_fixed_fit | imgui.TableFlags_.row_bg
        if not imgui.begin_table("parameters", 4, int(flags)):
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
            _try(app, parameter, parameter.in_file)
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
        app.mark(f"parameter {parameter.name}")
        imgui.set_item_tooltip("Ctrl and a click to type a number")
        if moved:
            self._held[parameter.name] = number
        if is_let_go or not imgui.is_item_active():
            number = self._held.pop(parameter.name, number)
        is_due = is_let_go or (moved and _is_quick(app, parameter))
        if is_due and number != parameter.initial:
            _try(app, parameter, number)


def _slider(parameter: HookParameter, shown: float) -> tuple[bool, float]:
    """Draws a slider for a parameter with both limits, and a number to drag for others.

    Returns whether it moved, and its number.
    """
    low, high = parameter.minimum, parameter.maximum
    most = _MOST if parameter.type == "float" else _MOST_WHOLE
    if max(abs(each) for each in (shown, low or 0.0, high or 0.0)) > most:
        return imgui.input_double("##value", shown, 0.0, 0.0, "%.9g")
    if parameter.type == "float":
        if low is not None and high is not None:
            return imgui.slider_float("##value", shown, low, high, "%.4g")
        speed = max(abs(parameter.in_file) * _SHARE_OF_PIXEL, _LEAST_OF_PIXEL)
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
            _try(app, parameter, float(number))
        app.mark(f"choice {name}")
    imgui.end_combo()


def _is_quick(app: App, parameter: HookParameter) -> bool:
    """Reports whether a change is made while the slider moves: no shader is compiled, and it takes little time."""
    return not parameter.is_constant and app.document.varied_ms <= _LIVE_MS


def _try(app: App, parameter: HookParameter, number: float) -> None:
    assert app.document.target is not None
    app.send("vary", dialect=with_value(app.document.target.options.dialect, parameter, number))


PANEL = ParametersPanel()
