"""The window: panels around the live textures of a session."""

from __future__ import annotations

import OpenGL

# imgui's renderer draws through PyOpenGL, which would raise at its next call whatever GL error anybody left:
# a driver's complaint must not end the window. Set before OpenGL.GL is imported.
OpenGL.ERROR_CHECKING = False
