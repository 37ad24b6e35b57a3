"""Print the pins of constraints.txt: every installed package that pyproject.toml does not pin itself."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import distributions
from pathlib import Path

HEADER = "# Packages that the pinned ones bring along. Written by `make constraints`; do not edit."
ENVIRONMENT = {"pip", "setuptools", "wheel"}  # part of the virtual environment, not of the program


def canonical(name: str) -> str:
    """Returns the form in which two spellings of one package name are equal (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned_directly(pyproject: Path) -> set[str]:
    """Returns names, canonical, of the project and of the dependencies that it pins."""
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    requirements = project["dependencies"] + [
        requirement for extra in project["optional-dependencies"].values() for requirement in extra
    ]
    return {canonical(requirement.split("==")[0]) for requirement in requirements} | {project["name"]}


def main() -> None:
    """Print the header and one `name==version` a line, sorted."""
    left_out = pinned_directly(Path("pyproject.toml")) | ENVIRONMENT
    installed = {canonical(found.metadata["Name"]): found.version for found in distributions()}
    print(HEADER)
    for name in sorted(installed.keys() - left_out):
        print(f"{name}=={installed[name]}")


if __name__ == "__main__":
    main()
