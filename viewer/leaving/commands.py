"""Closes the window or opens another target; asks first if there is unsaved work."""

from __future__ import annotations

from pathlib import Path

from imgui_bundle import imgui

from texelscope.pipeline.target import Target
from texelscope.viewer.app import App
from texelscope.viewer.command import Command, chord
from texelscope.viewer.export.bundle import bundle_place, save_bundle
from texelscope.viewer.export.work import needs_bundle, unsaved_work
from texelscope.viewer.shader_editor.commands import save_shader
from texelscope.viewer.state import Leave


def leave(app: App, target: Target | None = None) -> None:
    """Opens `target`, or closes the window without one; asks first if work would be lost.

    The open target keeps its edits if it is opened again, also with other options.
    """
    if app.saving.leave is not None and app.saving.leave.is_saving:
        return
    app.saving.leave = Leave(target)
    if _is_same(app, target) or not unsaved_work(app):
        go(app)


def go(app: App) -> None:
    """Opens the target or closes the window without saving."""
    wanted, app.saving.leave = app.saving.leave, None
    if wanted is None:
        return
    if wanted.target is not None:
        app.document.open(wanted.target)
    else:
        app.closing = True


def stay(app: App) -> None:
    """Cancels leaving."""
    app.saving.leave = None


def save_all(app: App) -> None:
    """Saves all work, then leaves; if a file cannot be saved, the question stays open and says why."""
    wanted = app.saving.leave
    if wanted is None or wanted.is_saving:
        return
    has_bundle = needs_bundle(app)
    for draft in app.saving.drafts.unsaved:
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
    wanted = app.saving.leave
    if wanted is not None and wanted.is_saving and app.saving.background.job is None:
        wanted.is_saving, wanted.problem = False, app.saving.exports.problem or "The bundle was not written."


def _is_same(app: App, target: Target | None) -> bool:
    present = app.document.target
    return target is not None and present is not None and Path(present.path).resolve() == Path(target.path).resolve()


COMMANDS = (
    Command("open", leave),
    Command("leave_saving", save_all),
    Command("leave_anyway", go),
    Command("stay", stay),
    Command("quit", leave, "Quit", "Ctrl+Q", chord(imgui.Key.q, ctrl=True)),
)
