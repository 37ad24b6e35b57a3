"""Writes values as TOML: texts, numbers, layouts, arrays and inline tables."""

from __future__ import annotations

import json
from typing import Any

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
    if layout.atlas:
        return value_text(layout.parameters)
    return value_text({"name": layout.name, **layout.parameters})


def value_text(value: Any) -> str:
    """Returns a text, a number, a flag, a layout, an array or an inline table. Numbers are finite."""
    if isinstance(value, Layout):
        return layout_value(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {value_text(each)}' for key, each in value.items())} }}"
    return str(value).lower() if isinstance(value, bool) else repr(value)
