"""Print the exact version of every package that this environment holds, as constraints for pip.

    python tools/pin_installed.py > constraints.txt

constraints.txt holds the set that the tests run with, and constraints-oldest.txt that with the lowest version of each
range in pyproject.toml.
"""

from __future__ import annotations

import re
from importlib.metadata import distributions

HEADER = "# Exact versions that the tests run with. Written by `make constraints`; do not edit."
# The program itself, and what belongs to the virtual environment instead of the program.
LEFT_OUT = {"texelscope", "pip", "setuptools", "wheel"}


def canonical(name: str) -> str:
    """Returns the form in which two spellings of one package name are equal (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def main() -> None:
    """Print the header and one `name==version` a line, sorted."""
    installed = {canonical(found.metadata["Name"]): found.version for found in distributions()}
    print(HEADER)
    for name in sorted(installed.keys() - LEFT_OUT):
        print(f"{name}=={installed[name]}")


if __name__ == "__main__":
    main()
