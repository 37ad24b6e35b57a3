"""Locates this copy of the program, a checkout or installed: its shaders, its examples and its command."""

from __future__ import annotations

import sys
from pathlib import Path

_SCRIPT, _COMMAND = "app.py", "texelscope"
# The folder that holds `pipeline/`, `shaders/` and `examples/`: the checkout, or the installed package
# (see docs/decisions/one-importable-name.md).
SHIPPED = Path(__file__).resolve().parent.parent


def command() -> str:
    """Returns what a person types to start this program: the checkout's script if they did so, else the command."""
    return _SCRIPT if Path(sys.argv[0]).name == _SCRIPT else _COMMAND
