"""Closes the window or opens another target; asks first, over everything else, if there is unsaved work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Unpack

from imgui_bundle import imgui

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.target import OpenKeywords, Target
from texelscope.pipeline.untrusted_files.door import real_path
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.command import Command, MenuGroup, chord
from texelscope.viewer.export.folder import bundle_place, save_bundle
from texelscope.viewer.export.where_kept import UnsavedWork, needs_bundle, unsaved_work
from texelscope.viewer.parameters.commands import save as save_values
from texelscope.viewer.parameters.model import unsaved_values
from texelscope.viewer.shader_editor.commands import save_shader
from texelscope.viewer.state import LeaveRequest
from texelscope.viewer.widgets.question import begin_question


def leave(app: App, target: Target | None = None) -> None:
    """Opens `target`, or closes the window without one; asks first if work would be lost.

    The open target keeps its edits if it is opened again, also with other options; its trained weights are lost.
    """
    if app.saving.leave is not None and app.saving.leave.is_saving:
        return
    app.saving.leave = LeaveRequest(target)
    if not lost_work(app, target):
        go(app)


def reopen(app: App, **changes: Unpack[OpenKeywords]) -> None:
    """Opens the same target with other options; asks first if its trained weights would be lost."""
    target = app.document.target
    if target is not None:
        leave(app, replace(target, options=replace(target.options, **changes)))


def lost_work(app: App, target: Target | None) -> tuple[UnsavedWork, ...]:
    """Returns the work that is lost when `target` is opened, or, without one, when the window closes."""
    edits = _lost_values(app, target) if _is_same(app, target) else unsaved_work(app)
    training = app.training
    if not training.is_unsaved or training.trainer is None:
        return edits
    steps = "1 step" if training.trainer.steps == 1 else f"{training.trainer.steps} steps"
    place = Path(training.save_as)
    return (*edits, UnsavedWork("Trained weights", f"after {steps}, not saved to {place}", place))


def _lost_values(app: App, target: Target | None) -> tuple[UnsavedWork, ...]:
    """Returns the changed values that the same file, opened as `target`, does not have."""
    told = target.options.dialect if target is not None else {}
    lost = {key for key, text in unsaved_values(app).items() if told.get(key) != text}
    return tuple(each for each in unsaved_work(app) if each.what in lost)


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
    if app.training.is_unsaved:
        try:
            app.training.save(Path(app.training.save_as).expanduser())
        except TexelscopeError as error:
            wanted.problem = str(error)
            return
        app.log.add(f"Saved the trained model as {app.training.save_as}.")
    if unsaved_values(app) and not app.document.is_unpacked:
        try:
            save_values(app)
        except TexelscopeError as error:
            wanted.problem = str(error)
            return
    if _is_same(app, wanted.target):  # its edits stay
        go(app)
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
    return target is not None and present is not None and real_path(present.path) == real_path(target.path)


COMMANDS = (
    Command("open", leave),
    Command("reopen", reopen),
    Command("leave_saving", save_all),
    Command("leave_anyway", go),
    Command("stay", stay),
    Command("quit", leave, "Quit", "Ctrl+Q", chord(imgui.Key.q, ctrl=True)),
)


_TITLE = "Save your work?"
_MOST_LINES = 8


def draw_question(app: App) -> None:
    """Draws the question while the user wants to leave."""
    follow(app)
    wanted = app.saving.leave
    if wanted is None:
        return
    if not begin_question(app, _TITLE, 600.0):
        return
    _words(app, wanted)
    _buttons(app, wanted)
    imgui.end_popup()


def _words(app: App, wanted: LeaveRequest) -> None:
    imgui.push_text_wrap_pos(0.0)
    doing = f"{Path(wanted.target.path).name} is opened" if wanted.target is not None else "the window closes"
    imgui.text_unformatted(f"When {doing}, the following is lost unless you save it:")
    imgui.spacing()
    work = lost_work(app, wanted.target)
    for each in work[:_MOST_LINES]:
        imgui.bullet()
        imgui.push_font(app.display.fonts.bold, 0.0)
        imgui.text_unformatted(each.what)
        imgui.pop_font()
        imgui.same_line()
        imgui.text_colored(theme.QUIET, each.why)
    if len(work) > _MOST_LINES:
        imgui.text_disabled(f"and {len(work) - _MOST_LINES} more")
    imgui.spacing()
    if needs_bundle(app) and not _is_same(app, wanted.target):
        place = bundle_place(app)
        again = "is written again" if str(place) == app.document.origin else "is written, which reopens this state"
        files = "each file is saved in its place, and " if any(each.path for each in work) else ""
        imgui.text_colored(theme.QUIET, f"Save all: {files}the bundle {place} {again}.")
    if wanted.problem:
        imgui.text_colored(theme.BAD, wanted.problem)
    imgui.pop_text_wrap_pos()
    imgui.spacing()


def _buttons(app: App, wanted: LeaveRequest) -> None:
    key = imgui.Key
    choices = (
        ("Save all  (S)", "leave_saving", "leave save", (key.s, key.enter)),
        ("Discard  (D)", "leave_anyway", "leave discard", (key.d,)),
        ("Cancel  (Esc)", "stay", "leave cancel", (key.escape,)),
    )
    imgui.begin_disabled(wanted.is_saving)
    for label, command, place, keys in choices:
        is_pressed = imgui.button(label)
        app.mark(place)
        if place == "leave save":
            imgui.set_item_default_focus()
        if not wanted.is_saving and (is_pressed or any(imgui.is_key_pressed(each, False) for each in keys)):
            app.send(command)
            imgui.close_current_popup()
        imgui.same_line()
    imgui.end_disabled()
    if wanted.is_saving:
        imgui.text_disabled("Saving …")
    else:
        imgui.new_line()


MENUS = (MenuGroup("File", 40, ("quit",)),)
