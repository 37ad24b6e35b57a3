"""Values of a pipeline file as TOML writes them."""

from __future__ import annotations

import json

from texelscope.layouts import Layout
from texelscope.layouts.outside_text import encodable


def quoted(value: str) -> str:
    """A TOML basic string, what hides or turns letters as its number; JSON's escapes are among TOML's."""
    text = json.dumps(encodable(value), ensure_ascii=False)
    return text if text.isprintable() else "".join(map(_letter, text))


def _letter(letter: str) -> str:
    if letter.isprintable():
        return letter
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"


def layout_value(layout: Layout) -> str:
    """The layout's name, or a table with the parameters that are not the default ones."""
    if not layout.parameters:
        return quoted(layout.name)
    parameters = ", ".join(f"{name} = {json.dumps(value)}" for name, value in layout.parameters.items())
    return f"{{ name = {quoted(layout.name)}, {parameters} }}"
