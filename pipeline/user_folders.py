"""Names the folders in which each system keeps a user's settings and logs.

Linux follows the XDG Base Directory Specification, which has relative paths ignored; macOS and Windows have folders of
their own for them.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

_NAME = "texelscope"


def settings_folder() -> Path:
    """Returns the folder of settings, which need not exist. Raises RuntimeError for a user without a home."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / _NAME
    if sys.platform == "win32":
        return _given("APPDATA", "AppData", "Roaming") / _NAME
    return _given("XDG_CONFIG_HOME", ".config") / _NAME


def log_folder() -> Path:
    """Returns the folder of logs, which need not exist. Raises RuntimeError for a user without a home."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Logs" / _NAME
    if sys.platform == "win32":
        return _given("LOCALAPPDATA", "AppData", "Local") / _NAME / "logs"
    return _given("XDG_STATE_HOME", ".local", "state") / _NAME


def _given(variable: str, *below_home: str) -> Path:
    given = Path(os.environ.get(variable) or "")
    return given if given.is_absolute() else Path.home().joinpath(*below_home)
