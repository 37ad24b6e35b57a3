"""Replaces the value of a layer that has not run by one from the oracle, ONNX Runtime or a file, and runs on."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.app import App

if TYPE_CHECKING:
    from texelscope.pipeline.injection.sources import ValueSource


def oracle_value(app: App, name: str) -> NDArray[Any] | None:
    """Returns the oracle's chained value for a layer that has no value; None if there is nothing to inject."""
    document = app.document
    stored, comparison = document.stored(name), document.comparison
    if stored is None or comparison is None or document.session is None or document.session.is_valid(stored.key):
        return None
    if document.run.is_inside(name):  # it ran; the fused run stored only what follows it
        return None
    expected = comparison.expected.get(stored.key)
    return expected.value if expected is not None else None


def is_injected(app: App, name: str) -> bool:
    """Returns whether the layer's value was injected."""
    stored, session = app.document.stored(name), app.document.session
    return stored is not None and session is not None and stored.key in session.injected


def is_missing(app: App, name: str) -> bool:
    """Returns whether the layer can neither run nor has an injected value."""
    session = app.document.session
    return session is not None and session.plan.missing(name) is not None and not is_injected(app, name)


def inject(app: App, name: str | None = None, path: Path | None = None) -> None:
    """Injects a value for a layer that has not run, by default the selected one, and runs on.

    The value comes from the file at `path`, else from the oracle, else from ONNX Runtime. Raises TexelscopeError if
    none has such a value.
    """
    wanted = name or app.selected or ""
    if path is not None or is_missing(app, wanted):
        _inject_missing(app, wanted, path)
        return
    stored, value = app.document.stored(wanted), oracle_value(app, wanted)
    if stored is None or value is None:
        raise TexelscopeError(
            f"layer '{wanted}'",
            "a layer that has not run and has an oracle value",
            "another layer",
            "Select a layer marked 'not run'.",
        )
    assert app.document.session is not None
    app.document.before_change()
    app.document.session.inject(stored.key, value)
    app.document.run_stale()
    app.log.add(f"Injected the oracle's value for '{wanted}'; the layers after it run on that value.")


def _inject_missing(app: App, name: str, path: Path | None) -> None:
    """Injects as the command line does, for one layer; the shapes of the value may change the plan."""
    from texelscope.pipeline.injection.choosing import sources_of
    from texelscope.pipeline.injection.inject import inject_missing

    document = app.document
    session, target = document.session, document.target
    missing = session.plan.missing(name) if session is not None else None
    if session is None or target is None or missing is None:
        raise TexelscopeError(f"layer '{name}'", "a layer that cannot run", "another", "Select one marked 'not run'.")
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
    if was_done and session.plan is not before:  # a layer that became a pass runs like all others
        document.run.to_the_end()


def _show_compared(app: App, sources: Collection[ValueSource]) -> None:
    """Gives the oracle the tensors that the newest comparison has already evaluated."""
    from texelscope.pipeline.injection.sources import OracleValues

    session, comparison = app.document.session, app.document.comparison
    if session is None or comparison is None or session.plan.graph is None:
        return
    textures = session.plan.textures
    found = {textures[key].tensor: each.value for key, each in comparison.expected.items() if key in textures}
    for source in sources:
        if isinstance(source, OracleValues):
            source.follow(session.plan.graph, found)
