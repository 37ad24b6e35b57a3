"""What happens in the window when another target has been opened: views of its own, and the range it had."""

from __future__ import annotations

from pipeline.gl.session import Session
from viewer.app import App
from viewer.commands.bundle_actions import reopen
from viewer.commands.planted_bug import plant
from viewer.commands.shader_edits import try_again
from viewer.state import View


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
        if origin is not None and (origin != self._origin or document.restored is not None):
            app.drafts.forget()
        elif document.session is not None:
            try_again(app)
        if origin is not None and origin != self._origin:
            if self._origin:
                app.state.views, app.state.active_view = [View()], 0
            self._origin = origin
            app.state.pictures.clear()
            app.remembering.note(origin, app.state)
        if app.state.plants_bug and document.session is not None:
            app.state.plants_bug = False
            plant(app)
        if document.restored is not None:
            reopen(app, document.restored)
            document.restored = None
