"""Closing the window, and opening another target: what is not saved is asked about first."""

from __future__ import annotations

from pathlib import Path

from texelscope.pipeline.target import Target
from texelscope.viewer.app import App
from texelscope.viewer.commands.bundle_actions import bundle_place, save_bundle
from texelscope.viewer.commands.shader_edits import save_shader
from texelscope.viewer.editing.leave import Leave
from texelscope.viewer.leaving.work import needs_bundle, unsaved_work


def leave(app: App, target: Target | None = None) -> None:
    """Opens `target`, or closes the window without one; asks first where work would be lost.

    The target that is open, opened once more or otherwise, keeps what was edited.
    """
    if app.leave is not None and app.leave.is_saving:
        return
    app.leave = Leave(target)
    if _is_same(app, target) or not unsaved_work(app):
        go(app)


def go(app: App) -> None:
    """Does what was wanted, whatever is lost by it."""
    wanted, app.leave = app.leave, None
    if wanted is None:
        return
    if wanted.target is not None:
        app.document.open(wanted.target)
    else:
        app.closing = True


def stay(app: App) -> None:
    """Leaves everything as it is."""
    app.leave = None


def save_all(app: App) -> None:
    """Saves all of it, then does what was wanted; where a file cannot be saved the question stays, and says why."""
    wanted = app.leave
    if wanted is None or wanted.is_saving:
        return
    has_bundle = needs_bundle(app)
    for draft in app.drafts.unsaved:
        if draft.path is not None:
            save_shader(app, draft.path, draft.text)
            if draft.is_changed:
                wanted.problem = app.log.entries[-1].text
                return
    if not has_bundle:
        go(app)
        return
    wanted.is_saving, wanted.problem = True, ""
    save_bundle(app, path=bundle_place(app), then=lambda: go(app))


def follow(app: App) -> None:
    """Notices that a bundle could not be written."""
    wanted = app.leave
    if wanted is not None and wanted.is_saving and app.background.job is None:
        wanted.is_saving, wanted.problem = False, app.exports.problem or "The bundle was not written."


def _is_same(app: App, target: Target | None) -> bool:
    present = app.document.target
    return target is not None and present is not None and Path(present.path).resolve() == Path(target.path).resolve()
