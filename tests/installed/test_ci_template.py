"""The repository in examples/ci_template: the steps of its workflow run, and its tests find a bug that is put in."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.checkout import ROOT
from tests.installed.conftest import lent
from tests.installed.environment import Environment

pytestmark = pytest.mark.timeout(900)

TEMPLATE = ROOT / "examples" / "ci_template"
WORKFLOW = yaml.safe_load((TEMPLATE / ".github" / "workflows" / "shaders.yml").read_text(encoding="utf-8"))
# What a build server installs with its own tools, and a machine with these tests has.
OF_THE_SYSTEM = "apt-get"


def steps() -> list[dict[str, Any]]:
    (job,) = WORKFLOW["jobs"].values()
    return list(job["steps"])


def commands() -> list[str]:
    return [step["run"] for step in steps() if "run" in step]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Returns an environment with pytest and without Texelscope."""
    return lent(tmp_path_factory.mktemp("environment"))


@pytest.fixture(scope="module")
def repository(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a copy of the template with the wheel in it, as its README says."""
    folder = tmp_path_factory.mktemp("copied") / "repository"
    shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    (folder / "wheels").mkdir()
    shutil.copy(wheel, folder / "wheels")
    return folder


def shell(environment: Environment, line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a line as a build server does; pip fetches nothing, because the environment has all that it would."""
    pip = {"PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    surroundings = environment.surroundings(folder.parent) | pip | {"COLUMNS": "200"}
    return subprocess.run(
        ["bash", "-ec", line], cwd=folder, env=surroundings, capture_output=True, encoding="utf-8", check=False
    )


@pytest.fixture(scope="module")
def after_the_workflow(environment: Environment, repository: Path) -> list[subprocess.CompletedProcess[str]]:
    """Runs the steps of the workflow, in order, but for what installs a driver."""
    return [shell(environment, line, repository) for line in commands() if OF_THE_SYSTEM not in line]


def test_every_step_says_what_it_is_and_uses_or_runs_something() -> None:
    assert WORKFLOW[True] == ["push", "pull_request"]  # YAML 1.1 reads `on` as a truth value
    assert all(("uses" in step) != ("run" in step) for step in steps())
    assert all("name" in step for step in steps() if "run" in step)
    (installs,) = [line for line in commands() if OF_THE_SYSTEM in line]
    assert {"libegl1", "libgl1", "libgl1-mesa-dri", "--no-install-recommends"} <= {*shlex.split(installs)}
    (upload,) = [step for step in steps() if "upload" in step.get("uses", "")]
    assert upload["if"] == "always()"
    assert any(f"--texelscope-html {upload['with']['path']} " in line for line in commands())


def test_what_it_installs_is_what_the_folder_lists() -> None:
    (line,) = [line for line in commands() if "pip install" in line]
    words = shlex.split(line)
    assert words[:4] == ["python", "-m", "pip", "install"]
    assert (TEMPLATE / words[words.index("--requirement") + 1]).is_file()
    assert "wheels/texelscope-*.whl" in words


def test_every_step_of_the_workflow_ends_well(
    after_the_workflow: list[subprocess.CompletedProcess[str]], repository: Path
) -> None:
    assert [done.returncode for done in after_the_workflow] == [0, 0], [
        done.stdout + done.stderr for done in after_the_workflow
    ]
    assert re.search(r"\b8 passed\b", after_the_workflow[-1].stdout)
    assert "warning" not in after_the_workflow[-1].stdout
    assert (repository / "reports" / "tests.xml").is_file()
    assert list((repository / "reports").glob("*.html")) == []


@pytest.mark.usefixtures("after_the_workflow")
def test_a_bug_in_a_shader_is_named_with_its_line_and_its_repair(environment: Environment, repository: Path) -> None:
    shader = repository / "shaders" / "blur.frag"
    right = shader.read_text(encoding="utf-8")
    shader.write_text(right.replace("2.0 * image", "3.0 * image"), encoding="utf-8")
    try:
        done = shell(environment, "python -m pytest -k is_right --texelscope-html reports -x", repository)
    finally:
        shader.write_text(right, encoding="utf-8")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "WrongPassError: pass 'across' of pipeline.toml is wrong: wrong literal, blur.frag:17" in done.stdout
    assert "E       +    y = 0.25 * (image(texel - u_step) + 2.0 * image(texel)" in done.stdout
    assert "site-packages/texelscope/" not in done.stdout.replace(os.sep, "/")
    assert len(list((repository / "reports").glob("*.patch"))) == 1


@pytest.mark.usefixtures("after_the_workflow")
def test_the_plugin_is_found_where_it_is_installed_and_can_be_left_out(
    environment: Environment, repository: Path
) -> None:
    listed = shell(environment, "python -m pytest --fixtures -q tests", repository)
    assert "texelscope_check" in listed.stdout
    off = shell(environment, "python -m pytest -p no:texelscope -q", repository)
    assert "fixture 'texelscope_check' not found" in off.stdout
    named = shell(environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python -m pytest -p texelscope -q -k flat", repository)
    assert named.returncode == 0, named.stdout


@pytest.mark.usefixtures("after_the_workflow")
def test_pytest_rewrites_no_assertion_of_the_program(environment: Environment, repository: Path) -> None:
    (repository / "tests" / "test_loader.py").write_text(
        "import texelscope.pipeline.plan as plan\n"
        "def test_loader():\n"
        "    assert type(plan.__loader__).__name__ == 'SourceFileLoader'\n",
        encoding="utf-8",
    )
    done = shell(environment, "python -m pytest -q tests/test_loader.py", repository)
    (repository / "tests" / "test_loader.py").unlink()
    assert done.returncode == 0, done.stdout
