"""Holds repairs as data: edits of an author's lines, tried on GL, with which a wrong pass becomes right."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class LineEdit:
    """Changes one line of a shader: `line` is its number (from 1) in `file`, before any edit.

    `before` and `after` are the whole line without its line end; None as `before` inserts a line before `line`, None
    as `after` removes the line.
    """

    file: str
    line: int
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Repair:
    """Edits that together make every counted element of the pass right, tried on the driver; nothing was saved.

    `diff` is the same as a unified diff of the files as their author has them, with paths relative to the target's
    folder. `elements` counts the right ones, on each of `inputs_tried` inputs and at `sizes_tried` sizes of the plan.
    `file` and `line` are those of the first edit.
    """

    edits: tuple[LineEdit, ...]
    diff: str
    elements: int
    inputs_tried: int
    sizes_tried: int = 1
    file: str = field(init=False)
    line: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "file", self.edits[0].file)
        object.__setattr__(self, "line", self.edits[0].line)
