"""A session's own GL context is current while the session works, whatever else was opened meanwhile.

GL calls go to the context that is current, not to the object they are written on: without this, two sessions with
contexts of their own would draw into each other's textures.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

import moderngl

from texelscope.pipeline.gl.context import headless_context


class OnContext:
    """Something that works on a GL context of its own, or on one that its caller keeps current."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._owns_context = False

    @property
    def context(self) -> moderngl.Context:
        """The GL context."""
        return self._context

    def own_context(self) -> None:
        """Makes the GL context its own: current whenever it works, released with it."""
        self._owns_context = True

    def make_current(self) -> None:
        """Makes its own GL context current, and leaves it so; one from outside is its owner's to keep current."""
        if self._owns_context:
            self._context.__enter__()  # type: ignore[no-untyped-call]  # leaving it would leave none current

    def release_context(self) -> None:
        """Releases the GL context if it is its own."""
        if self._owns_context:
            self._context.release()


Owner = TypeVar("Owner", bound=OnContext)
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def made_on(context: moderngl.Context | None, make: Callable[[moderngl.Context], Owner]) -> Owner:
    """What `make` makes on the context; without one on a new one, with no window, which is its own from then on."""
    if context is not None:
        return make(context)
    context = headless_context()
    try:
        made = make(context)
    except BaseException:
        context.release()
        raise
    made.own_context()
    return made


def on_its_context(
    method: Callable[Concatenate[Owner, Arguments], Result],
) -> Callable[Concatenate[Owner, Arguments], Result]:
    """Makes its owner's own context current before the method runs."""

    @functools.wraps(method)
    def with_context(owner: Owner, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        owner.make_current()
        return method(owner, *args, **kwargs)

    return with_context
