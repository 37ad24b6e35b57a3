"""Lists every action by name, with title and shortcut; menus, buttons, keys and the palette all use this table.

A command changes state between two frames; its arguments come from the panel that sent it. One that fails unexpectedly
is reported in the log, with a file that holds the details.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import get_args

from imgui_bundle import imgui

import texelscope.viewer
from texelscope.pipeline.discovery import Plugin, by_name
from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.app import App
from texelscope.viewer.command import Command, Menu, MenuGroup
from texelscope.viewer.document.log import Failures
from texelscope.viewer.features import modules_named


def run_queue(app: App, failures: Failures) -> bool:
    """Runs all queued commands; True if there were any. A failing one is reported in the log."""
    done = False
    while app.queue:
        name, arguments = app.queue.popleft()
        done = True
        try:
            COMMANDS[name].action(app, **arguments)
        except TexelscopeError as error:
            app.log.add(str(error), error=True)
        except Exception as error:  # noqa: BLE001 - the window reports it and goes on
            failures.report(f"'{COMMANDS[name].title or name}'", error, each_time=True)
    return done


def in_menu() -> bool:
    """Returns whether a menu, or a combo box's list, is open."""
    return imgui.is_popup_open("", int(imgui.PopupFlags_.any_popup))


def poll_shortcuts(app: App) -> None:
    """Sends the commands whose keys were pressed. Call within a frame."""
    state = app.state
    typing = imgui.get_io().want_text_input or state.palette_open or state.goto_open or state.open_dialog
    typing = typing or app.saving.leave is not None or bool(app.saving.left_behind)
    menu_is_open = in_menu()
    for command in COMMANDS.values():
        if command.chord == int(imgui.Key.escape) and (menu_is_open or state.tour is not None):
            continue  # Esc closes that
        if command.chord and command.is_there(app) and not (typing and command.types):
            flags = imgui.InputFlags_.route_global | imgui.InputFlags_.repeat
            if imgui.shortcut(command.chord, int(flags)):
                app.send(command.name)


def discover(modules: Iterable[Plugin]) -> Mapping[str, Command]:
    """Returns the commands of these modules, by name.

    Raises TexelscopeError, naming the file, for a module without them, and for a name that two modules give.
    """
    found = []
    for plugin in modules:
        commands = plugin.take("COMMANDS", "a tuple of Command", "Define it at the end of the module.", _is_valid)
        found += [(command.name, plugin, command) for command in commands]
    return by_name(found, "a command")


def menus_of(modules: Iterable[Plugin]) -> Mapping[Menu, tuple[MenuGroup, ...]]:
    """Returns the groups of each menu, in order, from these modules.

    Raises TexelscopeError, naming the file, for a `MENUS` of something else.
    """
    found: list[MenuGroup] = []
    for plugin in modules:
        if hasattr(plugin.module, "MENUS"):
            found += plugin.take("MENUS", "a tuple of MenuGroup", "Give each group one of the menus.", _are_groups)
    found.sort(key=lambda group: group.order)
    return {menu: tuple(group for group in found if group.menu == menu) for menu in get_args(Menu)}


def _is_valid(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, Command) for each in value)


def _are_groups(value: object) -> bool:
    menus = get_args(Menu)
    return isinstance(value, tuple) and all(isinstance(each, MenuGroup) and each.menu in menus for each in value)


def in_menu_order(commands: Mapping[str, Command], menus: Mapping[Menu, Iterable[MenuGroup]]) -> Mapping[str, Command]:
    """Returns the commands as they come in the menus; those of no menu follow, as they are in `commands`."""
    entries = [entry for groups in menus.values() for group in groups for entry in group.entries]
    first = [entry for entry in entries if isinstance(entry, str) and entry in commands]
    return {name: commands[name] for name in (*first, *commands)}


_MODULES = tuple(modules_named(texelscope.viewer, "commands"))
MENUS = menus_of(_MODULES)
COMMANDS = in_menu_order(discover(_MODULES), MENUS)
