"""The imitated drivers refuse what the real ones do not have."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.machines.profiles import MACHINES, ROOT

TRIED = """
import moderngl
from OpenGL import GL
from texelscope.pipeline.gl.context import headless_context
context = headless_context()
print(context.version_code)
VERTEX = "#version 330\\nvoid main() { gl_Position = vec4(0.0); }"
for text in (
    "#version 330\\nout vec4 r; void main() { r = vec4(1.0); }",
    "#version 410\\nout vec4 r; void main() { r = vec4(1.0); }",
    "#version 430\\nout vec4 r; void main() { r = vec4(1.0); }",
    "#version 300 es\\nprecision highp float; out vec4 r; void main() { r = vec4(1.0); }",
    "#version 330\\nout vec4 r; void main() { r = vec4(1.0); } // a · b",
):
    shader = GL.glCreateShader(GL.GL_FRAGMENT_SHADER)
    GL.glShaderSource(shader, text)
    GL.glCompileShader(shader)
    asked = bool(GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS))
    try:
        context.program(vertex_shader=VERTEX, fragment_shader=text)
        linked = True
    except moderngl.Error:
        linked = False
    print(asked, linked)
for call in (lambda: context.memory_barrier(), lambda: GL.glMemoryBarrier(1)):
    try:
        call()
        print("called")
    except Exception as error:
        print(type(error).__name__)
"""


@pytest.mark.parametrize(("name", "version", "newer"), [("strict-4.1", 410, True), ("strict-3.3", 330, False)])
def test_it_has_nothing_above_its_version(name: str, version: int, newer: bool) -> None:
    environment = MACHINES[name].process_environment()
    ran = subprocess.run(
        [sys.executable, "-c", TRIED], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    yes, no = "True True", "False False"
    assert ran.stdout.split("\n")[:-1] == [
        str(version), yes, yes if newer else no, no, no, no, "AssertionError", "NullFunctionError",
    ], ran.stderr  # fmt: skip
