"""GPU time: what a query says, and that none is left when its pass is gone."""

from __future__ import annotations

import time
from itertools import count

import moderngl
import pytest

from tests.gl.gl import raw_gl
from texelscope.pipeline.gl.timers import PassTimers, TimeQuery
from texelscope.viewer.shell.probe import gl_objects


def _draw(gl: moderngl.Context) -> None:
    target = gl.simple_framebuffer((256, 256))
    target.clear(0.5)
    target.read()
    for each in (*target.color_attachments, target.depth_attachment, target):
        if each is not None:
            each.release()


def _queries() -> int:
    """How many are there."""
    return gl_objects(raw_gl.library())["queries"]


def test_a_query_tells_the_time_of_what_is_drawn_inside(gl: moderngl.Context) -> None:
    query, begun = TimeQuery(), time.perf_counter()
    for _ in range(2):  # llvmpipe's first drawing of a context has no start time
        with query:
            _draw(gl)
    assert 0 < query.elapsed_ns <= (time.perf_counter() - begun) * 1e9
    query.release()


def test_no_query_is_left_of_passes_that_are_gone(gl: moderngl.Context) -> None:
    before = _queries()
    timers = PassTimers(gl)
    for name in "abc":
        with timers.measure(name):
            _draw(gl)
    assert _queries() == before + 3
    timers.forget(["b"])
    assert _queries() == before + 2
    assert timers.milliseconds("b") is None
    assert timers.milliseconds("c")
    timers.release()
    assert _queries() == before


@pytest.mark.parametrize(("seconds", "told"), [(0.002, 2.0), (100_000.0, None)])
def test_more_time_than_has_gone_by_is_none(
    gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch, seconds: float, told: float | None
) -> None:
    monkeypatch.setattr(TimeQuery, "elapsed_ns", property(lambda _: round(seconds * 1e9)))
    timers, now = PassTimers(gl), count(start=10)
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(now)))
    with timers.measure("a"):
        pass
    assert timers.milliseconds("a") == told
    timers.release()
