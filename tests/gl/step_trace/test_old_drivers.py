"""Drivers of OpenGL 3.3 and 4.1, which have no storage buffers, give the traces that one of 4.5 gives."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import moderngl
import pytest

from tests.checkout import ROOT
from texelscope import pipeline
from texelscope.pipeline.step_trace.trace import Trace

FILE = ROOT / "examples/webgl_cnn/broken.toml"
PASS, ELEMENT, WATCH = "down1", (0, 0, 6, 5), "sum > 0.31"
STEPPED = f"""
import pathlib, sys
from texelscope import pipeline
from texelscope.pipeline.gl.context import headless_context
context = headless_context()
assert context.version_code == int(sys.argv[1]), context.version_code
with pipeline.open({str(FILE)!r}, context=context) as session:
    session.run()
    trace = session.trace({PASS!r}, {ELEMENT!r}, watches=[{WATCH!r}])
pathlib.Path(sys.argv[2]).write_text(trace.to_json())
"""


@pytest.fixture(scope="module")
def expected(gl: moderngl.Context) -> Trace:
    with pipeline.open(FILE, context=gl) as session:
        session.run()
        return session.trace(PASS, ELEMENT, watches=[WATCH])


@pytest.mark.parametrize("version", ["3.3", "4.1"])
def test_a_driver_without_storage_buffers_gives_the_same_trace(version: str, expected: Trace, tmp_path: Path) -> None:
    number = version.replace(".", "") + "0"
    settings = {
        "MESA_GL_VERSION_OVERRIDE": version, "MESA_GLSL_VERSION_OVERRIDE": number, "LIBGL_ALWAYS_SOFTWARE": "1",
        "MESA_SHADER_CACHE_DISABLE": "true",
    }  # fmt: skip
    run = subprocess.run(
        [sys.executable, "-c", STEPPED, number, str(tmp_path / "trace.json")], env=os.environ | settings, cwd=ROOT,
        capture_output=True, text=True, check=False, timeout=50,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "trace.json").read_text() == expected.to_json()
    assert expected.agrees is True
    assert len(expected.steps) > 100
