"""The check that no test leaves a GL error behind."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest

from tests.gl.watched_contexts import WatchedContexts, make_current


@pytest.fixture(autouse=True)
def no_gl_error_is_left_behind(gl: moderngl.Context, watched_contexts: WatchedContexts) -> Iterator[None]:
    make_current(gl)
    yield
    errors = watched_contexts.take_errors()
    assert not errors, f"the test left GL errors behind: {', '.join(errors)}"
