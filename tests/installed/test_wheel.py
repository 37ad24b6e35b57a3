"""Tests the wheel's contents: the packages and one folder of data, whole, without files for building and testing."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.pure.source_tree import LIBRARY

DATA = ("shaders", "examples")
COMPILED = re.compile(r"__pycache__|\.pyc$")


@pytest.fixture
def held(wheel: Path) -> set[str]:
    """Paths in the wheel, without its own records."""
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def below(top: str) -> set[str]:
    """Returns files of the checkout below one of its folders, relative to the root."""
    found = (path.relative_to(ROOT).as_posix() for path in (ROOT / top).rglob("*") if path.is_file())
    return {path for path in found if not COMPILED.search(path)}


def in_wheel(path: str) -> str:
    """Where a file of the checkout lies in the wheel: everything is inside the one package."""
    return path if path.startswith("texelscope/") else f"texelscope/{path}"


def test_one_name_is_importable_and_nothing_else_is(held: set[str]) -> None:
    assert {name.split("/")[0] for name in held} == {"texelscope"}


@pytest.mark.parametrize("package", LIBRARY)
def test_a_package_is_whole(held: set[str], package: str) -> None:
    assert below(package)
    assert {in_wheel(path) for path in below(package)} - held == set()


@pytest.mark.parametrize("folder", DATA)
def test_data_lies_in_the_package_whole_but_for_what_it_was_made_with(held: set[str], folder: str) -> None:
    found = {name.removeprefix("texelscope/") for name in held if name.startswith(f"texelscope/{folder}/")}
    assert found
    assert found == {path for path in below(folder) if not path.endswith(".py")}
