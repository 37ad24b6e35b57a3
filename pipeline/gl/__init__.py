"""Runs a plan on GL, without knowledge of its viewers."""

from __future__ import annotations

import OpenGL

# PyOpenGL supplies what moderngl lacks, but would raise at its next call for any earlier GL error: a
# driver's complaint must not end a run, or the window. This is set before OpenGL.GL or OpenGL.raw is imported.
OpenGL.ERROR_CHECKING = False
