"""The workflow that docs/ci.md shows is YAML, and its commands are ones that the command line takes."""

from __future__ import annotations

import re
import shlex

import pytest
import yaml

from tests.checkout import ROOT
from texelscope.command_line import all_commands, parser_of

PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


def steps() -> list[dict[str, object]]:
    (block,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    workflow = yaml.safe_load(block)
    assert workflow[True] == ["push", "pull_request"]  # YAML 1.1 reads `on` as a truth value, and so do build servers
    (job,) = workflow["jobs"].values()
    return list(job["steps"])


def commands() -> list[str]:
    return [str(step["run"]) for step in steps() if str(step.get("run", "")).startswith("texelscope ")]


def test_every_step_uses_or_runs_something() -> None:
    assert all(("uses" in step) != ("run" in step) for step in steps())
    assert len(commands()) == 4


@pytest.mark.parametrize("line", commands())
def test_a_command_of_the_workflow_is_one_that_the_command_line_takes(line: str) -> None:
    options = parser_of(all_commands()).parse_args(shlex.split(line)[1:])
    assert options.target in ("model.onnx", "shaders/pipeline.toml")


def test_the_options_that_the_pages_name_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser_of(all_commands()).parse_args(["diff", "-h"])
    known = capsys.readouterr().out
    text = PAGE + (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*", text))
    assert {name for name in named if f"{name} " not in known} == {
        "--no-install-recommends",
        "--no-deps",
        "--wheel-dir",
    }
