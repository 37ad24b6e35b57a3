"""What a right-click on a layer offers, in the list and in the graph."""

from __future__ import annotations

from imgui_bundle import imgui

from pipeline.diagnose.naming import WRONG
from viewer.app import App


def draw(app: App, name: str) -> None:
    """The menu of the item just drawn, which stands for the layer called `name`."""
    if not imgui.begin_popup_context_item(f"menu of {name}"):
        return
    offers(app, name)
    imgui.end_popup()


def offers(app: App, name: str) -> None:
    """The entries themselves, in a menu that is open."""
    is_pass = name in (each.name for each in app.document.passes)
    if imgui.menu_item("Open in a tab of its own", "double-click", False)[0]:
        app.send("lock", name=name)
    app.mark("menu lock")
    if imgui.menu_item("Run to here", "", False, is_pass)[0]:
        app.send("select", name=name)
        app.send("run_here", name=name)
    app.mark("menu run_here")
    report = app.document.report_of(name)
    if imgui.menu_item("Name the cause", "", False, report is not None and report.verdict in WRONG)[0]:
        app.send("select", name=name)
        app.send("diagnose", name=name)
    if imgui.menu_item("Pin this result …", "P", False, app.document.is_compared)[0]:
        app.send("pin")
    app.mark("menu pin")
    if imgui.menu_item("Copy the name", "", False)[0]:
        imgui.set_clipboard_text(name)
