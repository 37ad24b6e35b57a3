"""Commands of gradients: the backward passes of a model, beside its own or no more."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gradients.links import choices
from texelscope.viewer.app import App
from texelscope.viewer.commands.command import Command, chord


def gradient_commands() -> tuple[Command, ...]:
    """All of them."""
    key = imgui.Key
    return (
        Command(
            "gradients", _of_selected, "Gradients of the selected layer", "Shift+G", chord(key.g, shift=True), False
        ),
        Command("no_gradients", _none, "Without gradients", "Ctrl+Shift+G", chord(key.g, ctrl=True, shift=True)),
        Command("gradients_of", _of),
    )


def _of_selected(app: App) -> None:
    """Of what the selected layer makes; where that is an input or a gradient itself, of the model's last output."""
    session = app.document.session
    if session is None:
        return
    found = choices(session.plan, app.selected)
    if not found:
        raise TexelscopeError(
            "Gradients", "a layer of a model that makes floats", f"'{app.selected}'", "Select another layer."
        )
    stored = session.plan.stored(app.selected or "")
    _of(app, found[0] if stored is not None and stored.tensor in found else found[-1])


def _of(app: App, tensor: str) -> None:
    app.document.reopen(gradients=tensor, wrt=())


def _none(app: App) -> None:
    target = app.document.target
    if target is not None and target.options.gradients:
        app.document.reopen(gradients="", wrt=())
