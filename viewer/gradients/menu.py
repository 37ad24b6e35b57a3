"""Draws the menu of tensors whose gradients can be computed."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.pipeline.gradients.links import choices
from texelscope.pipeline.importers.registry import may_choose
from texelscope.viewer.app import App
from texelscope.viewer.widgets.short_text import as_label


def draw(app: App) -> None:
    """Draws a submenu: the model's float outputs and the selected layer's output."""
    session, target = app.document.session, app.document.target
    is_model = target is not None and may_choose(target.path, "has_gradients")
    found = choices(session.plan, app.selected) if session is not None and is_model else ()
    now = target.options.gradients if target is not None else ""
    names = tuple(dict.fromkeys((*((now,) if now and is_model else ()), *found)))
    is_open = imgui.begin_menu("Gradients of …", bool(names))
    app.mark("menu gradients")
    if not is_open:
        return
    for name in names:
        if imgui.menu_item(as_label(name), "", name == now)[0]:
            app.send("gradients_of", tensor=name)
        app.mark(f"gradients of {name}")
    imgui.end_menu()
