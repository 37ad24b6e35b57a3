"""Provides the triangle that covers a pass's target, for vertex shaders with and without attributes.

The default vertex shader has none. A person's own, copied from a web page, usually has a position in clip
space and perhaps a texture coordinate; both are fed here.
"""

from __future__ import annotations

import re

import moderngl
import numpy as np

# x, y in clip space; u, v from (0, 0) at the first texel's corner to (1, 1) at the last one's.
_VERTICES = np.array([[-1, -1, 0, 0], [3, -1, 2, 0], [-1, 3, 0, 2]], dtype=np.float32)
_COORDINATE = re.compile(r"uv|tex|coord|st\b", re.IGNORECASE)


class TargetGeometry:
    """Creates vertex arrays for programs; keeps the one buffer that they share."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._buffer: moderngl.Buffer | None = None

    def vertex_array(self, program: moderngl.Program) -> moderngl.VertexArray:
        """Returns three vertices for `program`; the caller releases the array."""
        names = [
            name for name in program if isinstance(program[name], moderngl.Attribute) and not name.startswith("gl_")
        ]
        if not names:
            return self._context.vertex_array(program, [])
        if self._buffer is None:
            self._buffer = self._context.buffer(_VERTICES.tobytes())
        content = []
        for name in names:
            is_coordinate = _COORDINATE.search(name) is not None
            content.append((self._buffer, "2x4 2f" if is_coordinate else "2f 2x4", name))
        return self._context.vertex_array(program, content)

    def release(self) -> None:
        """Frees the buffer."""
        if self._buffer is not None:
            self._buffer.release()
            self._buffer = None
