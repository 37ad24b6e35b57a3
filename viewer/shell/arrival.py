"""Reacts to a new session: resets views for another target, and selects the first wrong pass once it is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from texelscope.pipeline.gl.session import Session
from texelscope.viewer.app import App
from texelscope.viewer.export.folder import TEXT_FIELDS, stamps_now
from texelscope.viewer.findings.lines import made_at
from texelscope.viewer.graph.model.folding import Folds
from texelscope.viewer.inputs.paint_commands import input_beside_output
from texelscope.viewer.layers.commands import clear_filter
from texelscope.viewer.memory.saved_state import restore
from texelscope.viewer.shader_editor.commands import planned_file, try_again, try_shader
from texelscope.viewer.shell.tour import is_demo, plant
from texelscope.viewer.state import View


class Arrival:
    """Notices new sessions; the same target in another layout or precision keeps its views."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._origin = ""

    def update(self, app: App) -> None:
        """Adopts a session that was not there before."""
        document = app.document
        if document.session is self._session:
            return
        self._session, origin = document.session, document.origin
        app.display.canvas.forget()
        app.state.visit = app.inputs.stroke = None
        if origin is not None and (origin != self._origin or document.restored is not None):
            app.saving.drafts.forget()
            app.deeds.forget()
            app.saving.kept_values = dict(document.target.options.dialect) if document.target is not None else {}
        elif document.session is not None:
            try_again(app)
        if origin is not None and origin != self._origin:
            if self._origin:
                app.state.views, app.state.active_view, app.state.side_by_side = [View()], 0, False
                clear_filter(app)
            if origin != app.state.goes_on_in:
                app.state.selected, app.state.chosen = None, False
            app.state.goes_on_in = None
            self._origin = origin
            app.state.pictures.clear()
            app.state.folds = Folds()
            app.inputs.brush.on = False
            app.inputs.swatches.forget()
            app.remembering.note(origin, app.state)
            if is_demo(app) and document.restored is None and not app.state.plants_bug:
                input_beside_output(app)
        if app.state.plants_bug and document.session is not None:
            app.state.plants_bug = False
            plant(app)
        if document.restored is not None:
            _reopen(app, document.restored)
            app.state.chosen = app.state.selected is not None
            document.restored = None


class Pointing:
    """Selects what is wrong, once that is known, unless the user has selected something since opening the target.

    Waits while the user steps through a fragment.
    """

    def __init__(self) -> None:
        self._pointed_at: tuple[str | None, object] = (None, None)

    def update(self, app: App) -> None:
        """Selects the first wrong pass, and scrolls the line of the selected pass's finding into view."""
        document, state = app.document, app.state
        if app.debugger.stepping.is_on:
            return
        comparison = document.comparison
        if not state.chosen and comparison is not None and document.is_compared and comparison.report.culprit:
            app.state.select(comparison.report.culprit)
        name = app.selected
        diagnosis = app.analyses.diagnoses.diagnosis(document, name) if name is not None else None
        places = [made_at(finding) for finding in diagnosis.findings] if diagnosis is not None else []
        places += [(repair.file, repair.line) for repair in diagnosis.repairs] if diagnosis is not None else []
        place = next((place for place in places if place is not None), None)
        if (name, place) != self._pointed_at:
            self._pointed_at, state.wanted_sight = (name, place), place


def _reopen(app: App, state: Mapping[str, Any]) -> None:
    """Restores the state of a target just opened from a bundle, as it was when the bundle was saved."""
    restore(app.state, state)
    for name, path, text in _texts(state.get("shaders")):
        file = planned_file(app, name, path)
        if file is not None:
            try_shader(app, name, file, text)
    app.saving.drafts.typed.update(((name, path), text) for name, path, text in _texts(state.get("drafts")))
    app.saving.drafts.kept, app.saving.drafts.stamps = frozenset(app.saving.drafts.texts()), stamps_now(app)
    position, count = state.get("position"), len(app.document.passes)
    if isinstance(position, int) and 0 < position < count:
        app.document.run.up_to(position - 1)


def _texts(data: Any) -> list[tuple[str, str, str]]:
    """Returns pass, file and text of each valid entry; the bundle is untrusted."""
    found = data if isinstance(data, list) else []
    return [
        (each["pass"], each["file"], each["text"])
        for each in found
        if isinstance(each, dict) and all(isinstance(each.get(key), str) for key in TEXT_FIELDS)
    ]
