"""Choosing a layer: by a click or a key, or because it is the first wrong one."""

from __future__ import annotations

from viewer.app import App
from viewer.commands.run_modes import open_up


def select(app: App, name: str) -> None:
    """From now on the panels are about the layer called `name`; nothing else is selected by itself after that."""
    app.state.selected, app.state.chosen = name, True
    app.state.views[0].pick = app.state.visit = None


def choose(app: App, name: str) -> None:
    """A click on a layer: its texture is to be seen, not only that of a locked tab; one inside of a form opens up."""
    select(app, name)
    app.state.wanted_view = 0
    open_up(app, name)


def first_wrong(app: App) -> None:
    """Goes to the first wrong layer and its finding; without one to where the end-to-end error jumps."""
    name = first_to_see(app)
    if name is not None:
        select(app, name)
        app.state.wanted_panels.append("Findings")


def first_to_see(app: App) -> str | None:
    """The first wrong layer, or the one at which the end-to-end error jumps; None where there is neither."""
    comparison = app.document.comparison
    if comparison is None or not app.document.is_compared:
        return None
    whole = comparison.report.end_to_end
    jump = whole.jump.name if whole is not None and whole.jump is not None else None
    return comparison.report.culprit or jump
