"""What the taps panel asks for: tracing an element, seeing a tensor whole and going back, seeing a line of a shader."""

from __future__ import annotations

from dataclasses import replace

from texelscope.viewer.app import App
from texelscope.viewer.content.tap_view import trace
from texelscope.viewer.state import ViewMode, Visit


def trace_taps(app: App, name: str, element: int) -> None:
    """Records what one element of a pass's output reads."""
    session = app.document.session
    found = session.plan.find(name) if session is not None else None
    if session is not None and found is not None:
        for key in found.reads:  # of a fused run: what it did not store is made, since it is read and shown
            if app.document.run.groups is not None and not session.is_valid(key):
                session.tensor(key)
        app.taps = trace(session, name, element)


def show_tensor(app: App, key: str) -> None:
    """Shows a tensor that the picked texel reads in the first tab; pass, shader and pick stay. Once more goes back."""
    state, session = app.state, app.document.session
    if session is None or key not in session.plan.textures:
        return
    if state.visit is not None and state.visit.view.locked == key:
        go_back(app)
        return
    of = app.taps.name if app.taps is not None else app.selected or ""
    came_from = state.visit.came_from if state.visit is not None else state.active_view
    # As the tab shows things, but nothing of what it shows.
    view = replace(
        state.views[0],
        locked=key,
        mode=ViewMode.ACTUAL,
        shown_as=None,
        fitted=None,
        lanes=[True] * 4,
        hover=None,
        pick=None,
        echo=None,
        texts={},
        texts_of=(),
    )
    state.visit, state.wanted_view = Visit(view, of, came_from), 0
    state.wanted_panels.append("Texture")


def go_back(app: App) -> None:
    """From a tensor that was looked at back to the texel that reads it."""
    if app.state.visit is not None:
        app.state.wanted_view, app.state.visit = app.state.visit.came_from, None


def show_line(app: App, file: str, line: int) -> None:
    """Shows a line of one of the selected pass's files in the shader panel."""
    app.state.wanted_line = (file, line)
