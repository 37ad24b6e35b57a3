"""Implements the commands that run the open target with other values, and that save those of a pipeline file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.command import Command, MenuGroup, chord
from texelscope.viewer.document.plan_kinds import as_drafted_plan
from texelscope.viewer.parameters.model import file_plan, parameters_of, typed_number
from texelscope.viewer.undoing.model import ValueDeed


def set_values(app: App, values: Mapping[str, str | None], *, goes_on: bool = False) -> None:
    """Runs the target with other values, by key; None is the file's own. One that `goes_on` is undone with the last."""
    target = app.document.target
    if target is None:
        return
    before = {key: target.options.dialect.get(key) for key in values}
    if before != dict(values) and app.document.set_values(values):
        app.deeds.note(ValueDeed(before, dict(values)), goes_on=goes_on)


def _type_value(app: App, key: str, place: int, typed: str) -> None:
    """Sets one number of a value to what was typed. Raises TexelscopeError for a text that is no such number."""
    from texelscope.pipeline.pipeline_values.pass_values import pass_values

    plan = file_plan(app)
    value = next((each for each in pass_values(plan) if each.key == key), None) if plan is not None else None
    if value is None or value.numbers is None or place >= len(value.numbers):
        return
    kind = "float" if value.name.table == "defines" else value.kind
    set_values(app, {key: value.with_number(place, typed_number(key, kind, typed))})


def _reset(app: App) -> None:
    """Gives every value the one that its file has."""
    from texelscope.pipeline.dialects.mpv.settings import written
    from texelscope.pipeline.pipeline_values.pass_values import pass_values

    changed: dict[str, str | None] = {
        each.name: written(each, each.in_file) for each in parameters_of(app) if each.initial != each.in_file
    }
    plan, target = file_plan(app), app.document.target
    if plan is not None and target is not None:
        known = {each.key for each in pass_values(plan)}
        changed |= {key: None for key in target.options.dialect if key in known}
    if changed:
        set_values(app, changed)


def save(app: App) -> None:
    """Writes the changed values into the pipeline file, which then is what runs.

    Raises TexelscopeError for a file that cannot be written.
    """
    from texelscope.pipeline.pipeline_values.saving import save_values
    from texelscope.pipeline.pipeline_values.writing import texts_of_values

    plan, target = file_plan(app), app.document.target
    if plan is None or target is None:
        app.log.add("Only the values of a pipeline file are saved here, and none is open.")
        return
    if as_drafted_plan(plan) is not None:
        app.send("keep_draft")  # writes the file with these values
        return
    values, path = dict(target.options.dialect), Path(target.path)
    if not values:
        app.log.add(f"No value of {path.name} is changed.")
        return
    before = save_values(path, values)
    app.deeds.settle(texts_of_values(before, values, path.name))
    app.document.set_values(dict.fromkeys(values))
    app.saving.kept_values = {}
    names = ", ".join(values) if len(values) <= _MOST_NAMES else f"{len(values)} values"
    app.log.add(f"Saved in {path.name}: {names}.")


_MOST_NAMES = 4

COMMANDS = (
    Command("set_values", set_values),
    Command("type_value", _type_value),
    Command("reset_parameters", _reset, "Reset every parameter to the file's value"),
    Command("save_values", save, "Save changed values in the pipeline file", "Ctrl+S", chord(imgui.Key.s, ctrl=True)),
)
MENUS = (MenuGroup("File", 36, ("save_values", "reset_parameters")),)
