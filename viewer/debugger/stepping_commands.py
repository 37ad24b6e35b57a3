"""Implements the commands of the debugger: start and end stepping, all motions, breakpoints."""

from __future__ import annotations

import time

from imgui_bundle import imgui

from texelscope.pipeline.glsl.lines import Line
from texelscope.viewer.app import App
from texelscope.viewer.colour.shown_as import texel_in
from texelscope.viewer.command import Action, Command, MenuGroup, chord
from texelscope.viewer.debugger.model import taking

# Method of `Stepping`, title, keys and chord of each motion.
_KEY = imgui.Key
_MOTIONS = (
    ("over", "Step over, to the next line", "F10", chord(_KEY.f10)),
    ("back_over", "Step back over, to the previous line", "Shift+F10", chord(_KEY.f10, shift=True)),
    ("into", "Step into, one statement", "F11", chord(_KEY.f11)),
    ("back_into", "Step back one statement", "Ctrl+F11", chord(_KEY.f11, ctrl=True)),
    ("out", "Step out of the function", "Shift+F11", chord(_KEY.f11, shift=True)),
    ("back_out", "Step back out, to the call", "Ctrl+Shift+F11", chord(_KEY.f11, ctrl=True, shift=True)),
    ("next_turn", "Next turn of the loop", "F12", chord(_KEY.f12)),
    ("previous_turn", "Previous turn of the loop", "Shift+F12", chord(_KEY.f12, shift=True)),
    ("next_read", "Next read of a texture", "Ctrl+F12", chord(_KEY.f12, ctrl=True)),
    ("previous_read", "Previous read of a texture", "Ctrl+Shift+F12", chord(_KEY.f12, ctrl=True, shift=True)),
    ("to_breakpoint", "Run to the next breakpoint", "F5", chord(_KEY.f5)),
    ("back_to_breakpoint", "Run back to the previous breakpoint", "Shift+F5", chord(_KEY.f5, shift=True)),
    ("to_start", "Go to the first step", "Alt+Home", chord(_KEY.home, alt=True)),
    ("to_end", "Go to the last step", "Alt+End", chord(_KEY.end, alt=True)),
)


def _commands() -> tuple[Command, ...]:
    """Returns these commands; motions exist only while there is a trace."""
    key = imgui.Key
    to_caret, back_to_caret = chord(key.f10, ctrl=True), chord(key.f10, ctrl=True, shift=True)
    moves = (Command(f"step_{name}", _motion(name), title, keys, code, True) for name, title, keys, code in _MOTIONS)
    return (
        Command("step_texel", step_texel, "Step through this texel", "F10", chord(key.f10), False),
        *moves,
        Command("step_to_caret", _to_line, "Run to the cursor's line", "Ctrl+F10", to_caret, True),
        Command("step_back_to_caret", lambda app: _to_line(app, back=True), "Run back to the cursor's line",
                "Ctrl+Shift+F10", back_to_caret, True),
        Command("breakpoint", _toggle_at_caret, "Toggle a breakpoint at the cursor's line", "F9", chord(key.f9)),
        Command("end_stepping", end_stepping, "End stepping", "Esc", chord(key.escape), True),
        Command("step_to", _to_step),
        Command("step_to_line", _to_line),
        Command("set_breakpoint", set_breakpoint),
    )  # fmt: skip


def picked(app: App) -> tuple[str, int] | None:
    """Returns the pass and the output element (linear index) of the picked texel, in its first visible lane.

    While the tab shows a tensor that the texel reads, the texel that reads it counts.
    """
    session, view = app.document.session, app.state.focus
    found = session.plan.find(view.locked or app.selected or "") if session is not None else None
    shown = app.shown_in(view)
    if session is None or found is None or shown is None or view.pick is None or shown.key != found.output:
        return None
    height, width = shown.texture_shape
    if view.pick[0] >= width or view.pick[1] >= height:
        return None
    lanes = [lane for lane in range(shown.layout.lanes) if view.lanes[lane]] or list(range(shown.layout.lanes))
    elements = [shown.layout.index_of(shown.shape, *view.pick, lane) for lane in lanes]
    elements = [element for element in elements if element >= 0]
    tapped = app.fresh_taps()
    if tapped is not None and tapped.name == found.name and tapped.element in elements:
        return found.name, tapped.element
    return (found.name, elements[0]) if elements else None


