"""The context of the tests is current, and no test leaves a GL error behind."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest

from tests.gl.watched_contexts import WatchedContexts, make_current


@pytest.fixture(scope="module", autouse=True)
def gl_is_current(gl: moderngl.Context) -> None:
    """For what a module makes once, before its first test: the module before it may have left no context current."""
    make_current(gl)


@pytest.fixture(autouse=True)
def no_gl_error_is_left_behind(gl: moderngl.Context, watched_contexts: WatchedContexts) -> Iterator[None]:
    make_current(gl)
    yield
    errors = watched_contexts.take_errors()
    assert not errors, f"the test left GL errors behind: {', '.join(errors)}"
