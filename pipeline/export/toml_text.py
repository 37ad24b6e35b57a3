"""Values of a pipeline file as TOML writes them."""

from __future__ import annotations

import json

from layouts import Layout
from layouts.outside_text import encodable


def quoted(value: str) -> str:
    """A TOML basic string; JSON's escapes are among TOML's."""
    return json.dumps(encodable(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def layout_value(layout: Layout) -> str:
    """The layout's name, or a table with the parameters that are not the default ones."""
    if not layout.parameters:
        return quoted(layout.name)
    parameters = ", ".join(f"{name} = {json.dumps(value)}" for name, value in layout.parameters.items())
    return f"{{ name = {quoted(layout.name)}, {parameters} }}"
