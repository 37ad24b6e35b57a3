"""Draws how the selected layer differs from the reference run, and which one is nearer to the oracle."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.pipeline.compare.report import Figures, PassReport, ratio_text
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.runs.model.change_words import trend_of

_COLUMN = 128.0


def draw(app: App, name: str) -> None:
    """Draws a few lines, while a run is the reference."""
    document, run = app.document, app.analyses.runs.run
    stored, found = document.stored(name), app.analyses.runs.changes(app.document)
    if document.reference is None or run is None or stored is None or found is None:
        return
    if name not in (each.name for each in document.passes):
        return  # the summary already mentions changed inputs
    imgui.separator_text(f"Against {document.reference.word}")
    tensor = found.tensors.get(stored.key)
    if tensor is None or tensor.max_abs is None:
        unlike = tensor is not None and tensor.sameness == "other_shape"
        imgui.text_disabled("It has another shape in that run." if unlike else "That run has no such layer.")
        return
    if not tensor.unequal:
        _line(app, "values", "the same, bit for bit")
    else:
        _line(app, "max |diff|", f"{tensor.max_abs:.3g}")
        _line(app, "differ", f"{tensor.unequal:,} of {tensor.count:,}")
        _line(app, "beyond rounding", f"{tensor.beyond:,}")
    there = run.report.find(name)
    report = app.analyses.runs.left_report(document)
    here = report.find(name) if report is not None else None
    if here is None or there is None:
        return
    _line(app, "verdict", f"{_words(app, there)}  →  {_words(app, here)}")
    towards = trend_of(app.analyses.runs, document, name, chained=app.state.chained)
    if towards in ("better", "worse"):
        imgui.text_colored(theme.GOOD if towards == "better" else theme.BAD, f"{towards.capitalize()} by the oracle.")


def _words(app: App, report: PassReport) -> str:
    figures: Figures | None = report.chained if app.state.chained else report.isolated
    ratio = f" {ratio_text(figures.bound_ratio)}×" if figures is not None and report.verdict != "match" else ""
    return f"{theme.SIGNS[report.verdict].word}{ratio}"


def _line(app: App, what: str, text: str) -> None:
    imgui.text_disabled(what)
    imgui.same_line(_COLUMN * app.scale)
    imgui.text_wrapped(text)
