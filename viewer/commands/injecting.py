"""Going on after a layer that has not run: the oracle's value in its place."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from pipeline.errors import TexelscopeError
from viewer.app import App


def oracle_value(app: App, name: str) -> NDArray[Any] | None:
    """What the oracle, end to end, has for a layer without a value of its own; None if there is nothing to put in."""
    document = app.document
    stored, comparison = document.stored(name), document.comparison
    if stored is None or comparison is None or document.session is None or document.session.is_valid(stored.key):
        return None
    expected = comparison.expected.get(stored.key)
    return expected.value if expected is not None else None


def is_injected(app: App, name: str) -> bool:
    """Whether the layer's value was put in."""
    stored, session = app.document.stored(name), app.document.session
    return stored is not None and session is not None and stored.key in session.injected


def inject(app: App, name: str | None = None) -> None:
    """Puts the oracle's value in place of a layer that has not run, the selected one by default, and runs on.

    Raises TexelscopeError where there is no such value.
    """
    wanted = name or app.selected or ""
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
