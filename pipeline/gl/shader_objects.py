"""Compiles shaders that are kept nowhere, and deletes what moderngl leaves of a failed compilation.

The functions are PyOpenGL's raw ones: its wrappers of them take longer to import than a model takes to open.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.glsl.old_words import Stage

# GL 4.6 core profile specification, table 7.1, §7.13 and §7.14.
_KINDS: Mapping[Stage, int] = MappingProxyType({"vertex": 0x8B31, "fragment": 0x8B30, "compute": 0x91B9})
_DELETE_STATUS, _COMPILE_STATUS, _LINK_STATUS = 0x8B80, 0x8B81, 0x8B82
_INFO_LOG_LENGTH, _SHADER_SOURCE_LENGTH = 0x8B84, 0x8B88
# Drivers number programs and shaders together. A failed compilation's objects lie this far below the next number, even
# if freed numbers are used again.
_REACH = 1024


def refusal_of(texts: Mapping[Stage, str]) -> str | None:
    """Returns the driver's log for the first stage that does not compile; None if all do. Leaves no objects."""
    from OpenGL.raw.GL.VERSION import GL_2_0

    for stage, text in texts.items():
        shader = GL_2_0.glCreateShader(_KINDS[stage])
        try:
            encoded = text.encode()
            pointer = ctypes.cast(ctypes.c_char_p(encoded), ctypes.POINTER(ctypes.c_char))
            GL_2_0.glShaderSource(shader, 1, ctypes.byref(pointer), ctypes.byref(ctypes.c_int(len(encoded))))
            GL_2_0.glCompileShader(shader)
            if not _of_shader(shader, _COMPILE_STATUS):
                log = _text(GL_2_0.glGetShaderInfoLog, shader, _of_shader(shader, _INFO_LOG_LENGTH))
                return log.decode("utf-8", "replace").strip("\0\n ") or "the driver gives no reason"
        finally:
            GL_2_0.glDeleteShader(shader)
    return None


def forget_failed(*texts: str) -> None:
    """Deletes moderngl's remains of a failed compilation: a program never linked, and shaders of `texts`."""
    from OpenGL.raw.GL.VERSION import GL_2_0

    sources = {text.strip().encode() for text in texts}  # moderngl strips the space around them
    # Some drivers give the lowest free number, others one more than ever before: new objects lie below the next.
    after = GL_2_0.glCreateProgram()
    GL_2_0.glDeleteProgram(after)
    for number in range(after - 1, max(after - _REACH, 0), -1):
        if GL_2_0.glIsProgram(number):
            if not _asked(GL_2_0.glGetProgramiv, number, _LINK_STATUS):
                GL_2_0.glDeleteProgram(number)
        elif (
            GL_2_0.glIsShader(number)
            and not _of_shader(number, _DELETE_STATUS)
            and _text(GL_2_0.glGetShaderSource, number, _of_shader(number, _SHADER_SOURCE_LENGTH)).strip() in sources
        ):
            GL_2_0.glDeleteShader(number)


def _of_shader(shader: int, what: int) -> int:
    from OpenGL.raw.GL.VERSION.GL_2_0 import glGetShaderiv

    return _asked(glGetShaderiv, shader, what)


def _asked(function: Any, number: int, what: int) -> int:
    answer = ctypes.c_int()
    function(number, what, ctypes.byref(answer))
    return answer.value


def _text(function: Any, number: int, length: int) -> bytes:
    """Returns a text of `length` bytes with the zero after it; without that zero."""
    text = ctypes.create_string_buffer(max(length, 1))
    function(number, len(text), None, text)
    return text.value
