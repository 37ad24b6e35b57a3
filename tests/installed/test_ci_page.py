"""The workflow of docs/ci.md, and the action, run step by step in a repository as that page describes it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.checkout import ROOT
from tests.gl.patches.test_patch import SHADER, folder
from tests.installed.conftest import lent
from tests.installed.environment import Environment
from tests.pure.commands.test_ci_page import steps
from tests.sarif_reader import apply_fix, place_of, results_of

pytestmark = pytest.mark.timeout(600)

# What a build server installs with its own tools, and a machine with these tests has.
OF_THE_SYSTEM = "apt-get"


@pytest.fixture
def repository(wheel: Path, tmp_path: Path) -> Path:
    """Returns a repository with a wheel, shaders and a model; no folder of Texelscope's is near."""
    folder = tmp_path / "repository"
    shutil.copytree(ROOT / "examples" / "webgl_cnn", folder / "shaders")
    (folder / "shaders" / "fixed.toml").rename(folder / "shaders" / "pipeline.toml")
    shutil.copyfile(ROOT / "examples" / "facades" / "facades.onnx", folder / "model.onnx")
    (folder / "wheels").mkdir()
    shutil.copy(wheel, folder / "wheels")
    return folder


def shell(environment: Environment, line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a line as a build server does; pip fetches nothing, because the environment has all that it would."""
    pip = {"PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    surroundings = environment.surroundings(folder) | pip
    return subprocess.run(
        ["bash", "-ec", line], cwd=folder, env=surroundings, capture_output=True, encoding="utf-8", check=False
    )


def test_every_step_of_the_workflow_ends_well(repository: Path, tmp_path: Path) -> None:
    environment = lent(tmp_path / "environment")
    lines = [str(step["run"]) for step in steps() if "run" in step]
    golden = "texelscope diff model.onnx --save-golden model.golden.npz --diagnose-seconds 0"
    install = next(index for index, line in enumerate(lines) if "pip install" in line)
    for line in (*lines[: install + 1], golden, *lines[install + 1 :]):
        if OF_THE_SYSTEM not in line:
            done = shell(environment, line, repository)
            assert done.returncode == 0, (line, done.stdout, done.stderr)
    assert {"oracle.xml", "golden.xml", "half.xml", "oracle.html"} <= {path.name for path in repository.iterdir()}


def test_the_action_annotates_the_wrong_line_and_passes_once_its_fix_is_taken(
    installed: Environment, tmp_path: Path
) -> None:
    (tmp_path / "shaders of ours").mkdir()
    wrong = folder(tmp_path / "shaders of ours" / "leaks", SHADER.replace("x * alpha", "x / alpha").encode())
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    (compare,) = [step for step in steps if step["name"] == "Compare"]
    summary = tmp_path / "summary.md"
    surroundings = installed.surroundings(tmp_path) | {
        "TARGET": f"{wrong.relative_to(tmp_path)}/pipeline.toml",
        "ARGUMENTS": "--diagnose-seconds 60",
        "REPORTS": "re ports",
        "GITHUB_STEP_SUMMARY": str(summary),
    }

    def run() -> subprocess.CompletedProcess[str]:
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", compare["run"]]
        return subprocess.run(words, cwd=tmp_path, env=surroundings, capture_output=True, encoding="utf-8", check=False)

    done = run()
    assert done.returncode == 1, done.stderr
    assert "First wrong pass: a" in summary.read_text(encoding="utf-8")
    reports = tmp_path / "re ports"
    assert {each.suffix for each in reports.iterdir()} == {".sarif", ".html", ".xml", ".patch", ".txt"}
    first = results_of((reports / "report.sarif").read_text(encoding="utf-8"))[0]
    assert place_of(first) == ("shaders of ours/leaks/leak.frag", 8)
    apply_fix(tmp_path, first["fixes"][0])
    done = run()
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert results_of((reports / "report.sarif").read_text(encoding="utf-8")) == []
