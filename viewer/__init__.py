"""The window shows panels around the live textures of a session."""

from __future__ import annotations

import pyglet

# There is one window: a second, hidden one to share its objects with would cost another GL context at start.
pyglet.options.shadow_window = False
