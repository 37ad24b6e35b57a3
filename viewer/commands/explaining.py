"""What the tables of a step ask for: watches, where something came from."""

from __future__ import annotations

from pipeline.errors import TexelscopeError
from pipeline.trace.provenance import chain
from pipeline.trace.trace import Read
from viewer.app import App
from viewer.variables.looking import Origin


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


def _explain(app: App, what: str, step: int, asked: str | Read) -> None:
    trace = app.stepping.trace
    assert trace is not None
    try:
        links = chain(trace, step, asked)
    except TexelscopeError as error:
        app.looking.explain(Origin(what, step, problem=str(error)))
        return
    problem = "" if links else "Nothing in the trace tells."
    app.looking.explain(Origin(what, step, links, problem))
