"""The window: panels around the live textures of a session."""

from __future__ import annotations

import pyglet

if __name__ == "viewer":
    from texelscope.former_names import keep

    keep(__name__)

# There is one window: a second, hidden one to share its objects with would be a GL context more to wait for.
pyglet.options.shadow_window = False
