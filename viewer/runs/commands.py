"""Implements the commands of kept runs: pin one, and choose the reference to compare with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from imgui_bundle import imgui

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.target import Target
from texelscope.viewer.app import App
from texelscope.viewer.command import Command, MenuGroup, chord
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.runs.beside import close_views, open_views
from texelscope.viewer.state import NEEDS_ORACLE, ViewMode


def _commands() -> tuple[Command, ...]:
    """Returns these commands."""
    key = imgui.Key
    return (
        Command(
            "compare_before", _to_and_fro, "Compare with the state before the edit, or the oracle", "B", chord(key.b)
        ),
        Command("back_to_oracle", _back, "Compare with the oracle again", "Shift+O", chord(key.o, shift=True)),
        Command("pin", _ask_for_name, "Pin this result …", "P", chord(key.p)),
        Command("pin_as", _pin_as),
        Command("compare_with", _compare_with),
        Command("show_run", lambda app, number: app.analyses.runs.show(app.document, number)),
        Command("rename_run", lambda app, number, name: app.analyses.runs.rename(app.document, number, name)),
        Command("drop_run", lambda app, number: app.analyses.runs.drop(app.document, number)),
        Command("open_beside", open_beside),
        Command("see_beside", _see_beside, "See another run beside this one", "Shift+K", chord(key.k, shift=True)),
        Command("pair_layer", _pair),
    )


def open_beside(app: App, target: Target | str) -> None:
    """Runs another target on the inputs of the open one, and then compares with it instead of the oracle.

    A path is opened with the options of the open target: layout, precision and so on.
    """
    if isinstance(target, str):
        path = str(Path(target.strip()).expanduser())
        if app.document.target is None:
            raise TexelscopeError(
                path, "an open target to compare it with", "nothing open", with_keys("Open one first (Ctrl+O).")
            )
        target = replace(app.document.target, path=path, inputs={}, inject=())
    app.analyses.runs.open_beside(app.display.canvas.context, target)
    app.log.add(f"Opening {Path(target.path).name} to compare this run with.")


def _see_beside(app: App, number: int | None = None) -> None:
    """Shows a run beside the present one: the given one, else the chosen one, else the newest; or no longer."""
    runs = app.analyses.runs
    if number is None:
        shown = next((view for view in app.state.views if view.is_of_run), None)
        if shown is not None:
            close_views(app, shown.run if shown.run is not None else shown.against)
            return
        newest = max((each.number for each in runs.shelf.runs), default=None)
        number = runs.chosen if runs.chosen is not None else newest
    if number is None:
        raise TexelscopeError(
            "Runs side by side", "another run", "none yet", "Save a shader, pin this result (P), or open a target."
        )
    if runs.chosen == number:  # each tab has the oracle of its own run
        _compare_with(app, None)
    open_views(app, number)


def _pair(app: App, number: int, key: str, there: str | None) -> None:
    app.analyses.runs.pairs.choose(number, key, there)


def _compare_with(app: App, number: int | None) -> None:
    """Chooses a reference; a tab on Actual switches to the difference, so that the change is visible."""
    app.analyses.runs.choose(app.document, number)
    view = app.state.view
    if number is not None and view.mode not in NEEDS_ORACLE:
        view.mode = ViewMode.DIFFERENCE


def _to_and_fro(app: App) -> None:
    if app.analyses.runs.chosen is not None:
        _compare_with(app, None)
        return
    edits = [each for each in app.analyses.runs.shelf.runs if each.kind == "edit"]
    if not edits:
        raise TexelscopeError("Compare runs", "an edit", "none yet", "Save or try a shader; P pins this result.")
    _compare_with(app, edits[0].number)


def _back(app: App) -> None:
    app.analyses.runs.left = None
    _compare_with(app, None)


def _ask_for_name(app: App) -> None:
    app.state.pin_open = True


def _pin_as(app: App, name: str) -> None:
    run = app.analyses.runs.pin(app.document, app.analyses.diagnoses, name)
    app.log.add(f"Pinned as '{run.word}': {run.summary}.")


COMMANDS = _commands()
MENUS = (MenuGroup("Run", 40, ("pin", "compare_before", "back_to_oracle", "see_beside")),)
