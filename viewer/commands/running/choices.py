"""Commands of runs: pin one, and choose which stands in the oracle's place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from imgui_bundle import imgui

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.target import Target
from texelscope.viewer.app import App
from texelscope.viewer.commands.command import Command, chord
from texelscope.viewer.state import NEEDS_ORACLE, ViewMode


def run_choices() -> tuple[Command, ...]:
    """All of them."""
    key = imgui.Key
    return (
        Command(
            "compare_before", _to_and_fro, "Compare with the state before the edit, or the oracle", "B", chord(key.b)
        ),
        Command("back_to_oracle", _back, "Compare with the oracle again", "Shift+O", chord(key.o, shift=True)),
        Command("pin", _ask_for_name, "Pin this result …", "P", chord(key.p)),
        Command("pin_as", _pin_as),
        Command("compare_with", _compare_with),
        Command("show_run", lambda app, number: app.runs.show(app.document, number)),
        Command("rename_run", lambda app, number, name: app.runs.rename(app.document, number, name)),
        Command("drop_run", lambda app, number: app.runs.drop(app.document, number)),
        Command("open_beside", open_beside),
    )


def open_beside(app: App, target: Target | str) -> None:
    """Runs another target on the inputs of the open one; it takes the oracle's place when it has run.

    A path is opened as the open target is: layout, storage and so on.
    """
    if isinstance(target, str):
        path = str(Path(target.strip()).expanduser())
        if app.document.target is None:
            raise TexelscopeError(path, "a target to hold it against", "nothing open", "Open one first (Ctrl+O).")
        target = replace(app.document.target, path=path, inputs={}, inject=())
    app.runs.open_beside(app.canvas.context, target)
    app.log.add(f"Opening {Path(target.path).name} to hold this run against.")


def _compare_with(app: App, number: int | None) -> None:
    """The texture shows what there is to see of it: a tab on Actual goes over to the difference."""
    app.runs.choose(app.document, number)
    view = app.state.view
    if number is not None and view.mode not in NEEDS_ORACLE:
        view.mode = ViewMode.DIFFERENCE


def _to_and_fro(app: App) -> None:
    if app.runs.chosen is not None:
        _compare_with(app, None)
        return
    edits = [each for each in app.runs.shelf.runs if each.kind == "edit"]
    if not edits:
        raise TexelscopeError("Compare runs", "an edit", "none yet", "Save or try a shader; P pins this result.")
    _compare_with(app, edits[0].number)


def _back(app: App) -> None:
    app.runs.left = None
    _compare_with(app, None)


def _ask_for_name(app: App) -> None:
    app.state.pin_open = True


def _pin_as(app: App, name: str) -> None:
    run = app.runs.pin(app.document, app.diagnoses, name)
    app.log.add(f"Pinned as '{run.word}': {run.summary}.")
