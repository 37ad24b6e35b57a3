"""Other sizes of a pass: all axes at once, some up and some down, and one axis alone."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.graph import Node
from texelscope.pipeline.plan import Pass, ProgramSource
from texelscope.pipeline.resizing.axes import AxisGroup, Member
from texelscope.pipeline.resizing.other_sizes import other_sizes, sizes_alone
from texelscope.pipeline.resizing.subject import PassSubject

SHAPE = (2, 3, 8, 6)
GROUPS = tuple(AxisGroup(size, (Member("axis", "x", axis),)) for axis, size in enumerate(SHAPE))


def subject() -> PassSubject:
    program = ProgramSource("", ())
    shader_pass = Pass("y", "Neg", ("y",), (), program)
    node = Node("y", "Neg", ("x",), ("y",))
    values = {"x": np.zeros(SHAPE, np.float32)}
    return PassSubject("y", shader_pass, (node,), values, ("x",), {}, program, {}, {}, None, None)


def shapes(*, is_alone: bool, is_large: bool = False) -> list[tuple[int, ...]]:
    if is_alone:
        made = sizes_alone(subject(), GROUPS, lambda each: True, is_large=is_large)
    else:
        made = other_sizes(subject(), GROUPS, (), lambda each: True, is_large=is_large)
    return [each.subject.shape("x") for each in made]


def test_sizes_that_keep_remainders_grow_along_some_axes_and_shrink_along_others() -> None:
    """What is right for one proportion of height and width alone is found out."""
    assert shapes(is_alone=False)[:3] == [(4, 4, 16, 8), (2, 2, 8, 4), (6, 2, 24, 4)]


def test_one_axis_changes_alone_and_height_and_width_together() -> None:
    assert shapes(is_alone=True) == [(6, 3, 8, 6), (1, 3, 8, 6), (2, 7, 8, 6), (2, 2, 8, 6), (2, 3, 9, 7)]


def test_a_large_pass_is_tried_at_smaller_sizes_alone() -> None:
    assert shapes(is_alone=True, is_large=True) == [(1, 3, 8, 6), (2, 2, 8, 6), (2, 3, 7, 5)]
