"""The context of the tests is current, and no test leaves a GL error behind."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import moderngl
import pytest

from tests.gl.watched_contexts import WatchedContexts, make_current
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.gl.state import clear_errors
from texelscope.pipeline.read_trace import recorder as reads
from texelscope.pipeline.step_trace import recorder as steps


@pytest.fixture(scope="module", autouse=True)
def what_went_before_is_gone(gl: moderngl.Context) -> None:
    """Collects the garbage of other modules here, not in the middle of a test.

    What they keep, syntax trees above all, is frozen: walking it again before each module took half of all time.
    """
    gc.collect()
    gc.freeze()
    make_current(gl)
    clear_errors(gl)


@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest) -> None:
    """Restores the context for shared fixtures: earlier tests may have left none current."""
    if "gl" in fixturedef.argnames:
        make_current(request.getfixturevalue("gl"))


@pytest.fixture
def compute(gl: moderngl.Context) -> None:
    """Skips a test of dispatches where the driver has none."""
    if limits_of(gl).work_groups is None:
        pytest.skip("the driver has no compute shaders")


@pytest.fixture(params=["logged in a buffer", "logged in colours"])
def both_logs(request: pytest.FixtureRequest, gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records reads and steps as drivers with storage buffers do, and then as those without."""
    is_colours = request.param == "logged in colours"
    if not is_colours and not reads.has_buffers(gl):
        pytest.skip("the driver has no storage buffers")
    for module in (reads, steps) if is_colours else ():
        monkeypatch.setattr(module, "has_buffers", lambda context: False)


@pytest.fixture(autouse=True)
def no_gl_error_is_left_behind(gl: moderngl.Context, watched_contexts: WatchedContexts) -> Iterator[None]:
    make_current(gl)
    yield
    errors = watched_contexts.take_errors()
    make_current(gl)  # for what fixtures of several tests release after this one: a name means another object elsewhere
    assert not errors, f"the test left GL errors behind: {', '.join(errors)}"
