"""Commands of the stepper: through which fragment, every motion, breakpoints, and its end."""

from __future__ import annotations

import time

from imgui_bundle import imgui

from texelscope.pipeline.glsl.lines import Line
from texelscope.viewer.app import App
from texelscope.viewer.commands.command import Action, Command, chord
from texelscope.viewer.content.shown_as import texel_in
from texelscope.viewer.stepping import taking

# Command, title, keys and chord of each motion, by the method of `Stepping` that makes it.
_KEY = imgui.Key
_MOTIONS = (
    ("over", "Step over: to the next line", "F10", chord(_KEY.f10)),
    ("back_over", "Step back over: to the line before", "Shift+F10", chord(_KEY.f10, shift=True)),
    ("into", "Step into: one statement", "F11", chord(_KEY.f11)),
    ("back_into", "Step back one statement", "Ctrl+F11", chord(_KEY.f11, ctrl=True)),
    ("out", "Step out of the function", "Shift+F11", chord(_KEY.f11, shift=True)),
    ("back_out", "Step back out, to the call", "Ctrl+Shift+F11", chord(_KEY.f11, ctrl=True, shift=True)),
    ("next_turn", "Next turn of the loop", "F12", chord(_KEY.f12)),
    ("previous_turn", "Previous turn of the loop", "Shift+F12", chord(_KEY.f12, shift=True)),
    ("next_read", "Next read of a texture", "Ctrl+F12", chord(_KEY.f12, ctrl=True)),
    ("previous_read", "Previous read of a texture", "Ctrl+Shift+F12", chord(_KEY.f12, ctrl=True, shift=True)),
    ("to_breakpoint", "Run to the next breakpoint", "F5", chord(_KEY.f5)),
    ("back_to_breakpoint", "Run back to the breakpoint before", "Shift+F5", chord(_KEY.f5, shift=True)),
    ("to_start", "Back to the first step", "Alt+Home", chord(_KEY.home, alt=True)),
    ("to_end", "On to the last step", "Alt+End", chord(_KEY.end, alt=True)),
)


def stepping_commands() -> tuple[Command, ...]:
    """All of them; those that move are there only while there is a trace."""
    key = imgui.Key
    to_caret, back_to_caret = chord(key.f10, ctrl=True), chord(key.f10, ctrl=True, shift=True)
    moves = (Command(f"step_{name}", _motion(name), title, keys, code, True) for name, title, keys, code in _MOTIONS)
    return (
        Command("step_texel", step_texel, "Step through this texel", "F10", chord(key.f10), False),
        *moves,
        Command("step_to_caret", _to_line, "Run to the line of the cursor", "Ctrl+F10", to_caret, True),
        Command("step_back_to_caret", lambda app: _to_line(app, back=True), "Run back to the line of the cursor",
                "Ctrl+Shift+F10", back_to_caret, True),
        Command("breakpoint", _toggle_at_caret, "Breakpoint at the line of the cursor", "F9", chord(key.f9)),
        Command("end_stepping", end_stepping, "End stepping", "Esc", chord(key.escape), True),
        Command("step_to", _to_step),
        Command("step_to_line", _to_line),
        Command("set_breakpoint", set_breakpoint),
    )  # fmt: skip


def picked(app: App) -> tuple[str, int] | None:
    """The pass and the element (linear index) of its output that the picked texel holds in the first lane shown.

    Where the texel's reads are shown, that of those.
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
    """Records the fragment that makes an element of a pass's output, by default the picked one; stands at its start."""
    of = (name, element) if name is not None and element is not None else picked(app)
    if of is None:
        app.log.add("Nothing to step through: pick a texel of a layer that a shader makes, with a click.", warning=True)
        return
    session = app.document.session
    found = session.plan.find(of[0]) if session is not None else None
    if session is None or found is None or not session.has_run(found.name):
        app.log.add(f"'{of[0]}' has not run yet: run it first (F5).", warning=True)
        return
    asked = _now(app)
    taking.begin(app.stepping, app.document, *of)
    app.stepping.asked = asked
    if app.stepping.problem:
        app.log.add(app.stepping.problem, error=True)
    _show(app)


def end_stepping(app: App) -> None:
    """Lets the trace go; breakpoints and watches stay."""
    app.stepping.end()


def set_breakpoint(app: App, line: Line, condition: str | None = "") -> None:
    """Sets the breakpoint of a line, or takes it away where the condition is None."""
    if condition is None:
        app.stepping.breakpoints.pop(line, None)
    else:
        app.stepping.breakpoints[line] = condition.strip()


def _motion(name: str) -> Action:
    def action(app: App) -> None:
        app.stepping.asked = _now(app)
        taking.keep_up(app.stepping, app.document)
        getattr(app.stepping, name)()
        _show(app)

    return action


def _now(app: App) -> tuple[float, float]:
    """When the frame began that saw the key, in seconds of `time.perf_counter`; and of `time.process_time`, now."""
    return time.perf_counter() - app.frame_ms / 1e3, time.process_time()


def _to_step(app: App, number: int) -> None:
    app.stepping.asked = _now(app)
    app.stepping.to_step(number)
    _show(app)


def _to_line(app: App, line: Line | None = None, *, back: bool = False) -> None:
    """Runs to a line, that of the caret by default, on or back."""
    line = line or app.stepping.caret
    if line is None:
        return
    app.stepping.asked = _now(app)
    if back:
        app.stepping.back_to_line(line)
    else:
        app.stepping.to_line(line)
    _show(app)


def _toggle_at_caret(app: App) -> None:
    line = app.stepping.caret
    if line is not None:
        set_breakpoint(app, line, None if line in app.stepping.breakpoints else "")


def _show(app: App) -> None:
    """What is stepped through is in sight: its pass, its texel, its text."""
    of, trace = app.stepping.of, app.stepping.trace
    if of is not None and app.selected != of[0]:
        app.state.selected = of[0]
        view, stored = app.state.views[0], app.document.stored(of[0])
        shown = app.shown_in(view)
        if trace is not None and stored is not None and shown is not None:
            view.pick = texel_in(stored, trace.place, shown)
    if "shader text" not in app.places:
        app.state.wanted_panels.append("Shader")
