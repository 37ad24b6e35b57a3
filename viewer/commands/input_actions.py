"""Commands of inputs: strokes that are painted and taken back, and what is played."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.commands.command import Command, chord
from texelscope.viewer.inputs.strokes import Planes


def input_actions() -> tuple[Command, ...]:
    """All of them."""
    key = imgui.Key
    return (
        Command("set_input", lambda app, name, source: app.document.set_input(name, source)),
        Command("paint", _paint),
        Command("undo_stroke", _undo, "Undo the last stroke on an input", "Ctrl+Z", chord(key.z, ctrl=True)),
        Command("redo_stroke", _redo, "Redo the stroke", "Ctrl+Y", chord(key.y, ctrl=True)),
        Command("play", lambda app, name, folder: app.playback.start(name, folder)),
        Command("seek", lambda app, place: app.playback.seek(place)),
        Command("pause", _pause, "Pause playing, or go on", "Ctrl+,", chord(key.comma, ctrl=True)),
        Command("stop_playing", _stop, "Stop playing", "Ctrl+.", chord(key.period, ctrl=True)),
    )


def _paint(app: App, name: str, before: Planes, after: Planes) -> None:
    app.painted.paint(app.document, name, before, after)


def _undo(app: App, name: str | None = None) -> None:
    if not app.painted.step(app.document, name, forward=False):
        app.log.add("There is no stroke to take back.")


def _redo(app: App, name: str | None = None) -> None:
    if not app.painted.step(app.document, name, forward=True):
        app.log.add("There is no stroke to do again.")


def _pause(app: App) -> None:
    """Goes on, or stays at the frame that is shown, which is then compared."""
    app.playback.paused = bool(app.playback.playing) and not app.playback.paused
    app.document.run.rest()


def _stop(app: App) -> None:
    app.playback.stop()
    app.document.run.rest()
