"""PyOpenGL calls the functions that it is given, in place of the system library's."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import ctypes
from texelscope.pipeline.gl.pyopengl_functions import give_to_pyopengl

CALLED = []
KIND = ctypes.CFUNCTYPE(None, ctypes.c_uint)
mine = KIND(CALLED.append)

class Functions:
    def address(self, name):
        return ctypes.cast(mine, ctypes.c_void_p).value if name == "glUseProgram" else 0

give_to_pyopengl(Functions())
from OpenGL.raw.GL.VERSION.GL_2_0 import glUniform1i, glUseProgram

glUseProgram(7)
print(CALLED, bool(glUniform1i))
"""


def test_a_function_that_is_given_is_called_and_another_one_is_missing() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert ran.stdout.strip() == "[7] False", ran.stderr
