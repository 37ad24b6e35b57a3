"""What docs/ci.md shows is YAML, and its commands, the action's and the hook's are ones that the command line takes."""

from __future__ import annotations

import re
import shlex

import pytest
import yaml

from tests.checkout import ROOT
from texelscope.command_line import all_commands, parser_of
from texelscope.pipeline.front_ends.languages import LANGUAGES, Language

PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


# What the page shows: a whole workflow, the part of one for many machines, the parts of one that uses the action, and
# pre-commit's configuration.
WORKFLOW, ON_MANY, WITH_ACTION, WITH_HOOK = map(
    yaml.safe_load, re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
)
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def steps() -> list[dict[str, object]]:
    workflow = WORKFLOW
    assert workflow[True] == ["push", "pull_request"]  # YAML 1.1 reads `on` as a truth value, and so do build servers
    (job,) = workflow["jobs"].values()
    return list(job["steps"])


def commands() -> list[str]:
    each = [*steps(), *ON_MANY["steps"]]
    return [str(step["run"]) for step in each if str(step.get("run", "")).startswith("texelscope ")]


def test_every_step_uses_or_runs_something() -> None:
    assert all(("uses" in step) != ("run" in step) for step in steps())
    assert len(commands()) == 5


@pytest.mark.parametrize("line", commands())
def test_a_command_of_the_workflow_is_one_that_the_command_line_takes(line: str) -> None:
    options = parser_of(all_commands()).parse_args(shlex.split(line)[1:])
    assert options.target in ("model.onnx", "shaders/pipeline.toml", "shaders")


def test_the_options_that_the_pages_name_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser_of(all_commands()).parse_args(["diff", "-h"])
    known = capsys.readouterr().out
    text = PAGE + (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*", text))
    assert {name for name in named if f"{name} " not in known} == {
        "--allow-edit",  # of `mcp`
        "--no-install-recommends",
        "--no-deps",
        "--wheel-dir",
    }


def test_the_action_has_every_input_that_the_page_gives_it_and_uses_every_one() -> None:
    (given,) = [step["with"] for step in WITH_ACTION["jobs"]["passes"]["steps"] if "/texelscope@" in step["uses"]]
    assert given.keys() <= ACTION["inputs"].keys()
    assert {name for name, each in ACTION["inputs"].items() if each.get("required")} <= given.keys()
    text = str(ACTION["runs"])
    assert [name for name in ACTION["inputs"] if f"inputs.{name}" not in text] == []


def test_no_input_of_the_action_becomes_text_of_a_script() -> None:
    """A name of a branch or of a file is data: in a script it would be run."""
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
        assert ("uses" in step) != ("run" in step)
        assert "uses" in step or step["shell"] == "bash"


def test_the_hook_runs_a_command_on_the_target_that_its_user_names() -> None:
    (repository,) = WITH_HOOK["repos"]
    (hook,) = repository["hooks"]
    assert hook["id"] == HOOK["id"]
    options = parser_of(all_commands()).parse_args([*shlex.split(HOOK["entry"])[1:], *hook["args"]])
    assert (options.target, options.diagnose_seconds) == ("shaders/pipeline.toml", 10)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_a_shader_in_any_language_makes_the_hook_run(language: Language) -> None:
    for suffix in language.suffixes:
        assert re.search(HOOK["files"], f"shaders/a{suffix}"), suffix
