"""The archive of sources: complete enough to build and install the program from it."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from tests.installed.conftest import lent
from texelscope.pipeline.commands.diff import MATCH

pytestmark = pytest.mark.timeout(600)


def test_the_program_installs_from_the_sources_alone_and_runs(sdist: Path, tmp_path: Path) -> None:
    environment = lent(tmp_path / "environment")
    environment.install(sdist)
    done = environment.run("texelscope", "diff", folder=tmp_path)
    assert done.returncode == MATCH, done.stderr
    assert "passes match" in done.stdout


def test_the_sources_hold_what_tests_them_and_nothing_of_this_machine(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = {"Makefile", "pyproject.toml", "constraints.txt", "constraints-oldest.txt", "tools/setup.sh", "app.py"}
    assert needed <= names
    assert "tests/conftest.py" in names
    assert [name for name in names if name.startswith((".venv", ".git/", "out/", ".ci/"))] == []
