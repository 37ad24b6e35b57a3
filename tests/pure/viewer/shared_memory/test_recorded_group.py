"""Tests what is shown of a recorded work group: rows of an array, and who touched an element."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.pipeline.read_trace.recording import ReadSite
from texelscope.pipeline.read_trace.shared_contents import SharedVariable
from texelscope.pipeline.read_trace.shared_memory import RecordedSharedMemory, SharedAccess, SharedPhase
from texelscope.viewer.shared_memory.model.recorded_group import (
    RecordedGroup,
    access_lines,
    has_shared_memory,
    row_length,
)

LINE = SharedVariable("line", "float", 1)
TILE = SharedVariable("tile", "vec2", 2)
SITE = ReadSite("a.comp", 7, "line[i]")


def recorded(*accesses: SharedAccess) -> RecordedGroup:
    contents = {"line": np.zeros((48, 1), np.float32), "tile": np.zeros((3, 5, 2), np.float32)}
    phases = (SharedPhase(accesses, contents, SITE), SharedPhase((), {}, None))
    memory = RecordedSharedMemory((0, 0, 0), (8, 2, 1), 9, (LINE, TILE), phases, ())
    return RecordedGroup(of=("y", 0), memory=memory, invocation=9)


@pytest.mark.parametrize(
    ("count", "size", "row"), [(100, (8, 8, 1), 10), (48, (8, 2, 1), 8), (50, (8, 1, 1), 16), (7, (1, 1, 1), 16)]
)
def test_a_row_is_the_side_of_a_square_the_groups_width_or_16(count: int, size: tuple[int, int, int], row: int) -> None:
    assert row_length(count, size) == row


def test_rows_follow_the_axes_or_what_was_chosen() -> None:
    group = recorded()
    assert group.extents(LINE, 48) == (6, 8)
    assert group.extents(TILE, 15) == (3, 5)
    group.row_lengths["line"] = 7
    assert group.extents(LINE, 48) == (7, 7)


def test_phases_end_at_the_last_one() -> None:
    group = recorded()
    group.go_to(9)
    assert (group.phase, group.shown) == (1, group.memory.phases[1] if group.memory else None)
    group.go_to(-3)
    assert group.phase == 0


def test_who_touched_an_element_is_said_once_a_line() -> None:
    other = ReadSite("b.glsl", 3, "line[j]")
    accesses = (
        SharedAccess("line", 4, 9, True, SITE),
        SharedAccess("line", 4, 2, False, other),
        SharedAccess("line", 4, 3, False, other),
        SharedAccess("line", 5, 9, True, SITE),
    )
    group = recorded(*accesses)
    assert group.memory is not None
    assert access_lines(group.memory, accesses, "line", 4) == (
        "written by (1, 1) #9, a.comp:7",
        "read by (2, 0) #2 and one other, b.glsl:3",
    )
    assert [each.element for each in group.own()] == [4, 5]


@pytest.mark.parametrize(
    ("text", "has"),
    [("shared float a[4];\n", True), ("  shared vec4 b;\n", True), ("// shared float a;\nfloat b;\n", False)],
)
def test_shared_memory_is_told_by_its_declarations(text: str, *, has: bool) -> None:
    assert has_shared_memory(text) is has
