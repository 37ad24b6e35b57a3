"""The ranges that pyproject.toml gives to dependencies, and the exact sets that the tests run with, agree."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.pure.source_tree import text_of
from tools.pin_installed import HEADER, canonical

PYPROJECT = tomllib.loads(text_of(Path("pyproject.toml")))
NEWEST, OLDEST = "constraints.txt", "constraints-oldest.txt"
# What other programs in one environment with this one ask for, at the time of writing; `gradio` needs the two first.
NEIGHBOURS = {"pillow": "12.3.0", "numpy": "2.2.6", "psutil": "7.0.0"}


def ranges() -> dict[str, Requirement]:
    """Returns what an installed program asks for, the build backend and extras too, by canonical name."""
    project = PYPROJECT["project"]
    extras = [line for name, lines in project["optional-dependencies"].items() if name != "dev" for line in lines]
    requirements = map(Requirement, [*project["dependencies"], *extras, *PYPROJECT["build-system"]["requires"]])
    return {canonicalize_name(requirement.name): requirement for requirement in requirements}


def tools() -> set[str]:
    """Returns the canonical names of what the extra `dev` brings for itself."""
    lines = PYPROJECT["project"]["optional-dependencies"]["dev"]
    return {str(canonicalize_name(Requirement(line).name)) for line in lines} - {"texelscope"}


def pins(file: str) -> dict[str, Version]:
    """Returns the exact versions that a file of constraints holds."""
    first, *lines = text_of(Path(file)).splitlines()
    assert first == HEADER
    return {name: Version(version) for name, version in (line.split("==") for line in lines)}


def lowest(requirement: Requirement) -> Version:
    """Returns the lower bound of a range."""
    (version,) = (part.version for part in requirement.specifier if part.operator == ">=")
    return Version(version)


@pytest.mark.parametrize("name", ranges())
def test_a_range_has_two_ends_and_holds_both_tested_versions(name: str) -> None:
    requirement = ranges()[name]
    assert sorted(part.operator for part in requirement.specifier) == ["<", ">="]
    assert requirement.specifier.contains(pins(NEWEST)[name])
    assert requirement.specifier.contains(pins(OLDEST)[name])


@pytest.mark.parametrize("name", ranges())
def test_the_lowest_version_of_a_range_is_one_that_is_tested(name: str) -> None:
    advice = f"change the line of {name} in {OLDEST}, and run 'make oldest'"
    assert pins(OLDEST)[name] == lowest(ranges()[name]), advice


@pytest.mark.parametrize("file", [NEWEST, OLDEST])
def test_a_set_is_exact_for_what_is_asked_for_and_for_the_tools(file: str) -> None:
    assert {*ranges(), *tools()} <= pins(file).keys()
    assert list(pins(file)) == sorted(pins(file)), f"'make constraints' writes {file}"


def test_the_tools_are_the_same_in_both_sets() -> None:
    plain = tools() - set(ranges())
    assert {name: pins(OLDEST)[name] for name in plain} == {name: pins(NEWEST)[name] for name in plain}


@pytest.mark.parametrize(("name", "version"), NEIGHBOURS.items())
def test_versions_that_other_programs_need_are_allowed(name: str, version: str) -> None:
    assert name not in ranges() or ranges()[name].specifier.contains(version)


@pytest.mark.parametrize(("spelling", "name"), [("ml_dtypes", "ml-dtypes"), ("PyYAML", "pyyaml"), ("a.-_b", "a-b")])
def test_two_spellings_of_a_package_are_one(spelling: str, name: str) -> None:
    assert canonical(spelling) == name
