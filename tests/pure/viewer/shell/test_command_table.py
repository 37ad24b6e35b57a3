"""Every action can be found by its name; keys are its own and are shown as they are."""

from __future__ import annotations

from collections import Counter

import pytest

from texelscope.viewer.command import Command, MenuGroup
from texelscope.viewer.shell.command_table import COMMANDS, MENUS, in_menu_order

TITLED = [command for command in COMMANDS.values() if command.title]


def test_a_shortcut_has_a_chord_and_its_name_or_neither() -> None:
    assert TITLED
    assert [command.name for command in TITLED if bool(command.keys) != bool(command.chord)] == []


@pytest.mark.parametrize("stepping", [False, True])
def test_no_two_commands_have_the_same_keys_at_a_time(stepping: bool) -> None:
    for what in ("keys", "chord"):
        counts = Counter(getattr(each, what) for each in TITLED if each.stepping in (None, stepping))
        assert [value for value, count in counts.items() if count > 1 and value] == [], what


def test_no_two_commands_have_the_same_title() -> None:
    counts = Counter(each.title for each in TITLED)
    assert [title for title, count in counts.items() if count > 1] == []


def test_a_key_that_writes_is_left_to_a_text_while_one_is_typed() -> None:
    assert COMMANDS["fit"].types
    assert COMMANDS["pick_left"].types
    assert COMMANDS["next"].types, "Ctrl+Right goes a word further"
    assert COMMANDS["open_demo"].types, "Ctrl+D chooses the next place of a word"
    assert not COMMANDS["run_all"].types, "F5 writes nothing"
    assert not COMMANDS["step_back_over"].types, "nor does Shift+F10"
    assert not COMMANDS["save_bundle"].types
    assert not COMMANDS["palette"].types
    assert not COMMANDS["panel Log"].types


def test_every_entry_of_a_menu_is_a_command_or_draws_one() -> None:
    entries = [entry for groups in MENUS.values() for group in groups for entry in group.entries]
    assert entries
    assert [entry for entry in entries if not callable(entry) and entry not in COMMANDS] == []


def test_commands_come_in_the_order_of_the_menus_and_those_of_no_menu_follow() -> None:
    commands = {name: Command(name, print) for name in ("c", "a", "b", "d")}
    groups = (MenuGroup("File", 1, ("b", print)), MenuGroup("File", 2, ("a", "no command")))
    assert list(in_menu_order(commands, {"File": groups, "Help": (MenuGroup("Help", 1, ("b",)),)})) == [*"bacd"]
