"""Keeps the results of another device among the runs, as long as its capture is open."""

from __future__ import annotations

from texelscope.viewer.app import App


def follow_device(app: App) -> bool:
    """Keeps a capture that was opened, or drops the run of one that was closed; returns whether anything changed."""
    runs, captured = app.analyses.runs, app.analyses.captured
    before = [each.number for each in runs.shelf.runs]
    for line in runs.keep_device(app.document, captured.shown_beside(app.document.session)):
        app.log.add(line, warning=True)
    return [each.number for each in runs.shelf.runs] != before
