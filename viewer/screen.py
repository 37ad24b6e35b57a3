"""What the window shows: the framebuffer of its GL context."""

from __future__ import annotations

from collections.abc import Callable

import moderngl

from texelscope.pipeline.gl.state import clear_errors, is_llvmpipe
from texelscope.viewer import theme


class Screen:
    """Of the window's context."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        # llvmpipe leaves the buffer that it draws behind passes still under way with one of them. Of a window that
        # changed its size two to four were held so, of up to 6 MiB each, and one where it waits for the passes first.
        self._waits = is_llvmpipe(context)

    def draw(self, triangles: Callable[[], None]) -> None:
        """One frame: nothing but the panels' colour, and `triangles` on it."""
        if self._waits:
            self._context.finish()
        self._context.screen.use()
        self._context.clear(*theme.PANEL)
        triangles()
        clear_errors(self._context)
