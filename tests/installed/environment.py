"""A virtual environment, and what a person in it types."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from tests.checkout import ROOT

# What a machine may need to reach its driver; nothing else of the caller's surroundings comes along.
KEPT = ("LIBGL_ALWAYS_SOFTWARE", "LD_LIBRARY_PATH")


@dataclass(frozen=True)
class Environment:
    """Manages the virtual environment in `folder`."""

    folder: Path

    @property
    def commands(self) -> Path:
        """The folder of its commands."""
        return self._path("scripts")

    @property
    def packages(self) -> Path:
        """The folder of its packages."""
        return self._path("purelib")

    @property
    def python(self) -> Path:
        """Returns its interpreter."""
        return self.commands / "python"

    def install(self, *words: object) -> None:
        """Installs a wheel, a folder or an archive of sources without fetching anything."""
        pip = (sys.executable, "-m", "pip", "--python", self.python)
        run(*pip, "install", "--quiet", "--no-deps", "--no-build-isolation", *words)

    def run(self, command: str, *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
        """Runs one of its commands in `folder`, which is the user's home as well, to its end."""
        return subprocess.run(
            [self.commands / command, *words],
            cwd=folder,
            env=self.surroundings(folder),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def surroundings(self, home: Path) -> dict[str, str]:
        """The environment variables of a user who has set none: no display, and no path to any checkout."""
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        return kept | {"PATH": f"{self.commands}{os.pathsep}{os.defpath}", "HOME": str(home), "LANG": "C.UTF-8"}

    def _path(self, kind: str) -> Path:
        return Path(sysconfig.get_path(kind, "venv", vars={"base": str(self.folder)}))


def run(*command: object, folder: Path = ROOT) -> None:
    """Runs a command in `folder`, which has to end well."""
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