def step_texel(app: App, name: str | None = None, element: int | None = None) -> None:
    """Records the fragment that makes an output element, by default the picked one, and moves to its first step."""
    of = (name, element) if name is not None and element is not None else picked(app)
    if of is None:
        app.log.add("Nothing to step through: click a texel of a layer that a shader computes.", warning=True)
        return
    session = app.document.session
    found = session.plan.find(of[0]) if session is not None else None
    if session is None or found is None or not session.has_run(found.name):
        app.log.add(f"'{of[0]}' has not run yet: run it first (F5).", warning=True)
        return
    asked = _now(app)
    taking.begin(app.debugger.stepping, app.document, *of)
    app.debugger.stepping.asked = asked
    if app.debugger.stepping.problem:
        app.log.add(app.debugger.stepping.problem, error=True)
    _show(app)


def end_stepping(app: App) -> None:
    """Drops the trace; breakpoints and watches stay."""
    app.debugger.stepping.end()


def set_breakpoint(app: App, line: Line, condition: str | None = "") -> None:
    """Sets the breakpoint of a line, or removes it if the condition is None."""
    if condition is None:
        app.debugger.stepping.breakpoints.pop(line, None)
    else:
        app.debugger.stepping.breakpoints[line] = condition.strip()


def _motion(name: str) -> Action:
    def action(app: App) -> None:
        app.debugger.stepping.asked = _now(app)
        taking.keep_up(app.debugger.stepping, app.document)
        getattr(app.debugger.stepping, name)()
        _show(app)

    return action


def _now(app: App) -> tuple[float, float]:
    """Returns the start of the frame that saw the key (`time.perf_counter`) and the present `time.process_time`."""
    return time.perf_counter() - app.display.frame_ms / 1e3, time.process_time()


def _to_step(app: App, number: int) -> None:
    app.debugger.stepping.asked = _now(app)
    app.debugger.stepping.to_step(number)
    _show(app)


def _to_line(app: App, line: Line | None = None, *, back: bool = False) -> None:
    """Runs to a line, by default the caret's, forward or back."""
    line = line or app.debugger.stepping.caret
    if line is None:
        return
    app.debugger.stepping.asked = _now(app)
    if back:
        app.debugger.stepping.back_to_line(line)
    else:
        app.debugger.stepping.to_line(line)
    _show(app)


def _toggle_at_caret(app: App) -> None:
    line = app.debugger.stepping.caret
    if line is not None:
        set_breakpoint(app, line, None if line in app.debugger.stepping.breakpoints else "")


def _show(app: App) -> None:
    """Brings the pass, the texel and the text of the debugged fragment into view."""
    of, trace = app.debugger.stepping.of, app.debugger.stepping.trace
    if of is not None and app.selected != of[0]:
        app.state.selected = of[0]
        view, stored = app.state.views[0], app.document.stored(of[0])
        shown = app.shown_in(view)
        if trace is not None and stored is not None and shown is not None:
            view.pick = texel_in(stored, trace.place, shown)
    if "shader text" not in app.display.places:
        app.state.wanted_panels.append("Shader")


COMMANDS = _commands()
MENUS = (
    MenuGroup("Step", 10, ("step_texel",)),
    MenuGroup("Step", 20, ("step_over", "step_into", "step_out", "step_next_turn", "step_next_read", "step_to_caret",
              "step_to_breakpoint", "step_to_end")),
    MenuGroup("Step", 30, ("step_back_over", "step_back_into", "step_back_out", "step_previous_turn",
              "step_previous_read", "step_back_to_caret", "step_back_to_breakpoint", "step_to_start")),
    MenuGroup("Step", 40, ("step_first_wrong", "breakpoint")),
    MenuGroup("Step", 50, ("end_stepping",)),
)  # fmt: skip
