"""Draws the row above a shader that is stepped through: buttons, the present step, and a slider over all steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.command import Command
from texelscope.viewer.debugger.model.stepping import Stepping
from texelscope.viewer.debugger.model.words import loop_words, place_words, step_words
from texelscope.viewer.debugger.source.icons import icon_button
from texelscope.viewer.debugger.stepping_commands import COMMANDS, picked
from texelscope.viewer.widgets.controls import shortened

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.trace import Trace

# In groups: backward, forward, turns and reads.
_BUTTONS = (
    ("to_start", "back_to_breakpoint", "back_over", "back_into"),
    ("into", "over", "out", "to_breakpoint", "to_end"),
    ("previous_turn", "next_turn"),
    ("previous_read", "next_read"),
)
_BAR_PIXELS = 9.0
_OTHER_BITS = (
    "The texture holds slightly different bits: the driver rounds the whole shader differently from single statements."
)


def draw(app: App, name: str) -> None:
    """Draws the row above the texts of the pass called `name`; nothing unless stepping is on or possible."""
    stepping = app.debugger.stepping
    if stepping.of is None:
        _offer(app)
        return
    if stepping.of[0] != name:
        _elsewhere(app, stepping.of[0])
        return
    if stepping.trace is None:
        _problem(app, stepping)
        return
    _buttons(app)
    _state(app, stepping)
    _slider(app, stepping)
    _refused(app, stepping, stepping.trace)
    if stepping.trace.agrees is False and not stepping.is_stale:
        _warn(app, _OTHER_BITS, "other bits")


def _offer(app: App) -> None:
    """Draws a button that steps through the picked texel."""
    if picked(app) is None:
        return
    if imgui.small_button("Step through this texel"):
        app.send("step_texel")
    app.mark("step_texel")
    imgui.set_item_tooltip("Shows every line that ran for it, and the value of each variable (F10)")


def _elsewhere(app: App, name: str) -> None:
    imgui.text_disabled(f"Stepping through '{name}'.")
    imgui.same_line()
    if imgui.small_button("Back to it"):
        app.send("select", name=name)
    app.mark("back to stepping")
    imgui.same_line()
    if imgui.small_button("End##stepping"):
        app.send("end_stepping")


def _problem(app: App, stepping: Stepping) -> None:
    imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.BAD))
    imgui.text_wrapped(stepping.problem)
    imgui.pop_style_color()
    app.mark("stepping problem")
    if imgui.small_button("Close##stepping"):
        app.send("end_stepping")


def _buttons(app: App) -> None:
    imgui.push_style_var(int(imgui.StyleVar_.item_spacing), ImVec2(2 * app.scale, imgui.get_style().item_spacing.y))
    for group, names in enumerate(_BUTTONS):
        for number, name in enumerate(names):
            if group or number:
                imgui.same_line(0, (10 if not number else 2) * app.scale)
            command = _COMMANDS[f"step_{name}"]
            if icon_button(name, f"{command.title} ({command.keys})", app.scale):
                app.send(command.name)
            app.mark(command.name)
    imgui.pop_style_var()
    imgui.same_line(0, 10 * app.scale)
    if imgui.button("End"):
        app.send("end_stepping")
    app.mark("end_stepping")
    imgui.set_item_tooltip("End stepping (Esc)")
    if app.debugger.stepping.first_wrong is not None:
        imgui.same_line(0, 4 * app.scale)
        imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.BAD))
        if imgui.button("First wrong"):
            app.send("step_first_wrong")
        imgui.pop_style_color()
        app.mark("step_first_wrong")
        imgui.set_item_tooltip("Go to the first turn in which the sum differs from the oracle's (Shift+F4)")
    other = picked(app)
    if other is not None and other != app.debugger.stepping.of and app.state.view.pick is not None:
        imgui.same_line(0, 4 * app.scale)
        if imgui.button("Picked texel"):
            app.send("step_texel")
        app.mark("step_picked")
        tx, ty = app.state.view.pick
        imgui.set_item_tooltip(f"Step through the texel that is picked now: {other[0]} ({tx}, {ty})")


def _state(app: App, stepping: Stepping) -> None:
    """Draws the present step, in a line that is cut at the panel's edge."""
    parts = [step_words(stepping), loop_words(stepping), place_words(stepping, _lane(app, stepping))]
    colour = theme.TEXT
    if stepping.is_stale:
        live = app.document.run.continuous
        parts = ["the passes run continuously: stop that (F8) to step" if live else "recording again …"]
        colour = theme.WARNING
    elif stepping.wanted is not None:
        parts[0] = f"searching, {parts[0]}"
    text = "  ·  ".join(part for part in parts if part)
    width = imgui.calc_text_size(text).x + 12 * app.scale
    imgui.same_line(0, 12 * app.scale)
    if imgui.get_content_region_avail().x < min(width, 260 * app.scale):
        imgui.new_line()
    imgui.align_text_to_frame_padding()
    imgui.text_colored(colour, shortened(text, imgui.get_content_region_avail().x))
    app.mark("step state")
    imgui.set_item_tooltip(text)


