"""`texelscope` where it is installed: the same program as in the checkout, from any folder."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.checkout import ROOT
from tests.installed.environment import Environment
from texelscope import command_line
from texelscope.pipeline.commands.diff import FAILED, MATCH

# With --empty-environment the first test waits for packages to be fetched.
pytestmark = pytest.mark.timeout(600)

PASSES_OF_THE_DEMO = 30


def test_what_runs_is_the_installed_program(installed: Environment, tmp_path: Path) -> None:
    names = ("texelscope.layouts", "texelscope.pipeline", "texelscope.viewer.app", "texelscope.command_line")
    question = "".join(f"import {name}; print({name}.__file__)\n" for name in names)
    answer = installed.run("python", "-c", question, folder=tmp_path)
    files = [Path(line) for line in answer.stdout.splitlines()]
    assert len(files) == len(names), answer.stderr
    assert all(file.is_relative_to(installed.packages) for file in files)


def test_the_versions_that_it_asks_for_are_those_beside_it(installed: Environment, tmp_path: Path) -> None:
    question = (
        "import re\n"
        "from importlib.metadata import requires, version\n"
        "for each in requires('texelscope'):\n"
        "    if 'extra' not in each: print(each, version(re.match('[A-Za-z0-9_-]+', each)[0]), sep=chr(9))"
    )
    answer = installed.run("python", "-c", question, folder=tmp_path)
    pairs = [line.split("\t") for line in answer.stdout.splitlines()]
    assert len(pairs) > 10, answer.stderr
    assert [pair for pair in pairs if not Requirement(pair[0]).specifier.contains(pair[1])] == []


@pytest.mark.parametrize("command", [("texelscope",), ("python", "-m", "texelscope")], ids=" ".join)
def test_its_help_calls_it_by_its_name(installed: Environment, tmp_path: Path, command: tuple[str, ...]) -> None:
    shown = installed.run(*command, "-h", folder=tmp_path)
    assert shown.stdout.startswith("usage: texelscope [-h] COMMAND")
    assert "app.py" not in shown.stdout


def test_it_finds_every_plug_in_that_the_checkout_has(
    installed: Environment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command_line.main(["list"])
    assert installed.run("texelscope", "list", folder=tmp_path).stdout == capsys.readouterr().out


def test_doctor_reaches_the_driver(installed: Environment, tmp_path: Path) -> None:
    assert "OpenGL without a window" in installed.run("texelscope", "doctor", folder=tmp_path).stdout


def test_diff_without_a_target_compares_the_bundled_demo_and_says_so(installed: Environment, tmp_path: Path) -> None:
    done = installed.run("texelscope", "diff", folder=tmp_path)
    assert done.returncode == MATCH
    assert f"{PASSES_OF_THE_DEMO} of {PASSES_OF_THE_DEMO} passes match" in done.stdout
    assert done.stderr == "texelscope: no TARGET is given: this is the bundled demo.\n"


def test_without_a_display_the_demo_is_a_table_and_snapshots(installed: Environment, tmp_path: Path) -> None:
    done = installed.run("texelscope", folder=tmp_path)
    assert done.returncode == MATCH
    assert f"{PASSES_OF_THE_DEMO} of {PASSES_OF_THE_DEMO} passes match" in done.stdout
    assert len(list((tmp_path / "out" / "snapshots").glob("*.png"))) == PASSES_OF_THE_DEMO


def test_the_demo_as_a_folder_of_shaders_is_one_command_away(installed: Environment, tmp_path: Path) -> None:
    done = installed.run("texelscope", "eject", "--to", "mine", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "mine" / "pipeline.toml").is_file()


def test_help_in_the_window_has_the_pages_of_the_documentation(installed: Environment, tmp_path: Path) -> None:
    question = "from texelscope.viewer.help.windows import pages\nfor page in pages(): print(page.title)"
    answer = installed.run("python", "-c", question, folder=tmp_path)
    titles = answer.stdout.splitlines()
    assert titles[0] == "Your first bug", answer.stderr
    assert len(titles) == len(list((ROOT / "docs").glob("*.md")))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no desktop entries")
def test_the_applications_menu_starts_the_installed_command(installed: Environment, tmp_path: Path) -> None:
    done = installed.run("texelscope", "install-desktop-entry", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    entry = tmp_path / ".local" / "share" / "applications" / "texelscope.desktop"
    assert f"\nTryExec={installed.commands / 'texelscope'}\n" in entry.read_text(encoding="utf-8")
    assert installed.run("texelscope", "install-desktop-entry", "--remove", folder=tmp_path).returncode == 0
    assert not entry.exists()


def test_an_error_names_no_file_of_the_checkout(installed: Environment, tmp_path: Path) -> None:
    done = installed.run("texelscope", "diff", "--convention", "LRN", folder=tmp_path)
    assert done.returncode == FAILED
    assert "'texelscope list' shows the names." in done.stderr
