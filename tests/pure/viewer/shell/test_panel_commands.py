"""Panels have the keys that they declare; a panel without a key is complete all the same."""

from __future__ import annotations

from typing import cast

import pytest

from texelscope.viewer.panel import Panel, all_panels
from texelscope.viewer.shell.panel_commands import commands_of


def _panel(title: str, key: str = "", *, temporary: bool = False) -> Panel:
    fields = {
        "title": title,
        "place": "bottom",
        "key": key,
        "comes_and_goes": temporary,
        "draw": lambda _self, _app: None,
    }
    return cast(Panel, type(title, (Panel,), fields)())


def test_a_panel_added_to_those_with_keys_has_a_command_without_one() -> None:
    commands = commands_of((*all_panels(), _panel("Made")))
    made = next(command for command in commands if command.name == "panel Made")
    assert (made.title, made.keys, made.chord) == ("Panel Made", "", 0)
    assert len(commands) == len(all_panels()) + 1


def test_every_panel_of_the_program_has_the_key_that_it_declares() -> None:
    keys = {command.title: command.keys for command in commands_of(all_panels())}
    declared = {f"Panel {panel.title}": f"Alt+{panel.key}" if panel.key else "" for panel in all_panels()}
    assert keys == declared


@pytest.mark.parametrize("key", ["", "!", "10", "²"])
def test_a_key_that_panels_cannot_have_is_none(key: str) -> None:
    assert commands_of((_panel("Made", key),))[0].keys == ""


def test_of_two_panels_with_one_key_the_permanent_one_gets_it() -> None:
    commands = commands_of((_panel("A", "1", temporary=True), _panel("B", "1")))
    assert {command.title: command.keys for command in commands} == {"Panel A": "", "Panel B": "Alt+1"}
