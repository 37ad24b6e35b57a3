"""Draws into the window's framebuffer."""

from __future__ import annotations

from collections.abc import Callable

import moderngl

from texelscope.pipeline.gl.state import clear_errors, is_llvmpipe
from texelscope.viewer import theme


class Screen:
    """Wraps the framebuffer of the window's context."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        # llvmpipe leaks the buffer that it draws behind passes that still run with one of them. In a window that
        # changed its size two to four of up to 6 MiB each were leaked, and one if it waits for the passes first.
        self._waits = is_llvmpipe(context)

    def draw(self, triangles: Callable[[], None]) -> None:
        """Draws one frame: the panels' colour, and `triangles` on it."""
        if self._waits:
            self._context.finish()
        self._context.screen.use()
        self._context.clear(*theme.PANEL)
        triangles()
        clear_errors(self._context)
