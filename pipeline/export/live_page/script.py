"""Joins the files of the page's script in the order in which each uses those before it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_TEMPLATES = Path(__file__).parent / "templates"
_FILES = (
    "packed", "numbers", "elements", "textures", "rules", "picture", "outputs", "reads", "trace", "step_tables",
    "stepper", "inspector", "report",
)  # fmt: skip


@cache
def script_text() -> str:
    """Returns the script of the page."""
    return "\n".join((_TEMPLATES / f"{name}.js").read_text(encoding="utf-8") for name in _FILES)
