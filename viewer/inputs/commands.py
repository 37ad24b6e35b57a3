"""Implements the commands of inputs: undoing painted strokes, and playing."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.command import Command, MenuGroup, chord


def _commands() -> tuple[Command, ...]:
    """Returns these commands."""
    key = imgui.Key
    return (
        Command("set_input", lambda app, name, source: app.document.set_input(name, source)),
        Command("undo_stroke", _undo),
        Command("redo_stroke", _redo),
        Command("play", lambda app, name, folder: app.inputs.playback.start(name, folder)),
        Command("seek", lambda app, place: app.inputs.playback.seek(place)),
        Command("pause", _pause, "Pause or resume playing", "Ctrl+,", chord(key.comma, ctrl=True)),
        Command("stop_playing", _stop, "Stop playing", "Ctrl+.", chord(key.period, ctrl=True)),
    )


def _undo(app: App, name: str | None = None) -> None:
    if not app.inputs.painted.step(app.document, name, forward=False):
        app.log.add("There is no stroke to undo.")


def _redo(app: App, name: str | None = None) -> None:
    if not app.inputs.painted.step(app.document, name, forward=True):
        app.log.add("There is no stroke to redo.")


def _pause(app: App) -> None:
    """Resumes playing, or pauses at the present frame, which is then compared."""
    app.inputs.playback.paused = bool(app.inputs.playback.playing) and not app.inputs.playback.paused
    app.document.run.rest()


def _stop(app: App) -> None:
    app.inputs.playback.stop()
    app.document.run.rest()


COMMANDS = _commands()
MENUS = (MenuGroup("Run", 60, ("pause", "stop_playing")),)
