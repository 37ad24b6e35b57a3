"""Commands are `COMMANDS` of files `commands.py` or `*_commands.py` in folders of the viewer."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.gl.viewer.features import package
from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.features import modules_named
from texelscope.viewer.shell.command_table import discover, menus_of

MADE = """
from texelscope.viewer.command import Command
COMMANDS = (Command("jump", lambda app: None, "Jump"),)
"""
commands_in = partial(modules_named, name="commands")


def test_a_new_file_in_a_feature_adds_its_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"feature/commands.py": MADE, "feature/more_commands.py": MADE.replace('"jump"', '"run"')}
    assert list(discover(commands_in(package(tmp_path, monkeypatch, "features_with_commands", files)))) == [
        "jump",
        "run",
    ]


@pytest.mark.parametrize(
    ("number", "files", "message"),
    [
        (0, {"feature/commands.py": "COMMANDS = 1"}, r"/feature/commands\.py: expected COMMANDS, a tuple of Command"),
        (1, {"one/commands.py": MADE, "two/commands.py": MADE}, r"/two/commands\.py: .* got 'jump', also in .*/one/"),
    ],
)
def test_a_bad_file_and_a_name_used_twice_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, files: dict[str, str], message: str
) -> None:
    made = package(tmp_path, monkeypatch, f"bad_commands_{number}", files)
    with pytest.raises(TexelscopeError, match=message):
        discover(commands_in(made))


@pytest.mark.parametrize("menus", ["1", '(MenuGroup("Fiel", 1, ("jump",)),)'])
def test_menus_that_are_none_are_named_with_their_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, menus: str
) -> None:
    text = f"{MADE}from texelscope.viewer.command import MenuGroup\nMENUS = {menus}\n"
    made = package(tmp_path, monkeypatch, f"bad_menus_{len(menus)}", {"feature/commands.py": text})
    with pytest.raises(TexelscopeError, match=r"/feature/commands\.py: expected MENUS, a tuple of MenuGroup"):
        menus_of(commands_in(made))
