"""Implements the commands that run the target with other parameters of its dialect."""

from __future__ import annotations

from collections.abc import Mapping

from texelscope.viewer.app import App
from texelscope.viewer.command import Command
from texelscope.viewer.parameters.values import parameters_of, with_value


def _vary(app: App, dialect: Mapping[str, str]) -> None:
    app.document.vary(dialect)


def _reset(app: App) -> None:
    """Gives every parameter the value that its file has."""
    dialect = dict(app.document.target.options.dialect) if app.document.target is not None else {}
    changed = [each for each in parameters_of(app) if each.initial != each.in_file]
    for each in changed:
        dialect = with_value(dialect, each, each.in_file)
    if changed:
        app.document.vary(dialect)


COMMANDS = (
    Command("vary", _vary),
    Command("reset_parameters", _reset, "Reset every parameter to the file's value"),
)
