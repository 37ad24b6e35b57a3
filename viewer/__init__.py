"""The window shows panels around the live textures of a session."""

from __future__ import annotations

import pyglet

if __name__ == "viewer":
    from texelscope.former_names import keep

    keep(__name__)

# There is one window: a second, hidden one to share its objects with would cost another GL context at start.
pyglet.options.shadow_window = False
