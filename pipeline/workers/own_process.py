"""Starts Python processes of this very copy of the program, which a person never sees."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def own_environment() -> dict[str, str]:
    """Returns this process's environment, for another that finds this copy first and writes and reads UTF-8."""
    here = str(Path(__file__).parent.parent.parent)
    path = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"}


def own_command(module: str, *words: str) -> list[str]:
    """Returns the command line that runs a module of this copy."""
    return [sys.executable, "-P", "-m", module, *words]


def unseen() -> int:
    """Returns the flags of a process without a console window, which Windows opens for one that has none to inherit."""
    if sys.platform == "win32":
        return subprocess.CREATE_NO_WINDOW
    return 0
