"""No read of a shipped shader that matches is called wrong, in the layout whose texels hold four elements."""

from __future__ import annotations

import math
import random

import moderngl
import pytest

from tests.gl.shipped_shaders import WITH_NODES, WITHOUT_CASES, Subject, onnx_subjects
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.read_trace.expected import ReadTrace

# ONNX makes its cases when they are first asked for: seconds, but minutes where others want the same cores.
pytestmark = pytest.mark.timeout(300)

ELEMENTS = 4


@pytest.fixture(scope="module")
def shipped(gl: moderngl.Context) -> dict[str, list[Subject]]:
    """By operator, in channel_tiles_rgba."""
    return onnx_subjects(limits_of(gl), lambda _: "channel_tiles_rgba")


def wrong_of(session: DebugSession, name: str, count: int = ELEMENTS) -> list[ReadTrace]:
    """The taps, of some elements of a pass, in which a read is wrong."""
    each = session.plan.find(name)
    assert each is not None
    size = math.prod(session.plan.textures[each.output].shape)
    chosen = random.Random(name).sample(range(size), min(size, count))
    recorded = [session.taps(each.name, element) for element in chosen]
    return [taps for taps in recorded if taps.unexpected() or any(taps.is_wrong(tap) for tap in taps.reads)]


@pytest.mark.parametrize("operator", [name for name in WITH_NODES if name not in WITHOUT_CASES])
def test_no_read_of_a_shipped_shader_that_matches_is_called_wrong(
    operator: str, shipped: dict[str, list[Subject]], gl: moderngl.Context
) -> None:
    matched = 0
    for subject in shipped[operator]:
        with subject.opened(gl) as session:
            session.run()
            report = session.compare(findings=False)
            for each in report.passes:
                if each.verdict == "match":
                    matched += 1
                    assert wrong_of(session, each.name) == [], f"{subject.title}, {each.name}"
    assert matched
