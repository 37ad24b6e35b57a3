"""Tests the wheel's contents: the packages, data and documentation, whole, without files for building and testing."""

from __future__ import annotations

import re
import zipfile
from email import message_from_string
from email.message import Message
from pathlib import Path, PurePosixPath

import pytest

from tests.checkout import ROOT
from tests.pure.source_tree import LIBRARY

DATA = ("shaders", "examples", "docs")
# What pages of the documentation lead to: for readers who have the sources.
OF_THE_SOURCES = re.compile(r"^texelscope/(tests|benchmarks)/")
# A repository to copy: its tests and its oracle are what it is.
TEMPLATE = "examples/ci_template/"
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
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
    assert found == {path for path in below(folder) if not path.endswith(".py") or path.startswith(TEMPLATE)}


def test_the_pages_of_the_wheel_lead_to_files_of_the_wheel(held: set[str], wheel: Path) -> None:
    pages = {name for name in held if re.match(r"texelscope/(docs/)?[^/]*\.md$", name)}
    folders = {str(parent) for name in held for parent in PurePosixPath(name).parents}
    assert len(pages) > 30
    with zipfile.ZipFile(wheel) as archive:
        texts = {page: archive.read(page).decode("utf-8") for page in pages}
    targets = {(page, _resolved(page, link)) for page, text in texts.items() for link in LINK.findall(text)}
    lost = {(page, target) for page, target in targets if target not in held | folders}
    assert {(page, target) for page, target in lost if not OF_THE_SOURCES.match(target)} == set()


def _resolved(page: str, link: str) -> str:
    parts: list[str] = list(PurePosixPath(page).parent.parts)
    for part in PurePosixPath(link).parts:
        parts = parts[:-1] if part == ".." else [*parts, part]
    return "/".join(parts)


def test_a_type_checker_reads_the_package(held: set[str]) -> None:
    assert "texelscope/py.typed" in held


@pytest.fixture
def metadata(wheel: Path) -> Message:
    """The wheel's record of what it is."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return message_from_string(archive.read(name).decode("utf-8"))


def test_an_index_can_say_what_the_package_is(metadata: Message) -> None:
    assert metadata["License-Expression"] == "MIT"
    assert len(metadata["Keywords"].split(",")) > 4
    assert {f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13, 14)} <= {
        *metadata.get_all("Classifier", [])
    }


def test_the_long_description_shows_without_the_repository(metadata: Message) -> None:
    assert metadata["Description-Content-Type"] == "text/markdown"
    text = metadata.get_payload()
    assert isinstance(text, str)
    assert text.startswith("# Texelscope")
    assert LINK.findall(text) == []
