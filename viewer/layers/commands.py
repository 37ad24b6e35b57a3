"""Implements the commands of the list of layers: select, filter, inject."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.command import Action, Command, MenuGroup, chord
from texelscope.viewer.layers.injecting import inject
from texelscope.viewer.running.commands import open_up


def _commands() -> tuple[Command, ...]:
    key = imgui.Key
    return (
        Command("previous", _move_selection(-1), "Previous layer", "Ctrl+Left", chord(key.left_arrow, ctrl=True)),
        Command("next", _move_selection(1), "Next layer", "Ctrl+Right", chord(key.right_arrow, ctrl=True)),
        Command("first", _select_end(0), "First layer", "Home", chord(key.home)),
        Command("last", _select_end(-1), "Last layer", "End", chord(key.end)),
        Command("inject", inject, "Inject a value", "Ctrl+I", chord(key.i, ctrl=True)),
        Command("filter", _filter, "Filter the layers", "Ctrl+F", chord(key.f, ctrl=True)),
        Command("only_wrong", _only_wrong, "List only wrong layers", "Shift+W", chord(key.w, shift=True)),
        Command("compact", _compact, "Compact rows in Layers", "Shift+H", chord(key.h, shift=True)),
        Command("clear_filter", clear_filter, "List all layers"),
        Command("select", choose),
    )


def choose(app: App, name: str) -> None:
    """Selects a clicked layer and shows its texture, not just a locked tab; opens up one inside a form."""
    app.state.select(name)
    app.state.wanted_view = 0
    open_up(app, name)


def _move_selection(by: int) -> Action:
    def action(app: App) -> None:
        names = app.layer_names()
        current = app.selected
        if current is not None:
            app.state.select(names[min(max(names.index(current) + by, 0), len(names) - 1)])

    return action


def _select_end(position: int) -> Action:
    def action(app: App) -> None:
        names = app.layer_names()
        if names:
            app.state.select(names[position])

    return action


def _filter(app: App) -> None:
    app.state.wanted_panels.append("Layers")
    app.state.wanted_filter = True


def _compact(app: App) -> None:
    settings = app.remembering.settings
    settings.compact = not settings.compact
    app.remembering.save()


def clear_filter(app: App) -> None:
    """Lists all layers."""
    app.state.filter_text, app.state.only_wrong = "", False


def _only_wrong(app: App) -> None:
    app.state.only_wrong = not app.state.only_wrong


COMMANDS = _commands()
MENUS = (
    MenuGroup("Run", 50, ("inject",)),
    MenuGroup("Layers", 10, ("previous", "next", "first", "last", "first_wrong", "worst")),
    MenuGroup("Layers", 20, ("filter", "only_wrong", "clear_filter", "compact")),
)
