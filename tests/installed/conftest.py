"""The wheel, and an environment that it is installed into.

`make test` looks into the wheel alone. `make installed` gives the environment nothing: pip builds the program and
fetches what it needs, as it does for a user. `pytest tests/installed` lends it the packages that the tests run with,
and fetches nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.installed.environment import Environment


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--empty-environment", action="store_true", help="install with pip alone, dependencies fetched")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    _run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def installed(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the program in it, and folders to work in that are nobody's checkout."""
    environment = Environment(tmp_path_factory.mktemp("installed"))
    is_empty = request.config.getoption("--empty-environment", default=False)
    venv.create(environment.folder, with_pip=is_empty, symlinks=os.name == "posix")
    if is_empty:
        _run(environment.python, "-m", "pip", "install", "--quiet", ROOT)
    else:
        # A path file lends the packages, but not what the path files among them add: this checkout.
        (environment.packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        _run(sys.executable, "-m", "pip", "--python", environment.python, "install", "--quiet", "--no-deps", wheel)
    return environment


def _run(*command: object) -> None:
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
