"""What the tables of a step ask for: watches, where something came from."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.trace.trace import TexelRead
from texelscope.viewer.app import App
from texelscope.viewer.commands.command import Command, chord
from texelscope.viewer.variables.looking import Origin


def explaining_commands() -> tuple[Command, ...]:
    """All of them; most are sent by the tables."""
    code = chord(imgui.Key.f4, shift=True)
    title = "Step to where the sum parts from the oracle's"
    return (
        Command("step_first_wrong", step_first_wrong, title, "Shift+F4", code, True),
        Command("watch", watch),
        Command("unwatch", unwatch),
        Command("explain_value", explain_value),
        Command("explain_read", explain_read),
    )


def step_first_wrong(app: App) -> None:
    """Stands before the first term that is not the oracle's."""
    step = app.stepping.first_wrong
    if step is not None:
        app.send("step_to", number=step.number)
    else:
        reason = app.stepping.sums.reason if app.stepping.sums is not None else "It is not told yet."
        app.log.add(f"The sum does not part from the oracle's: {reason}", warning=True)


def follow(app: App, wake: Callable[[], None]) -> bool:
    """Between frames: the tables of a fragment that somebody begins to step through are brought to the front.

    Its sum too, once it is told. True if something new is there; `wake` is called from a thread when something will be.
    """
    changed = app.summing.advance(app.stepping, app.document, wake)
    stepping, looking = app.stepping, app.looking
    if not stepping.is_on:
        looking.brought = looking.brought_sum = None
        looking.explain(None)
    elif looking.brought != stepping.of:
        looking.brought, looking.brought_sum = stepping.of, None
        looking.explain(None)
        app.state.wanted_panels.append("Variables")
        changed = True
    if looking.brought is not None and looking.brought_sum is None and stepping.sums is not None:
        looking.brought_sum = looking.brought
        app.state.wanted_panels += ["Sum"] if stepping.sums.terms else []
        changed = True
    return changed


def watch(app: App, text: str) -> None:
    """Watches one more expression; a trace that has not recorded it is taken anew."""
    if text not in app.stepping.watches:
        app.stepping.watches.append(text)


def unwatch(app: App, text: str) -> None:
    """Watches an expression no more."""
    if text in app.stepping.watches:
        app.stepping.watches.remove(text)


def explain_value(app: App, name: str, call: int) -> None:
    """Shows where the value came from that a variable of a call holds now."""
    index = app.stepping.index
    if index is None:
        return
    found = next((each for each in index.variables(app.stepping.at, call) if each.name == name), None)
    if found is not None:
        _explain(app, name, found.step, name)


def explain_read(app: App, step: int, number: int) -> None:
    """Shows where the address came from that read `number` of a step used."""
    index = app.stepping.index
    found = index.step(step) if index is not None else None
    if found is not None and number < len(found.reads):
        read = found.reads[number]
        _explain(app, read.text or read.uniform, step, read)


def _explain(app: App, what: str, step: int, asked: str | TexelRead) -> None:
    from texelscope.pipeline.trace.provenance import chain

    trace = app.stepping.trace
    assert trace is not None
    try:
        links = chain(trace, step, asked)
    except TexelscopeError as error:
        app.looking.explain(Origin(what, step, problem=str(error)))
        return
    problem = "" if links else "Nothing in the trace tells."
    app.looking.explain(Origin(what, step, links, problem))
