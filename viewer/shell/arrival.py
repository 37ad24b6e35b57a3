"""What the window shows by itself: of another target views of its own, and once compared the first wrong pass."""

from __future__ import annotations

from texelscope.pipeline.gl.session import Session
from texelscope.viewer.app import App
from texelscope.viewer.commands.bundle_actions import reopen
from texelscope.viewer.commands.planted_bug import plant
from texelscope.viewer.commands.selecting import select
from texelscope.viewer.commands.shader_edits import try_again
from texelscope.viewer.content.finding_lines import made_at
from texelscope.viewer.state import View


class Arrival:
    """Notices new sessions; the same target in another layout or precision keeps its views."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._origin = ""

    def update(self, app: App) -> None:
        """Takes up a session that was not there before."""
        document = app.document
        if document.session is self._session:
            return
        self._session, origin = document.session, document.origin
        app.canvas.forget()
        app.state.visit = None
        if origin is not None and (origin != self._origin or document.restored is not None):
            app.drafts.forget()
        elif document.session is not None:
            try_again(app)
        if origin is not None and origin != self._origin:
            if self._origin:
                app.state.views, app.state.active_view = [View()], 0
            if origin != app.state.goes_on_in:
                app.state.selected, app.state.chosen = None, False
            app.state.goes_on_in = None
            self._origin = origin
            app.state.pictures.clear()
            app.remembering.note(origin, app.state)
        if app.state.plants_bug and document.session is not None:
            app.state.plants_bug = False
            plant(app)
        if document.restored is not None:
            reopen(app, document.restored)
            app.state.chosen = app.state.selected is not None
            document.restored = None


class Pointing:
    """Points at what is wrong, once that is known, unless the user has chosen something since the target was opened.

    While somebody steps through a fragment it waits.
    """

    def __init__(self) -> None:
        self._pointed_at: tuple[str | None, object] = (None, None)

    def update(self, app: App) -> None:
        """Selects the first wrong pass, and has the line of what is found in the selected one brought into sight."""
        document, state = app.document, app.state
        if app.stepping.is_on:
            return
        comparison = document.comparison
        if not state.chosen and comparison is not None and document.is_compared and comparison.report.culprit:
            select(app, comparison.report.culprit)
        name = app.selected
        diagnosis = app.diagnoses.diagnosis(document, name) if name is not None else None
        places = [made_at(finding) for finding in diagnosis.findings] if diagnosis is not None else []
        places += [(repair.file, repair.line) for repair in diagnosis.repairs] if diagnosis is not None else []
        place = next((place for place in places if place is not None), None)
        if (name, place) != self._pointed_at:
            self._pointed_at, state.wanted_sight = (name, place), place
