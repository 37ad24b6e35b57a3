"""Locates this copy of the program, a checkout or installed: its shaders, its examples and its command."""

from __future__ import annotations

import sys
from pathlib import Path

_SCRIPT, _COMMAND = "app.py", "texelscope"
_ROOT = Path(__file__).resolve().parent.parent


def shipped_beside(root: Path) -> Path:
    """Returns the folder of `shaders/` and `examples/` for packages that lie in `root`.

    In a checkout they lie beside the packages; a wheel keeps them in one package folder, because among everybody's
    packages their names would say nothing (see docs/decisions/one-folder-for-data.md).
    """
    installed = root / _COMMAND
    return installed if (installed / "shaders").is_dir() else root


SHIPPED = shipped_beside(_ROOT)


def command() -> str:
    """Returns what a person types to start this program: the checkout's script if they did so, else the command."""
    return _SCRIPT if Path(sys.argv[0]).name == _SCRIPT else _COMMAND
