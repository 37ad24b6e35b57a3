"""The wheel, and an environment that it is installed into.

`make test` looks into the wheel alone. `make installed` gives the environment nothing: pip builds the program and
fetches what it needs, as it does for a user. `pytest tests/installed` lends it the packages that the tests run with,
and fetches nothing.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.installed.environment import Environment, run


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--empty-environment", action="store_true", help="install with pip alone, dependencies fetched")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the wheel of this checkout."""
    return _built("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the archive of this checkout's sources."""
    return _built("sdist", tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="session")
def installed(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the program in it, and folders to work in that are nobody's checkout."""
    if request.config.getoption("--empty-environment", default=False):
        environment = Environment(tmp_path_factory.mktemp("installed"))
        venv.create(environment.folder, with_pip=True, symlinks=os.name == "posix")
        run(environment.python, "-m", "pip", "install", "--quiet", ROOT)
        return environment
    environment = lent(tmp_path_factory.mktemp("installed"))
    environment.install(wheel)
    return environment


def lent(folder: Path) -> Environment:
    """Returns a new environment in `folder` that sees the packages of the tests, but not this checkout."""
    environment = Environment(folder)
    venv.create(environment.folder, symlinks=os.name == "posix")
    # A path file lends the packages, but not what the path files among them add: this checkout.
    (environment.packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return environment


def _built(target: str, folder: Path) -> Path:
    run(sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", folder)
    (built,) = folder.iterdir()
    return built
