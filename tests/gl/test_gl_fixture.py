"""The GL tests' own ground: which driver they run on, and that an error cannot hide."""

from __future__ import annotations

import os

import moderngl
import pytest

from tests.gl.watched_contexts import WatchedContexts, off_screen_context

NO_SUCH_CAPABILITY = 0xDEAD


def test_the_tests_run_on_the_software_driver_unless_told_otherwise(gl: moderngl.Context) -> None:
    assert "llvmpipe" in gl.info["GL_RENDERER"] or os.environ["LIBGL_ALWAYS_SOFTWARE"] != "1"


def test_an_error_on_the_shared_context_is_seen(gl: moderngl.Context, watched_contexts: WatchedContexts) -> None:
    gl.enable_direct(NO_SUCH_CAPABILITY)
    assert watched_contexts.take_errors() == ["GL_INVALID_ENUM"]


def test_an_error_is_seen_once(gl: moderngl.Context, watched_contexts: WatchedContexts) -> None:
    gl.enable_direct(NO_SUCH_CAPABILITY)
    watched_contexts.take_errors()
    assert watched_contexts.take_errors() == []


def test_an_error_is_seen_on_a_context_of_the_tests_own(watched_contexts: WatchedContexts) -> None:
    context = off_screen_context()
    with context:
        context.enable_direct(NO_SUCH_CAPABILITY)
    assert watched_contexts.take_errors() == ["GL_INVALID_ENUM"]
    context.release()


def test_an_error_is_seen_on_a_context_that_is_gone(watched_contexts: WatchedContexts) -> None:
    context = off_screen_context()
    with context:
        context.enable_direct(NO_SUCH_CAPABILITY)
    context.release()
    assert watched_contexts.take_errors() == ["GL_INVALID_ENUM"]


def test_a_second_watch_which_would_take_errors_away_is_refused(watched_contexts: WatchedContexts) -> None:
    message = r"expected one watch at a time, got a second one.*Ask for the fixture watched_contexts"
    with pytest.raises(RuntimeError, match=message), WatchedContexts():
        pass


def test_the_shared_context_is_current_again_after_a_test_with_its_own(gl: moderngl.Context) -> None:
    texture = gl.texture((2, 1), 1, bytes(8), dtype="f4")
    assert texture.read() == bytes(8)
    texture.release()
