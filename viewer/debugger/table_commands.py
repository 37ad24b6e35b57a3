"""Implements the commands of the debugger's tables: watches, and where a value came from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.app import App
from texelscope.viewer.command import Command, chord
from texelscope.viewer.debugger.model.seen import Origin

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.trace import TexelRead


def _commands() -> tuple[Command, ...]:
    """Returns these commands; most are sent by the tables."""
    code = chord(imgui.Key.f4, shift=True)
    title = "Step to where the sum first differs from the oracle's"
    return (
        Command("step_first_wrong", step_first_wrong, title, "Shift+F4", code, True),
        Command("watch", watch),
        Command("unwatch", unwatch),
        Command("explain_value", explain_value),
        Command("explain_read", explain_read),
    )


def step_first_wrong(app: App) -> None:
    """Moves to the step before the first term that differs from the oracle's."""
    step = app.debugger.stepping.first_wrong
    if step is not None:
        app.send("step_to", number=step.number)
    else:
        reason = app.debugger.stepping.sums.reason if app.debugger.stepping.sums is not None else "It is not known yet."
        app.log.add(f"The sum does not differ from the oracle's: {reason}", warning=True)


def follow(app: App, wake: Callable[[], None]) -> bool:
    """Brings the variables and, once it is known, the sum to the front when stepping starts; runs between frames.

    Returns True if something is new. `wake` is called from a thread when something will be.
    """
    changed = app.debugger.summing.advance(app.debugger.stepping, app.document, wake)
    stepping, looking = app.debugger.stepping, app.debugger.looking
    if not stepping.is_on:
        looking.brought = looking.brought_sum = None
        looking.explain(None)
    elif looking.brought != stepping.of:
        looking.brought, looking.brought_sum = stepping.of, None
        looking.explain(None)
        if not app.debugger.trail.is_there:  # which has a panel of its own in that place
            app.state.wanted_panels.append("Variables")
        changed = True
    if looking.brought is not None and looking.brought_sum is None and stepping.sums is not None:
        looking.brought_sum = looking.brought
        app.state.wanted_tabs += ["Sum"] if stepping.sums.terms else []
        changed = True
    return changed


def watch(app: App, text: str) -> None:
    """Adds a watch expression; takes the trace again if it has not recorded the expression."""
    if text not in app.debugger.stepping.watches:
        app.debugger.stepping.watches.append(text)


def unwatch(app: App, text: str) -> None:
    """Removes a watch expression."""
    if text in app.debugger.stepping.watches:
        app.debugger.stepping.watches.remove(text)


def explain_value(app: App, name: str, call: int) -> None:
    """Shows where the present value of a variable of a call came from."""
    index = app.debugger.stepping.index
    if index is None:
        return
    found = next((each for each in index.variables(app.debugger.stepping.at, call) if each.name == name), None)
    if found is not None:
        _explain(app, name, found.step, name)


def explain_read(app: App, step: int, number: int) -> None:
    """Shows where the address of read `number` of a step came from."""
    index = app.debugger.stepping.index
    found = index.step(step) if index is not None else None
    if found is not None and number < len(found.reads):
        read = found.reads[number]
        _explain(app, read.text or read.uniform, step, read)


def _explain(app: App, what: str, step: int, asked: str | TexelRead) -> None:
    from texelscope.pipeline.step_trace.provenance import chain

    trace = app.debugger.stepping.trace
    assert trace is not None
    try:
        links = chain(trace, step, asked)
    except TexelscopeError as error:
        app.debugger.looking.explain(Origin(what, step, problem=str(error)))
        return
    problem = "" if links else "The trace does not show it."
    app.debugger.looking.explain(Origin(what, step, links, problem))


COMMANDS = _commands()
