"""Parts of a shader's text: loops and assignments, with their places."""

from __future__ import annotations

from dataclasses import dataclass

import tree_sitter

from pipeline.glsl.lines import Line


@dataclass(frozen=True)
class Loop:
    """A for loop: where its head is, and the text of its condition."""

    line: Line
    condition: str
    variable: str
    depth: int


@dataclass(frozen=True)
class Statement:
    """An assignment: the variable it changes, its operator (`=`, `+=` …), its text."""

    line: Line
    variable: str
    operator: str
    text: str
    depth: int
    value: tree_sitter.Node | None = None
