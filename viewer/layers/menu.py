"""Draws the right-click menu of a layer: in the list, in the graph, in the findings, in the times."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.pipeline.compare.report import PassReport, ratio_text
from texelscope.pipeline.compare.words import beside_verdict
from texelscope.pipeline.diagnose.naming import WRONG
from texelscope.viewer.app import App
from texelscope.viewer.export.model.exports import folder_for
from texelscope.viewer.widgets import controls


def draw(app: App, name: str) -> None:
    """Draws the menu of the item just drawn, which represents the layer called `name`."""
    if not imgui.begin_popup_context_item(f"menu of {name}"):
        return
    offers(app, name)
    imgui.end_popup()


def offers(app: App, name: str) -> None:
    """Draws the entries in an open menu."""
    document, report = app.document, app.document.report_of(name)
    is_pass = name in (each.name for each in document.passes)
    has_run = document.session is not None and document.session.has_run(name)
    if _entry(app, "lock", "Open in a new tab", "double-click"):
        app.send("lock", name=name)
    if _entry(app, "shader", "Show its shader", there=is_pass):
        app.send("select", name=name)
        app.state.wanted_panels.append("Shader")
    if _entry(app, "run_here", "Run to here", there=is_pass):
        app.send("select", name=name)
        app.send("run_here", name=name)
    imgui.separator()
    _of_what_is_wrong(app, name, report)
    imgui.separator()
    if _entry(app, "export", "Export as picture and array", there=has_run) and document.origin is not None:
        app.send("export_layers", folder=folder_for(document.origin), names=[name], formats=["png", "npy"])
    if _entry(app, "pin", "Pin this result …", "P", there=document.is_compared):
        app.send("pin")
    controls.copy_entries(app, {"Copy the name": name} | ({"Copy its figures": _figures(report)} if report else {}))


def _of_what_is_wrong(app: App, name: str, report: PassReport | None) -> None:
    is_wrong = report is not None and report.verdict in WRONG
    if _entry(app, "diagnose", "Name the cause", there=is_wrong):
        app.send("select", name=name)
        app.send("diagnose", name=name)
    figures = report.isolated if report is not None else None
    if _entry(app, "worst", "Go to its worst element", there=figures is not None):
        app.send("select", name=name)
        app.send("worst")
    if _entry(app, "step", "Step through its worst element", there=figures is not None) and figures is not None:
        app.send("select", name=name)
        app.send("worst")
        app.send("step_texel", name=name, element=figures.worst)


def _entry(app: App, mark: str, title: str, keys: str = "", *, there: bool = True) -> bool:
    chosen: bool = imgui.menu_item(title, keys, False, there)[0]
    app.mark(f"menu {mark}")
    return chosen


def _figures(report: PassReport) -> str:
    """Returns the comparison's figures, a line for each kind."""
    lines = [f"{report.name}: {report.operator}, {report.verdict}{beside_verdict(report)}"]
    for kind, figures in (("isolated", report.isolated), ("chained", report.chained)):
        if figures is not None:
            lines.append(
                f"{kind}: max |error| {figures.max_abs:.3g}, {ratio_text(figures.bound_ratio)} x its bound, "
                f"{figures.mismatched:,} of {figures.count:,} wrong"
            )
    return "\n".join(lines)
