"""Implements *Why this value?*: follows an error back, and shows where it is made in texture, shader and sum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.command import Command, MenuGroup, chord
from texelscope.viewer.debugger.stepping_commands import picked, step_texel
from texelscope.viewer.reads.commands import trace_taps

if TYPE_CHECKING:
    from texelscope.pipeline.read_trace.error_path import ErrorStep


def _commands() -> tuple[Command, ...]:
    """Returns these commands."""
    return (
        Command("why_value", why_value, "Why this value?", "Q", chord(imgui.Key.q)),
        Command("why_go_to", go_to_step),
        Command("why_end", end),
    )


def why_value(app: App) -> None:
    """Follows the error of the picked element back to its origin; without a picked one, of the layer's worst."""
    session, comparison = app.document.session, app.document.comparison
    of = picked(app) or _worst(app)
    if session is None or of is None:
        app.log.add("Nothing to explain: click a texel of a layer that a shader computes.", warning=True)
        return
    found = session.plan.find(of[0])
    if found is None or comparison is None or not app.document.is_compared:
        app.log.add("The oracle has no value here yet: wait until the passes are compared.", warning=True)
        return
    if found.output not in comparison.capture.tensors:
        app.log.add(f"'{of[0]}' has not run yet: run it first (F5).", warning=True)
        return
    app.debugger.trail.begin(session, comparison, found.output, of[1])


def go_to_step(app: App, number: int) -> None:
    """Shows the element of one step of the trail: its pass, its texel, its reads."""
    steps = app.debugger.trail.steps
    if number < len(steps):
        _show(app, steps[number])
        if steps[number].name:
            trace_taps(app, steps[number].name, steps[number].element)


def end(app: App) -> None:
    """Forgets the trail; stepping goes on."""
    app.debugger.trail.end()


def advance(app: App) -> bool:
    """Looks for one further step of the trail between two frames, and shows its end; True if anything is new."""
    trail, document, stepping = app.debugger.trail, app.document, app.debugger.stepping
    if not trail.is_there:
        return False
    session, comparison = document.session, document.comparison
    if session is None or comparison is None or not document.is_compared or comparison.number != trail.number:
        trail.end()
        return True
    if trail.is_following:
        trail.follow(session, comparison)
        if (origin := trail.origin) is not None:
            _arrive(app, origin)
        return True
    if trail.waits and stepping.of == (trail.steps[-1].name, trail.steps[-1].element):
        if stepping.problem:
            trail.waits, trail.conclusion = False, f"{trail.conclusion} {stepping.problem}"
            return True
        if stepping.sums is not None:
            trail.conclude(stepping)
            if stepping.first_wrong is not None:
                app.send("step_first_wrong")
            app.state.wanted_panels.append("Why")
            return True
    return False


def _arrive(app: App, origin: ErrorStep) -> None:
    """Shows the origin's texel, its reads, and the first step of its fragment."""
    _show(app, origin)
    if origin.name:
        trace_taps(app, origin.name, origin.element)
        step_texel(app, origin.name, origin.element)
    app.state.wanted_panels.append("Why")


def _show(app: App, step: ErrorStep) -> None:
    """Selects the layer of a step, and picks its texel."""
    name = step.name or step.key
    if app.selected != name:
        app.state.select(name)
    view = app.state.views[0]
    shown = app.showing(view, step.element)
    if shown is not None:
        view.pick = shown.layout.texel_of(shown.shape, step.element)[:2]
    app.state.wanted_view = 0
    app.state.wanted_panels.append("Texture")


def _worst(app: App) -> tuple[str, int] | None:
    """Returns the selected pass and the element that is furthest from the oracle's end to end."""
    from texelscope.pipeline.compare.figures import measure

    session, comparison = app.document.session, app.document.comparison
    found = session.plan.find(app.selected or "") if session is not None else None
    if found is None or comparison is None or found.output not in comparison.capture.tensors:
        return None
    expected = comparison.oracle(found.output, chained=True)
    return (found.name, measure(comparison.capture.tensors[found.output], expected).worst) if expected else None


COMMANDS = _commands()
MENUS = (MenuGroup("Step", 5, ("why_value",)),)
