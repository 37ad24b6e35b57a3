"""Implements the commands that add the backward passes of a model, and remove them."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gradients.links import choices
from texelscope.viewer.app import App
from texelscope.viewer.command import Command, chord


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
    app.document.reopen(gradients=tensor, wrt=())


def _none(app: App) -> None:
    target = app.document.target
    if target is not None and target.options.gradients:
        app.document.reopen(gradients="", wrt=())


COMMANDS = _commands()
