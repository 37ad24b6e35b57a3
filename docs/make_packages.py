"""Write docs/packages.md: every package from the ground up, with the first line of its docstring.

The order is that of tests/pure/floors.txt. Run it from the repository root, in a second:

    .venv/bin/python docs/make_packages.py
"""

from __future__ import annotations

import ast
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # `tests.pure` lies beside docs/, whatever folder this is run from

from tests.pure.packages import floors, modules  # noqa: E402
from tests.pure.source_tree import syntax_of  # noqa: E402

PAGE = ROOT / "docs" / "packages.md"
INTRODUCTION = """\
# Packages, from the ground up

Every package of the program, with the first line of its docstring. A package imports packages above it in this list
and none below it. Modules that lie directly in `pipeline/`, `viewer/` or `texelscope/` have rows of their own.

[ARCHITECTURE.md](../ARCHITECTURE.md) shows the same on one page. `docs/make_packages.py` writes this page; the order
stands in `tests/pure/floors.txt`."""
TITLES = {
    "layouts": "Layouts",
    "pipeline": "From a model to a report",
    "viewer": "The window",
    "texelscope": "The command",
    "app": "The checkout's own command",
}


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.relative_to(ROOT)}: {len(floors())} packages\n")


def page() -> str:
    """The text of the page: a table for each top folder."""
    tables = [table(top, list(nodes)) for top, nodes in itertools.groupby(floors(), top_folder)]
    return "\n\n".join([INTRODUCTION, *tables]) + "\n"


def top_folder(node: str) -> str:
    """The first part of a dotted name."""
    return node.partition(".")[0]


def table(top: str, nodes: list[str]) -> str:
    """A heading and one row for each package."""
    return "\n".join([f"## {TITLES[top]}", "", *rows(nodes)])


def rows(nodes: list[str]) -> Iterator[str]:
    """The lines of a table of packages."""
    yield "| package | what it holds |"
    yield "|---|---|"
    for node in nodes:
        yield f"| `{node}` | {first_line(node)} |"


def first_line(node: str) -> str:
    """The first line of a package's docstring."""
    return (ast.get_docstring(syntax_of(modules()[node])) or "").partition("\n")[0]


if __name__ == "__main__":
    main()
