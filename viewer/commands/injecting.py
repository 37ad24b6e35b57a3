"""Going on after a layer that has not run: a value in its place, from the oracle, ONNX Runtime or a file."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.injection.choosing import sources_of
from texelscope.pipeline.injection.inject import inject_missing
from texelscope.pipeline.injection.oracle_values import OracleValues
from texelscope.pipeline.injection.source import ValueSource
from texelscope.viewer.app import App


def oracle_value(app: App, name: str) -> NDArray[Any] | None:
    """What the oracle, end to end, has for a layer without a value of its own; None if there is nothing to put in."""
    document = app.document
    stored, comparison = document.stored(name), document.comparison
    if stored is None or comparison is None or document.session is None or document.session.is_valid(stored.key):
        return None
    if document.run.is_inside(name):  # it ran, and a fused run has stored what comes after it alone
        return None
    expected = comparison.expected.get(stored.key)
    return expected.value if expected is not None else None


def is_injected(app: App, name: str) -> bool:
    """Whether the layer's value was put in."""
    stored, session = app.document.stored(name), app.document.session
    return stored is not None and session is not None and stored.key in session.injected


def is_missing(app: App, name: str) -> bool:
    """Whether nothing runs the layer, and nothing stands in for it."""
    session = app.document.session
    return session is not None and session.plan.missing(name) is not None and not is_injected(app, name)


def inject(app: App, name: str | None = None, path: Path | None = None) -> None:
    """Puts a value in place of a layer that has not run, the selected one by default, and runs on.

    From the file at `path`; without one from the oracle, or else from ONNX Runtime. Raises TexelscopeError where there
    is no such value.
    """
    wanted = name or app.selected or ""
    if path is not None or is_missing(app, wanted):
        _inject_missing(app, wanted, path)
        return
    stored, value = app.document.stored(wanted), oracle_value(app, wanted)
    if stored is None or value is None:
        raise TexelscopeError(
            f"layer '{wanted}'",
            "one that has not run and that the oracle has a value for",
            "another one",
            "Select a layer marked 'not run'.",
        )
    assert app.document.session is not None
    app.document.before_change()
    app.document.session.inject(stored.key, value)
    app.document.run_stale()
    app.log.add(f"The oracle's value stands in for '{wanted}'; what follows runs on it.")


def _inject_missing(app: App, name: str, path: Path | None) -> None:
    """As the command line does, for one layer; the plan may become another, with the shapes that the value tells."""
    document = app.document
    session, target = document.session, document.target
    missing = session.plan.missing(name) if session is not None else None
    if session is None or target is None or missing is None:
        raise TexelscopeError(f"layer '{name}'", "one that cannot run", "another one", "Select one marked 'not run'.")
    words = [f"{missing.outputs[0]}={path}"] if path is not None else []
    sources = sources_of(words, session, target.path)
    _show_compared(app, sources)
    before, was_done = session.plan, document.run.position >= len(session.plan.passes)
    document.before_change()
    for done in inject_missing(session, sources, (name,)):
        text = str(done)
        app.log.add(f"{text[0].upper()}{text[1:]}", error=not done.source)
    document.follow_plan(before)
    document.run_stale()
    if was_done and session.plan is not before:  # what became a pass runs as all others did
        document.run.to_the_end()


def _show_compared(app: App, sources: Collection[ValueSource]) -> None:
    """Gives the oracle what the newest comparison has evaluated already."""
    session, comparison = app.document.session, app.document.comparison
    if session is None or comparison is None or session.plan.graph is None:
        return
    textures = session.plan.textures
    found = {textures[key].tensor: each.value for key, each in comparison.expected.items() if key in textures}
    for source in sources:
        if isinstance(source, OracleValues):
            source.follow(session.plan.graph, found)
