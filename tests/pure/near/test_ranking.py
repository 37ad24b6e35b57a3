"""The order of test modules: changed ones, those of a changed module, checks of the tree, users, neighbours, others."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.near.ranking import Nearness, rank

CHANGED = ("pipeline/read_trace/recorder.py", "tests/pure/read_trace/test_changed.py")
STEPS: Mapping[str, int] = {
    "pipeline/read_trace/recorder.py": 0,
    "tests/pure/read_trace/test_changed.py": 0,
    "tests/gl/read_trace/test_recorder.py": 2,
    "tests/gl/viewer/test_direct.py": 2,
    "tests/gl/viewer/test_farther.py": 4,
    "tests/gl/viewer/test_farther_and_long.py": 4,
    "tests/gl/viewer/test_farthest.py": 6,
}
SECONDS: Mapping[str, float] = {
    **dict.fromkeys(STEPS, 1.0),
    "tests/gl/viewer/test_farther_and_long.py": 9.0,
    "tests/gl/read_trace/test_neighbour.py": 1.0,
    "tests/pure/test_every_page.py": 1.0,
    "tests/gl/export/test_unrelated.py": 1.0,
}


def test_the_nearest_come_first_and_short_ones_before_long_ones() -> None:
    ranked = rank(CHANGED, STEPS, SECONDS)
    assert [(each.file, each.nearness) for each in ranked] == [
        ("tests/pure/read_trace/test_changed.py", Nearness.CHANGED),
        ("tests/gl/read_trace/test_recorder.py", Nearness.OF_THE_MODULE),
        ("tests/pure/test_every_page.py", Nearness.CROSS_CUTTING),
        ("tests/gl/viewer/test_direct.py", Nearness.DIRECT),
        ("tests/gl/read_trace/test_neighbour.py", Nearness.SAME_FOLDER),
        ("tests/gl/viewer/test_farther.py", Nearness.FARTHER),
        ("tests/gl/viewer/test_farther_and_long.py", Nearness.FARTHER),
        ("tests/gl/viewer/test_farthest.py", Nearness.FARTHER),
    ]


@pytest.mark.parametrize(
    ("changed", "test"),
    [
        ("pipeline/oracle/fast/convolutions.py", "tests/pure/oracle/test_convolutions.py"),
        ("viewer/stepping/stepping.py", "tests/pure/viewer/stepping/test_stepping.py"),
        ("layouts/registry.py", "tests/pure/layouts/test_registry.py"),
        ("shaders/operators/conv.glsl", "tests/gl/operators/test_conv.py"),
        ("pipeline/deadline.py", "tests/pure/test_deadline.py"),
        ("texelscope/pipeline/deadline.py", "tests/pure/pipeline/test_deadline.py"),
    ],
)
def test_a_test_is_of_a_module_by_its_path(changed: str, test: str) -> None:
    (ranked,) = rank([changed], {}, {test: 1.0})
    assert ranked.nearness is Nearness.OF_THE_MODULE


def test_a_changed_test_of_the_whole_tree_is_a_changed_test() -> None:
    (ranked,) = rank(["tests/pure/test_every_page.py"], {}, {"tests/pure/test_every_page.py": 1.0})
    assert ranked.nearness is Nearness.CHANGED
