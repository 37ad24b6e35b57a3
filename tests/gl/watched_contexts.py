"""Collects the GL errors of every context, also of those that are made and released inside a test."""

from __future__ import annotations

import contextlib
from typing import Any, Self

import moderngl
import pytest

from texelscope.pipeline.gl.context import VERSIONS, headless_context

NO_ERROR = "GL_NO_ERROR"


# A separate name, because moderngl's stubs give `backend` a wrong type.
_OFF_SCREEN: dict[str, Any] = {"standalone": True, "backend": "egl"}


def off_screen_context() -> moderngl.Context:
    """Creates a context of the newest version that the product asks for: some drivers give just that version."""
    for version in VERSIONS:
        with contextlib.suppress(Exception):  # glcontext raises no narrower one
            return moderngl.create_context(**_OFF_SCREEN, require=version)
    return headless_context()  # of OpenGL ES


def make_current(context: moderngl.Context) -> None:
    """Make it current and leave it so; as a context manager it would leave no context current at all."""
    context.__enter__()  # type: ignore[no-untyped-call]


def error_of(context: moderngl.Context) -> str:
    """The context's error flag, which reading clears. The context is current afterwards.

    moderngl asks whichever context is current, and without one hears of no error.
    """
    make_current(context)
    return context.error


class WatchedContexts:
    """While entered, notes each context that moderngl creates; reads its error flag before its release.

    Only one may watch at a time: reading the flag clears it, so a second one would find nothing. Every context that is
    noted is kept until its release, so that none goes by itself, with an error that nobody has read.
    """

    def __init__(self) -> None:
        self._alive: list[moderngl.Context] = []
        self._errors: list[str] = []
        self._patch = pytest.MonkeyPatch()

    def __enter__(self) -> Self:
        create, release = moderngl.create_context, moderngl.Context.release
        if create.__module__ == __name__:
            raise RuntimeError(
                "GL contexts: expected one watch at a time, got a second one, and an error is read only once. "
                "Ask for the fixture watched_contexts of tests/conftest.py."
            )

        def create_and_note(*args: Any, **kwargs: Any) -> moderngl.Context:
            context = create(*args, **kwargs)
            self._alive.append(context)
            return context

        def look_and_release(context: moderngl.Context) -> None:
            if context in self._alive:
                self._alive.remove(context)
                self._note(error_of(context))
            release(context)

        self._patch.setattr(moderngl, "create_context", create_and_note)
        self._patch.setattr(moderngl.Context, "release", look_and_release)
        return self

    def __exit__(self, *exception: object) -> None:
        self._patch.undo()

    @property
    def alive(self) -> int:
        """Counts the contexts that were not released."""
        return len(self._alive)

    def take_errors(self) -> list[str]:
        """Names of the GL errors since the last call, such as GL_INVALID_VALUE."""
        for context in self._alive:
            self._note(error_of(context))
        errors, self._errors = self._errors, []
        return errors

    def _note(self, error: str) -> None:
        if error != NO_ERROR:
            self._errors.append(error)