def _refused(app: App, stepping: Stepping, trace: Trace) -> None:
    """Draws conditions that the driver rejected: such a breakpoint never stops."""
    for (file, line), condition in stepping.breakpoints.items():
        if condition in trace.refused:
            text = f"{file.rpartition('/')[2]}:{line} never stops: {condition}: {trace.refused[condition]}"
            _warn(app, text, "refused condition")


def _warn(app: App, text: str, mark: str) -> None:
    imgui.text_colored(theme.WARNING, shortened(text, imgui.get_content_region_avail().x))
    app.mark(mark)
    imgui.set_item_tooltip(text)


def _slider(app: App, stepping: Stepping) -> None:
    """Draws all steps in a thin bar: a press goes there, and records missing steps."""
    trace, index = stepping.trace, stepping.index
    assert trace is not None
    assert index is not None
    width, height = imgui.get_content_region_avail().x, _BAR_PIXELS * app.scale
    if width < 1:
        return
    imgui.invisible_button("steps", ImVec2(width, height))
    app.mark("step slider")
    corner, end = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    total = max(trace.total, 1)
    hovered = min(max(round((imgui.get_mouse_pos().x - corner.x) / width * total), 0), trace.total)
    if imgui.is_item_active() and hovered != stepping.at:
        app.send("step_to", number=hovered)
    if imgui.is_item_hovered():
        there = index.step(hovered)
        line = f"{there.line[0].rpartition('/')[2]}:{there.line[1]}  {there.text}" if there is not None else ""
        imgui.set_tooltip(f"step {hovered + 1:,} of {trace.total:,}\n{line}" if line else f"step {hovered + 1:,}")
    marks = imgui.get_window_draw_list()
    third = (end.y - corner.y) / 3
    top, bottom = corner.y + third, end.y - third

    def at(number: int) -> float:
        return corner.x + width * number / total

    marks.add_rect_filled(ImVec2(corner.x, top), ImVec2(end.x, bottom), theme.packed(theme.RAISED), 2.0)
    recorded = ImVec2(at(index.first), top), ImVec2(at(index.end), bottom)
    marks.add_rect_filled(*recorded, theme.packed(theme.LINE), 2.0)
    marks.add_rect_filled(ImVec2(corner.x, top), ImVec2(at(stepping.at), bottom), theme.packed(theme.ACCENT), 2.0)
    if stepping.first_wrong is not None:
        wrong = at(stepping.first_wrong.number)
        marks.add_rect_filled(ImVec2(wrong - 1.5, corner.y), ImVec2(wrong + 1.5, end.y), theme.packed(theme.BAD))
    here = ImVec2(at(stepping.at), (corner.y + end.y) / 2)
    marks.add_circle_filled(here, height / 2, theme.packed(theme.ACCENT), 16)


def _lane(app: App, stepping: Stepping) -> int | None:
    """Returns the lane of the texel that is stepped through, if it has several."""
    trace = stepping.trace
    stored = app.document.stored(trace.pass_name) if trace is not None else None
    if trace is None or stored is None or trace.element is None:
        return None
    return stored.layout.texel_of(stored.shape, trace.element)[2]


_COMMANDS: dict[str, Command] = {command.name: command for command in COMMANDS}
