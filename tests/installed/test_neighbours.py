"""The installed program beside packages and files of other people that have the names of its folders."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.installed.environment import Environment, run
from texelscope.pipeline.commands.diff import MATCH

pytestmark = pytest.mark.timeout(600)

NAMES = ("pipeline", "layouts", "viewer", "shaders", "examples", "docs")
PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "plain-words"
version = "1"

[tool.hatch.build.targets.wheel]
only-include = ["pipeline", "layouts", "viewer", "shaders", "examples", "docs"]
"""
ITS_OWN = "WHOSE = 'of plain-words'\n"
THE_USERS = "WHOSE = 'of the user'\n"
STOPS = "raise SystemExit('a file of the user was imported')\n"
# Starts a process of its own, which imports the program anew.
IN_TIME = ("--timeout", "300")


@pytest.fixture(scope="module")
def crowded(installed: Environment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    """Yields the environment with another distribution of those names, which is uninstalled afterwards."""
    folder = tmp_path_factory.mktemp("plain_words")
    (folder / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    for name in NAMES:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(ITS_OWN, encoding="utf-8")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, folder=folder)
    (built,) = folder.glob("*.whl")
    installed.install(built)
    yield installed
    run(sys.executable, "-m", "pip", "--python", installed.python, "uninstall", "--quiet", "--yes", "plain-words")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Returns a folder in which a user keeps scripts of those names."""
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(THE_USERS, encoding="utf-8")
    return tmp_path


def test_each_package_is_its_own(crowded: Environment, tmp_path: Path) -> None:
    question = "".join(f"import {name}, texelscope.pipeline; print({name}.WHOSE)\n" for name in NAMES)
    answer = crowded.run("python", "-c", question, folder=tmp_path)
    assert answer.stdout.splitlines() == ["of plain-words"] * len(NAMES), answer.stderr


@pytest.mark.parametrize("command", [("texelscope",), ("python", "-m", "texelscope")], ids=" ".join)
def test_the_command_runs_beside_both(crowded: Environment, work: Path, command: tuple[str, ...]) -> None:
    done = crowded.run(*command, "diff", *IN_TIME, folder=work)
    assert done.returncode == MATCH, done.stderr
    assert "passes match" in done.stdout


def test_a_script_finds_the_users_file_and_the_program(crowded: Environment, work: Path) -> None:
    script = (
        "import pipeline, texelscope\n"
        "from texelscope.arguments import DEMO_MODEL\n"
        "with texelscope.open(DEMO_MODEL) as session:\n"
        "    session.run()\n"
        "    print(pipeline.WHOSE, len(session.plan.passes))\n"
    )
    (work / "mine.py").write_text(script, encoding="utf-8")
    done = crowded.run("python", "mine.py", folder=work)
    assert done.stdout == "of the user 30\n", done.stderr


@pytest.mark.parametrize("command", [("texelscope",), ("python", "-m", "texelscope")], ids=" ".join)
def test_no_file_of_the_working_folder_runs(crowded: Environment, tmp_path: Path, command: tuple[str, ...]) -> None:
    for name in (*NAMES, "numpy", "onnx", "typing"):
        (tmp_path / f"{name}.py").write_text(STOPS, encoding="utf-8")
    done = crowded.run(*command, "list", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "channel_tiles" in done.stdout
