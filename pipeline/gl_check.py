"""Asks the driver whether it takes a program, and leaves nothing behind if it does not.

moderngl forgets to delete a program and a shader whenever a compilation fails: a person who edits shaders all
day would fill the driver with them.
"""

from __future__ import annotations


def refusal(vertex: str, fragment: str) -> str | None:
    """The driver's log for a program that does not compile or link; None for one that does."""
    from OpenGL import GL  # slow to import, and not needed before somebody edits a shader

    shaders: list[int] = []
    program = GL.glCreateProgram()
    try:
        for kind, text in ((GL.GL_VERTEX_SHADER, vertex), (GL.GL_FRAGMENT_SHADER, fragment)):
            shader = GL.glCreateShader(kind)
            shaders.append(shader)
            GL.glShaderSource(shader, text)
            GL.glCompileShader(shader)
            if not GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS):
                return _text(GL.glGetShaderInfoLog(shader))
            GL.glAttachShader(program, shader)
        GL.glLinkProgram(program)
        return None if GL.glGetProgramiv(program, GL.GL_LINK_STATUS) else _text(GL.glGetProgramInfoLog(program))
    finally:
        GL.glDeleteProgram(program)
        for shader in shaders:
            GL.glDeleteShader(shader)


def _text(log: bytes | str) -> str:
    """Never empty, so that a refusal is one even where the driver says nothing."""
    text = log.decode("utf-8", "replace") if isinstance(log, bytes) else log
    return text.strip("\0\n ") or "the driver gives no reason"
