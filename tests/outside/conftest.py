"""A shader of somebody else's leaves no GL error behind either."""

from tests.gl.conftest import no_gl_error_is_left_behind

__all__ = ["no_gl_error_is_left_behind"]
