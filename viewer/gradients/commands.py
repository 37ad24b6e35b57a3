"""Implements the commands that add the backward passes of a model, and remove them; and the menu of tensors."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gradients.links import choices
from texelscope.pipeline.importers.registry import may_choose
from texelscope.viewer.app import App
from texelscope.viewer.command import Command, MenuGroup, chord
from texelscope.viewer.widgets.controls import as_label


def gradient_menu(app: App) -> None:
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


def _commands() -> tuple[Command, ...]:
    """Returns these commands."""
    key = imgui.Key
    return (
        Command(
            "gradients", _of_selected, "Gradients of the selected layer", "Shift+G", chord(key.g, shift=True), False
        ),
        Command("no_gradients", _none, "Remove gradients", "Ctrl+Shift+G", chord(key.g, ctrl=True, shift=True)),
        Command("gradients_of", _of),
    )


def _of_selected(app: App) -> None:
    """Shows the gradients of the selected layer's output; for an input or a gradient, of the model's last output."""
    session = app.document.session
    if session is None:
        return
    found = choices(session.plan, app.selected)
    if not found:
        raise TexelscopeError(
            "Gradients", "a layer of a model with a float output", f"'{app.selected}'", "Select another layer."
        )
    stored = session.plan.stored(app.selected or "")
    _of(app, found[0] if stored is not None and stored.tensor in found else found[-1])


def _of(app: App, tensor: str) -> None:
    app.send("reopen", gradients=tensor, wrt=())


def _none(app: App) -> None:
    target = app.document.target
    if target is not None and target.options.gradients:
        app.send("reopen", gradients="", wrt=())


COMMANDS = _commands()
MENUS = (MenuGroup("Run", 30, (gradient_menu, "gradients", "no_gradients")),)
