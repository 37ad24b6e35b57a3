"""Lists the product's own files, found on disk: the same with and without git."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.checkout import ROOT

LIBRARY = ("layouts", "pipeline", "viewer", "texelscope")
CODE = (*LIBRARY, "app.py", "benchmarks", "docs", "examples", "tests", "tools")
# What a checkout does not hold: environments, caches, builds, the output of runs.
NOT_OURS = re.compile(r"^(\.(?!ci$|gitignore$).*|__pycache__|node_modules|build|out|.*\.egg-info)$")

# Files that tests feed to the program, some of them broken on purpose.
TEST_DATA = Path("tests", "data")


def files(suffixes: tuple[str, ...], *, below: tuple[str, ...] = ("",)) -> list[Path]:
    """Files with one of the suffixes ("" is a file without one), relative to the root, sorted."""
    return [path for path in _below(below) if path.suffix in suffixes]


@cache
def _below(tops: tuple[str, ...]) -> tuple[Path, ...]:
    ours = (path.relative_to(ROOT) for top in tops for path in _walk(ROOT / top))
    return tuple(sorted(path for path in ours if TEST_DATA not in path.parents))


def _walk(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif path.is_dir():
        for entry in path.iterdir():
            if not NOT_OURS.match(entry.name):
                yield from _walk(entry)


@cache
def text_of(path: Path) -> str:
    """The text of a file, whose path is relative to the root."""
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def syntax_of(path: Path) -> ast.Module:
    """Returns the syntax tree of a Python file."""
    return ast.parse(text_of(path), filename=str(path))
