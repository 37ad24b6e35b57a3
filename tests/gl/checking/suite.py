"""Writes a small test suite, as somebody has it, and runs pytest on it in a process of its own."""

from __future__ import annotations

import os
from pathlib import Path

import onnx
import pytest

from tests.checkout import ROOT
from tests.pure.models import model, node

# y = max(x, 0), drawn by a shader of its own.
SHADER = """\
#version 330
uniform sampler2D t_x;
out float y;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float x = texelFetch(t_x, texel, 0).x;
    y = max(x, 0.0);
}
"""
WRONG_LINE = "    y = max(x, 0.1);"
WRONG_LINE_NUMBER = 8
WRONG_SHADER = SHADER.replace("    y = max(x, 0.0);", WRONG_LINE)
PIPELINE = """\
[pipeline]
name = "one layer"
model = "model.onnx"

[[input]]
name = "x"
shape = [1, 3, 8, 8]
layout = "linear"
source = "normal:1"

[[pass]]
name = "act"
shader = "act.frag"
oracle = "y"
output = { shape = [1, 3, 8, 8], layout = "linear" }
textures.t_x = "x"
"""
# Long enough for a repair of one line on a machine that does other things too.
SECONDS = 60


class Suite:
    """Writes files into a folder and runs pytest there; other plug-ins than those named are not loaded."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self._pytester = pytester
        self.folder = pytester.path

    def target(self, folder: str = "shaders", shader: str = SHADER) -> Path:
        """Writes the pipeline with a shader; returns the path of its pipeline.toml."""
        there = self.folder / folder
        there.mkdir(parents=True, exist_ok=True)
        (there / "pipeline.toml").write_text(PIPELINE, encoding="utf-8")
        (there / "act.frag").write_text(shader, encoding="utf-8")
        onnx.save(model([node("Relu", "x", "y", "act")]), there / "model.onnx")
        return there / "pipeline.toml"

    def write(self, name: str, text: str) -> None:
        """Writes a file, by its path in the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, *words: str, plugins: tuple[str, ...] = ("texelscope.pytest_plugin",)) -> pytest.RunResult:
        """Runs pytest with these words and plug-ins."""
        loaded = [word for each in plugins for word in ("-p", each)]
        return self._pytester.runpytest_subprocess(*loaded, "-p", "no:cacheprovider", *words)


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Suite:
    """An empty test suite, which imports this checkout."""
    kept = os.environ.get("XDG_STATE_HOME", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(pytester.path)]))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("XDG_STATE_HOME", kept)
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    return Suite(pytester)
