"""Reads the workflow for real systems: what it calls is there, and the systems and Pythons are those that we name."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from typing import Any

import yaml

from tests.machines.profiles import ROOT
from texelscope.command_line import all_commands, parser_of

WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "systems.yml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
_PYTHON = re.compile(r"(?:\.venv/bin/)?python[\d.]*")


def steps() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, job in WORKFLOW["jobs"].items():
        for step in job["steps"]:
            yield name, step


def python_lines() -> list[list[str]]:
    """Returns the words after `python` of each command that runs it, which a backslash may break over lines."""
    lines = [line for _, step in steps() for line in step.get("run", "").replace("\\\n", " ").splitlines()]
    words = [shlex.split(re.sub(r"\$\{\{.*?\}\}", "3.12", line)) for line in lines if "$beside" not in line]
    return [each[1:] for each in words if each and _PYTHON.fullmatch(each[0])]


def test_every_system_has_every_python() -> None:
    jobs = WORKFLOW["jobs"]
    pythons = ["3.11", "3.12", "3.13", "3.14"]
    assert all(job["strategy"]["matrix"]["python"] == pythons for job in jobs.values())
    assert PROJECT["requires-python"] == f">={pythons[0]}"
    systems = {name.split("-")[0] for name in jobs["desktop"]["strategy"]["matrix"]["system"]}
    assert systems == {"ubuntu", "windows", "macos"}
    assert jobs["fedora"]["container"].startswith("fedora:")


def test_every_step_says_what_it_is_and_runs_somewhere() -> None:
    for job, step in steps():
        assert ("uses" in step) != ("run" in step), job
        assert "name" in step or step["uses"].startswith("actions/"), job
        condition = step.get("if", "")
        assert not condition or re.fullmatch(r"runner\.os == '(Linux|Windows)'", condition)


def test_what_it_runs_is_there() -> None:
    lines = python_lines()
    assert len(lines) >= 8
    for words in lines:
        if words[:2] == ["-m", "pytest"]:
            missing = [path for path in words[2:] if not (ROOT / path).exists()]
            assert missing == [], words
        elif words[:3] == ["-m", "pip", "install"]:
            assert words[3:5] == ["--editable", ".[dev]"]
            assert "dev" in PROJECT["optional-dependencies"]
            assert (ROOT / words[words.index("--constraint") + 1]).is_file()
        elif words[:2] != ["-m", "venv"]:
            assert (ROOT / words[0]).is_file(), words
            parser_of(all_commands()).parse_args(words[1:])
