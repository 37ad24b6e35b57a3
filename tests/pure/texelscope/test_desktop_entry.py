"""The entry of the applications menu runs this copy of the program, wherever it lies, and leaves without a trace."""

from __future__ import annotations

import configparser
import subprocess
import sys
from pathlib import Path

import pytest

from texelscope import command_line
from texelscope.desktop_entry import (
    check_system,
    command_of_this_program,
    entry_files,
    entry_text,
    install,
    remove,
)
from texelscope.pipeline.errors import TexelscopeError

COMMAND = ("/opt/texelscope/bin/texelscope",)


def read(text: str) -> dict[str, str]:
    """Returns the keys of an entry, with the escapes of strings resolved."""
    parser = configparser.RawConfigParser(delimiters=("=",), strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    assert parser.sections() == ["Desktop Entry"]
    return {key: value.replace("\\\\", "\\") for key, value in parser["Desktop Entry"].items()}


def words_of(exec_value: str) -> list[str]:
    """Returns the arguments that a menu takes from `Exec`: a shell quotes as it does, but for per cent signs."""
    quoted, field = exec_value.rsplit(" ", 1)
    assert field == "%f"
    script = 'for word in "$@"; do printf "%s\\0" "$word"; done'
    line = f"set -- {quoted.replace('%%', '%')}; {script}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=True)
    return done.stdout.decode("utf-8").split("\0")[:-1]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no sh")
@pytest.mark.parametrize(
    "command",
    [
        COMMAND,
        ("/usr/bin/python3", "-m", "texelscope"),
        ("/srv/my tools/bin/texelscope",),
        ("/srv/50% off/texelscope",),
        ("/srv/%f/%%/texelscope",),
        ('/srv/"quoted"/texelscope',),
        ("/srv/it's/texelscope",),
        ("/srv/$HOME/`id`/texelscope",),
        ("/srv/back\\slash\\\\twice/texelscope",),
        ("/srv/Gebäude/テクセル/texelscope",),
        ("/srv/a;b&c|d>e*?#~/texelscope",),
        ("/srv/trailing\\", "app.py"),
    ],
)
def test_a_menu_runs_the_very_command(command: tuple[str, ...]) -> None:
    entry = read(entry_text(command))
    assert words_of(entry["Exec"]) == list(command)
    assert entry["TryExec"] == command[0]


def test_a_path_that_no_entry_can_hold_is_refused() -> None:
    message = (
        r"^'/srv/a\\nExec=sh/texelscope': expected a path for a desktop entry, got one with a control character\. "
        r"Install it at another path\.$"
    )
    with pytest.raises(TexelscopeError, match=message):
        entry_text(("/srv/a\nExec=sh/texelscope",))


def test_the_entry_says_what_a_menu_asks_for() -> None:
    entry = read(entry_text(COMMAND))
    assert (entry["Type"], entry["Name"], entry["Icon"], entry["Terminal"]) == (
        "Application", "Texelscope", "texelscope", "false",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("environment", "data"),
    [
        ({}, Path.home() / ".local" / "share"),
        ({"XDG_DATA_HOME": ""}, Path.home() / ".local" / "share"),
        ({"XDG_DATA_HOME": "relative/is/ignored"}, Path.home() / ".local" / "share"),
        ({"XDG_DATA_HOME": "/srv/data"}, Path("/srv/data")),
    ],
)
def test_files_lie_where_the_user_keeps_data(environment: dict[str, str], data: Path) -> None:
    files = entry_files(environment)
    assert files.entry == data / "applications" / "texelscope.desktop"
    assert files.icon == data / "icons" / "hicolor" / "scalable" / "apps" / "texelscope.svg"


def test_what_was_installed_is_removed_and_nothing_else(tmp_path: Path) -> None:
    files = entry_files({"XDG_DATA_HOME": str(tmp_path)})
    neighbour = files.entry.with_name("other.desktop")
    neighbour.parent.mkdir(parents=True)
    neighbour.write_text("[Desktop Entry]\n", encoding="utf-8")
    install(files, COMMAND)
    install(files, ("/elsewhere/texelscope",))  # the program moved: the newer one replaces it
    assert read(files.entry.read_text(encoding="utf-8"))["TryExec"] == "/elsewhere/texelscope"
    assert files.icon.read_text(encoding="utf-8").startswith("<svg ")
    assert remove(files) == (files.entry, files.icon)
    assert remove(files) == ()
    assert neighbour.is_file()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "icons").write_text("a file", encoding="utf-8")
    with pytest.raises(TexelscopeError, match=r"expected a folder that can be made, got .*\. Set XDG_DATA_HOME to"):
        install(entry_files({"XDG_DATA_HOME": str(tmp_path)}), COMMAND)


@pytest.mark.parametrize(
    ("started", "command"),
    [
        ("/opt/bin/texelscope", ("/opt/bin/texelscope",)),
        ("/srv/checkout/app.py", (sys.executable, "/srv/checkout/app.py")),
        ("/lib/site-packages/texelscope/__main__.py", (sys.executable, "-m", "texelscope")),
    ],
)
def test_the_entry_starts_the_copy_that_wrote_it(started: str, command: tuple[str, ...]) -> None:
    assert command_of_this_program([started]) == command


@pytest.mark.parametrize(
    ("platform", "message"),
    [
        ("darwin", "got macOS. The command is \"/opt/A B/texelscope\". Write that command into a file "
                   "Texelscope.command, make it executable with 'chmod +x', and keep it in the Dock."),
        ("win32", 'got Windows. The command is "/opt/A B/texelscope". Right-click the desktop, choose New, Shortcut, '
                  "and enter that command."),
    ],
)  # fmt: skip
def test_other_systems_are_told_what_to_do(platform: str, message: str) -> None:
    with pytest.raises(TexelscopeError) as raised:
        check_system(("/opt/A B/texelscope",), platform)
    assert str(raised.value) == f"install-desktop-entry: expected a Linux desktop, {message}"


def test_the_command_says_what_it_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert command_line.main(["install-desktop-entry"]) == 0
    assert "Texelscope is in the applications menu" in capsys.readouterr().out
    assert command_line.main(["install-desktop-entry", "--remove"]) == 0
    assert capsys.readouterr().out.count("removed ") == 2
    assert command_line.main(["install-desktop-entry", "--remove"]) == 0
    assert capsys.readouterr().out.startswith("there is no entry: ")
