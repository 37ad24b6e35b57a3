"""Fetches array-api-strict from the index that pip is set up with, into a folder of the user's cache.

    python -m tests.array_api.fetch

The program does not need it, so that it is no dependency: `python -m tests.array_api` alone imports it from there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = "array-api-strict==2.6.1"


def folder() -> Path:
    """Returns its folder, by version."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "texelscope-array-api" / PACKAGE.replace("==", "-")


def fetch() -> Path:
    """Puts it there, whole or not at all; does nothing if it is there."""
    to = folder()
    if not to.is_dir():
        to.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=to.parent) as scratch:
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:"]
            subprocess.run([*command, "--target", f"{scratch}/package", PACKAGE], check=True)
            shutil.move(f"{scratch}/package", to)
    return to


if __name__ == "__main__":
    sys.stdout.write(f"{fetch()}\n")
