"""Checks whether the driver accepts a shader's text, and leaves nothing behind if it does not.

moderngl does not delete a program and a shader if a compilation fails: a person who edits shaders all
day would fill the driver with them. If only linking fails it deletes both, so that the link, which is by far the
longest part, is not tried here but once elsewhere.
"""

from __future__ import annotations

from types import ModuleType

# Drivers number programs and shaders together. A failed compilation's objects lie this far below the next number, even
# if freed numbers are used again.
_REACH = 1024


def prepare() -> None:
    """Imports what `refusal` needs, which is slow: so that saving a shader does not wait for it."""
    _gl()


def refusal(vertex: str, fragment: str) -> str | None:
    """Returns the driver's log for a shader that does not compile; None if both do."""
    GL = _gl()
    return _refusal((GL.GL_VERTEX_SHADER, vertex), (GL.GL_FRAGMENT_SHADER, fragment))


def compute_refusal(text: str) -> str | None:
    """Returns the log, as `refusal`, for a compute shader."""
    return _refusal((_gl().GL_COMPUTE_SHADER, text))


def forget_failed(*texts: str) -> None:
    """Deletes moderngl's remains of a failed compilation: a program never linked, and shaders of `texts`."""
    GL = _gl()
    sources = {text.strip().encode() for text in texts}  # moderngl strips the space around them
    # Some drivers give the lowest free number, others one more than ever before: new objects lie below the next.
    after = GL.glCreateProgram()
    GL.glDeleteProgram(after)
    for number in range(after - 1, max(after - _REACH, 0), -1):
        if GL.glIsProgram(number):
            if not GL.glGetProgramiv(number, GL.GL_LINK_STATUS):
                GL.glDeleteProgram(number)
        elif (
            GL.glIsShader(number)
            and not GL.glGetShaderiv(number, GL.GL_DELETE_STATUS)
            and GL.glGetShaderSource(number).strip() in sources
        ):
            GL.glDeleteShader(number)


def _refusal(*shaders: tuple[int, str]) -> str | None:
    GL = _gl()
    for kind, text in shaders:
        shader = GL.glCreateShader(kind)
        try:
            GL.glShaderSource(shader, text)
            GL.glCompileShader(shader)
            if not GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS):
                return _text(GL.glGetShaderInfoLog(shader))
        finally:
            GL.glDeleteShader(shader)
    return None


def _gl() -> ModuleType:
    from OpenGL import GL  # slow to import, and only needed once a shader is edited

    return GL  # type: ignore[no-any-return]


def _text(log: bytes | str) -> str:
    """Returns a message that is never empty, so that a refusal counts even if the driver gives no reason."""
    text = log.decode("utf-8", "replace") if isinstance(log, bytes) else log
    return text.strip("\0\n ") or "the driver gives no reason"
