"""Implements the commands of training: steps, kept weights, and saving the trained model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Unpack

from imgui_bundle import imgui

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.training.request import TrainingOptions, TrainingRequest
from texelscope.viewer.app import App
from texelscope.viewer.command import Command, MenuGroup, chord

PANEL = "Training"


def _commands() -> tuple[Command, ...]:
    """Returns these commands."""
    rows = (
        ("train", show, "Train this model …", "M", imgui.Key.m),
        ("train_run", _run, "Start or pause training", "L", imgui.Key.l),
        ("train_step", _step, "One step of training", "N", imgui.Key.n),
        ("train_keep", _keep, "Keep the weights as they are now", "K", imgui.Key.k),
        ("train_rewind", _rewind, "Go back to the weights kept last", "Z", imgui.Key.z),
    )
    return (
        *(
            Command(name, action, title, f"Ctrl+Shift+{sign}", chord(key, ctrl=True, shift=True))
            for name, action, title, sign, key in rows
        ),
        Command("train_save", _save),
        Command("train_ask", lambda app, **wishes: _ask(app, **wishes)),
        Command("train_rate", lambda app, rate: app.training.set_rate(rate)),
        Command("train_anew", _anew),
    )


def show(app: App, asked: TrainingRequest | None = None, *, starts: bool = False) -> None:
    """Brings the panel to the front; `asked` sets its wishes, and with `starts` training begins with the target."""
    app.training.ask(asked or app.training.asked, starts=starts)
    app.state.wanted_panels.append(PANEL)


def _ask(app: App, **wishes: Unpack[TrainingOptions]) -> None:
    app.training.asked = replace(app.training.asked, **wishes)


def _run(app: App) -> None:
    training = app.training
    show(app)
    if training.is_running:
        training.pause(app.document)
    else:
        training.run(app.document, app.log)


def _step(app: App) -> None:
    show(app)
    app.training.step(app.document, app.log)


def _keep(app: App) -> None:
    kept = app.training.keep()
    app.log.add(f"Kept the weights after step {kept.state.step}.")


def _rewind(app: App, number: int | None = None) -> None:
    kept = app.training.kept
    if not kept:
        raise TexelscopeError("Training", "weights that were kept", "none", "Train first, then choose Keep.")
    chosen = kept[-1] if number is None else kept[number]
    app.training.rewind(app.document, chosen.number)
    app.log.add(f"Went back to the weights after step {chosen.state.step}.")


def _save(app: App, path: str) -> None:
    if not path.strip():
        raise TexelscopeError("Training", "a file to save the model to", "no name", "Enter one, such as trained.onnx.")
    place = Path(path.strip()).expanduser()
    app.training.save(place)
    app.log.add(f"Saved the trained model as {place}.")


def _anew(app: App) -> None:
    """Reopens the model as its file has it, to train it in another way."""
    if app.document.target is not None:
        app.training.pause(app.document)
        app.send("open", target=app.document.target)


COMMANDS = _commands()
MENUS = (
    MenuGroup("Train", 10, ("train",)),
    MenuGroup("Train", 20, ("train_run", "train_step")),
    MenuGroup("Train", 30, ("train_keep", "train_rewind")),
)
