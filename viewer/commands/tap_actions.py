"""What the taps panel asks for: tracing an element, seeing a tensor whole, seeing a line of a shader."""

from __future__ import annotations

from viewer.app import App
from viewer.content.tap_view import trace
from viewer.state import View


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
    """Selects the layer that makes a tensor; a weight gets a tab of its own."""
    session = app.document.session
    if session is None:
        return
    found = session.plan.find(key)
    name = found.name if found is not None else key
    if name in app.layer_names():
        app.state.selected = name
        app.state.wanted_view = 0
        app.state.views[0].pick = None  # the trace stays that of the element that read
        return
    locked = [view.locked for view in app.state.views]
    if key not in locked:
        app.state.views.append(View(locked=key))
    app.state.wanted_view = len(app.state.views) - 1 if key not in locked else locked.index(key)


def show_line(app: App, file: str, line: int) -> None:
    """Shows a line of one of the selected pass's files in the shader panel."""
    app.state.wanted_line = (file, line)
