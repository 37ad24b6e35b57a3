"""Implements Undo and Redo for strokes on inputs and for changed values, in the order in which they were made.

An editor of text undoes its own edits while it has the keyboard.
"""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.command import Command, MenuGroup, chord
from texelscope.viewer.undoing.model import StrokeDeed, ValueDeed


def _undo(app: App) -> None:
    while (deed := app.deeds.undo()) is not None:
        if _step(app, deed, forward=False):
            return
    app.log.add("There is nothing to undo.")


def _redo(app: App) -> None:
    while (deed := app.deeds.redo()) is not None:
        if _step(app, deed, forward=True):
            return
    app.log.add("There is nothing to redo.")


def _step(app: App, deed: StrokeDeed | ValueDeed, *, forward: bool) -> bool:
    """Undoes or redoes a deed; False if nothing came of it, as of a stroke on an input that was set anew."""
    if isinstance(deed, StrokeDeed):
        return app.inputs.painted.step(app.document, None, forward=forward)
    return app.document.set_values(deed.after if forward else deed.before)


COMMANDS = (
    Command("undo", _undo, "Undo a stroke or a changed value", "Ctrl+Z", chord(imgui.Key.z, ctrl=True)),
    Command("redo", _redo, "Redo the stroke or the value", "Ctrl+Y", chord(imgui.Key.y, ctrl=True)),
)
MENUS = (MenuGroup("Run", 58, ("undo", "redo")),)
