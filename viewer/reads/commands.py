"""Implements the taps panel: tracing an element, showing a tensor that it reads, going back, showing a shader line."""

from __future__ import annotations

from dataclasses import replace

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.command import Command, chord
from texelscope.viewer.reads.model.tap_view import begun_trace
from texelscope.viewer.state import TensorVisit, ViewMode


def trace_taps(app: App, name: str, element: int) -> None:
    """Records the reads of one element of a pass's output."""
    session = app.document.session
    found = session.plan.find(name) if session is not None else None
    if session is not None and found is not None:
        for key in found.reads:  # computes what a fused run did not store
            if app.document.run.groups is not None and not session.is_valid(key):
                session.tensor(key)
        app.analyses.taps, check = begun_trace(session, name, element)
        if check is not None:
            app.analyses.product_checks.begin(app.analyses.taps, check)


def advance_checks(app: App) -> bool:
    """Takes up a check of products that has ended; returns whether there is something new to show."""
    found = app.analyses.product_checks.update(app.analyses.taps)
    app.analyses.taps = found or app.analyses.taps
    return found is not None


def show_tensor(app: App, key: str) -> None:
    """Shows a tensor that the picked texel reads in the first tab; pass, shader and pick stay. Again: goes back."""
    state, session = app.state, app.document.session
    if session is None or key not in session.plan.textures:
        return
    if state.visit is not None and state.visit.view.locked == key:
        go_back(app)
        return
    of = app.analyses.taps.name if app.analyses.taps is not None else app.selected or ""
    came_from = state.visit.came_from if state.visit is not None else state.active_view
    # The tab keeps its display settings, but not its tensor.
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
    state.visit, state.wanted_view = TensorVisit(view, of, came_from), 0
    state.wanted_panels.append("Texture")


def go_back(app: App) -> None:
    """Returns from a tensor to the texel that reads it."""
    if app.state.visit is not None:
        app.state.wanted_view, app.state.visit = app.state.visit.came_from, None


def show_line(app: App, file: str, line: int) -> None:
    """Shows a line of one of the selected pass's files in the shader panel."""
    app.state.wanted_line = (file, line)


COMMANDS = (
    Command("trace_taps", trace_taps),
    Command("show_tensor", show_tensor),
    Command("go_back", go_back, "Go back to the texel that reads this", "Backspace", chord(imgui.Key.backspace)),
    Command("show_line", show_line),
)
