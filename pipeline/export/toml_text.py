"""Formats values of a pipeline file as TOML."""

from __future__ import annotations

import json

from texelscope.layouts import Layout
from texelscope.layouts.outside_text import encodable


def quoted(value: str) -> str:
    """Returns a TOML basic string; characters that hide or reverse text are escaped as in JSON, which TOML allows."""
    text = json.dumps(encodable(value), ensure_ascii=False)
    return text if text.isprintable() else "".join(map(_letter, text))


def _letter(letter: str) -> str:
    if letter.isprintable():
        return letter
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"


def layout_value(layout: Layout) -> str:
    """Returns the layout's name, or a table with the parameters that differ from their defaults."""
    if not layout.parameters:
        return quoted(layout.name)
    parameters = ", ".join(f"{name} = {json.dumps(value)}" for name, value in layout.parameters.items())
    return f"{{ name = {quoted(layout.name)}, {parameters} }}"
