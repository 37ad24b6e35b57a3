"""Implements the command that measures the device."""

from __future__ import annotations

from texelscope.viewer.app import App
from texelscope.viewer.command import Command


def _measure_device(app: App) -> None:
    from texelscope.pipeline.roofline.peaks import PeakMeasurement

    session = app.document.session
    if session is not None:
        app.analyses.roofline.measure(PeakMeasurement(session.context))


COMMANDS = (Command("measure_device", _measure_device),)
