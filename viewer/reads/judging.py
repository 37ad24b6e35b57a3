"""Judges the reads of an element together with its value: right reads are no good sign where that is wrong."""

from __future__ import annotations

from texelscope.pipeline.diagnose.naming import WRONG
from texelscope.viewer.app import App
from texelscope.viewer.canvas.readout import read_out
from texelscope.viewer.reads.model.tap_view import TapView, verdict_on_reads


def judged(app: App, view: TapView) -> tuple[bool | None, str]:
    """Returns what is to be said of the reads, and whether it is good; None if not everything was checked."""
    return verdict_on_reads(view, value_is_wrong=_is_wrong(app, view))


def _is_wrong(app: App, view: TapView) -> bool:
    """Returns whether the element is further off than rounding explains, in a pass that is wrong by itself."""
    report, stored = app.document.report_of(view.name), app.document.stored(view.name)
    is_blamed = report is not None and report.verdict in WRONG and not report.inherited
    if not is_blamed or stored is None or app.document.reference is not None:
        return False
    tx, ty, lane = stored.layout.texel_of(stored.shape, view.element)
    readout = read_out(app.document, stored, tx, ty, chained=False)
    ratio = readout.lanes[lane].ratio if readout is not None else None
    return ratio is not None and not ratio <= 1.0
