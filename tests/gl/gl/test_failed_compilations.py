"""A compilation that fails leaves neither a program nor a shader in the driver."""

from __future__ import annotations

import ctypes
import gc

import moderngl
import pytest

from tests.gl.watched_contexts import make_current
from texelscope.pipeline.errors import ShaderError, UnsupportedError
from texelscope.pipeline.gl.program import ProgramCache, compiled_dispatch, compiled_variant
from texelscope.pipeline.gl.shader_objects import forget_failed
from texelscope.pipeline.plan import ProgramSource

LIBRARY = ctypes.CDLL("libGL.so.1")
# With an end of the line, as files have it: moderngl hands texts to the driver without.
VERTEX = "#version 330\nvoid main() { gl_Position = vec4(0.0); }\n"
TORN, WITHOUT_MAIN = "#version 330\nvoid main() {\n", "#version 330\nvoid mian() {}\n"


def numbers() -> list[int]:
    """Returns the numbers of all programs and shaders that the driver has."""
    return [number for number in range(1, 2000) if (LIBRARY.glIsProgram(number) | LIBRARY.glIsShader(number)) & 0xFF]


@pytest.mark.parametrize("fragment", [TORN, WITHOUT_MAIN])
def test_nothing_is_left_of_it(gl: moderngl.Context, fragment: str) -> None:
    make_current(gl)  # objects of another context have the same numbers
    gc.collect()
    forget_failed()  # what other tests left goes with the first that fails here
    before = numbers()
    for ask_first in (False, True):
        with pytest.raises(ShaderError, match="expected a shader that compiles, got "):
            ProgramCache(gl).acquire(ProgramSource(fragment, (), VERTEX), "a pass", ask_first=ask_first)
    with pytest.raises(UnsupportedError, match="a variant that the driver compiles"):
        compiled_variant(gl, VERTEX, fragment, "a pass")
    with pytest.raises(UnsupportedError, match="a variant that the driver compiles"):
        compiled_dispatch(gl, fragment.replace("330", "430"), "a pass")
    assert numbers() == before
