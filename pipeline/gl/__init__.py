"""A plan, running on GL; knows nothing of what looks at it."""

from __future__ import annotations

import OpenGL

# What moderngl lacks is called through PyOpenGL, which would raise at its next call whatever GL error anybody left: a
# driver's complaint must not end a run, or the window. Set before anything of OpenGL.GL or OpenGL.raw is imported.
OpenGL.ERROR_CHECKING = False
