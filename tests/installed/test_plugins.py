"""Tests a distribution with plug-ins installed beside the program: good ones work, bad ones are reported."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.installed.environment import Environment, run

pytestmark = pytest.mark.timeout(600)

PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "texelscope-acme"
version = "1.2"

[project.entry-points."texelscope.layouts"]
upright_tiles = "texelscope_acme.layout"

[project.entry-points."texelscope.operators"]
acme = "texelscope_acme.operators"
lost = "texelscope_acme.not_there"
"""
OPERATORS = """
from texelscope.pipeline.operators.base import beside
from texelscope.pipeline.operators.families.elementwise import Unary
DOMAIN = "com.acme"
OPERATORS = (Unary("Swoosh", "y = 2x", ulps=1.0, shader=beside(__file__, "swoosh.glsl")),)
DEFINITIONS = {"Swoosh": lambda invocation: (2.0 * invocation.required(0),)}
"""
MODEL = """
import onnx
from onnx import helper
x, y = (helper.make_tensor_value_info(name, 1, [1, 3, 4, 5]) for name in "xy")
node = helper.make_node("Swoosh", ["x"], ["y"], "swoosh", domain="com.acme")
opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.acme", 1)]
onnx.save(helper.make_model(helper.make_graph([node], "acme", [x], [y]), opset_imports=opsets, ir_version=10), "a.onnx")
"""


@pytest.fixture(scope="module")
def acme(installed: Environment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    """Yields the environment with the distribution, which is uninstalled afterwards."""
    folder = tmp_path_factory.mktemp("acme")
    layout = (ROOT / "tests" / "gl" / "layouts" / "upright_tiles.py").read_text(encoding="utf-8")
    files = {"__init__.py": "", "layout.py": layout, "operators.py": OPERATORS,
             "swoosh.glsl": "float unary(float x) { return 2.0 * x; }\n"}  # fmt: skip
    (folder / "texelscope_acme").mkdir()
    for name, text in files.items():
        (folder / "texelscope_acme" / name).write_text(text, encoding="utf-8")
    (folder / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, folder=folder)
    (built,) = folder.glob("*.whl")
    installed.install(built)
    yield installed
    run(sys.executable, "-m", "pip", "--python", installed.python, "uninstall", "--quiet", "--yes", "texelscope-acme")


def test_its_layout_and_its_operator_run_in_the_installed_program(acme: Environment, tmp_path: Path) -> None:
    made = acme.run("python", "-c", MODEL, folder=tmp_path)
    assert made.returncode == 0, made.stderr
    answer = acme.run("texelscope", "diff", "a.onnx", "--layout", "upright_tiles", folder=tmp_path)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "Swoosh" in answer.stdout


def test_what_is_wrong_with_it_is_said_and_stops_nothing(acme: Environment, tmp_path: Path) -> None:
    answer = acme.run("texelscope", "list", folder=tmp_path)
    assert answer.returncode == 0
    for line in ("com.acme.Swoosh ", "upright_tiles "):
        assert f"\n  {line}" in answer.stdout
    said = "texelscope-acme 1.2: entry point 'lost' of texelscope.operators"
    assert said in answer.stdout.partition("Plug-ins that are left out (1)")[2]
    assert answer.stderr.count(f"texelscope: warning: {said}") == 1
