"""Swaps of lines that are too long to be written out again: a line by how it ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.faults.fresh.case import Swap

HERE = Path(__file__).parent


def line_that_ends(target: str, file: str, end: str) -> str:
    """The one line of a folder's file that ends so."""
    lines = (HERE / target / file).read_text(encoding="utf-8").splitlines()
    (line,) = [each for each in lines if each.endswith(end)]
    return line


def rewritten(target: str, file: str, end: str, how: Callable[[str], str]) -> Swap:
    """The line that ends so, as `how` makes it."""
    line = line_that_ends(target, file, end)
    return Swap(file, line, how(line))


def gone(target: str, file: str, end: str) -> Swap:
    """Removes the line that ends so."""
    line = line_that_ends(target, file, end)
    return Swap(file, f"{line}\n", "")
