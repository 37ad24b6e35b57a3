"""Logs what the user does in the window, a line each in Python's logging: selections, picks, steps, modes."""

from __future__ import annotations

import logging

from texelscope.layouts.outside_text import logger
from texelscope.viewer.app import App
from texelscope.viewer.canvas.readout import read_out
from texelscope.viewer.state import View

_logger = logger("texelscope.window.trace")


class StateTrace:
    """Logs what has changed since the last frame."""

    def __init__(self) -> None:
        self._last: dict[str, object] = {}

    def follow(self, app: App) -> None:
        """Logs every change, at level DEBUG."""
        if not _logger.isEnabledFor(logging.DEBUG):
            return
        view = app.state.view
        now: dict[str, object] = {
            "selected": app.selected,
            "shows": view.mode.name.lower(),
            "compares": "chained" if app.state.chained else "isolated",
            "ran": f"{app.document.run.position} of {len(app.document.passes)} passes",
            "picked": _texel(app, view, view.pick),
            "points at": _texel(app, view, view.hover),
        }
        for what, value in now.items():
            if value is not None and value != self._last.get(what):
                _logger.debug("%s %s", what, value)
        self._last = now


def _texel(app: App, view: View, texel: tuple[int, int] | None) -> str | None:
    name = view.locked or app.selected or ""
    stored = app.shown_in(view)
    readout = read_out(app.document, stored, *texel, chained=app.state.chained) if stored and texel else None
    if readout is None:
        return None
    lanes = (f"{list(lane.index)} = {lane.actual!r}" for lane in readout.lanes if lane.element >= 0)
    return f"{name} ({readout.tx}, {readout.ty}) {', '.join(lanes) or 'padding'}"
