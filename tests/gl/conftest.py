"""An off-screen GL context for the tests, and the check that no test leaves a GL error behind."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest

from tests.gl.watched_contexts import OFF_SCREEN, WatchedContexts, make_current


@pytest.fixture(scope="session")
def watched_contexts() -> Iterator[WatchedContexts]:
    """Knows every context that a test makes, its own or a session's."""
    with WatchedContexts() as watched:
        yield watched


@pytest.fixture(scope="session")
def gl(watched_contexts: WatchedContexts) -> moderngl.Context:
    """The context that tests share. It is current when a test starts."""
    return moderngl.create_context(**OFF_SCREEN)


@pytest.fixture(autouse=True)
def _no_gl_error_is_left_behind(gl: moderngl.Context, watched_contexts: WatchedContexts) -> Iterator[None]:
    make_current(gl)
    yield
    errors = watched_contexts.take_errors()
    assert not errors, f"the test left GL errors behind: {', '.join(errors)}"
