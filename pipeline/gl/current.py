"""A session's own GL context is current while the session works, whatever else was opened meanwhile.

GL calls go to the context that is current, not to the object they are written on: without this, two sessions with
contexts of their own would draw into each other's textures.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar


class OwnsContext(Protocol):
    """Something that works on a GL context of its own, or on one that its caller keeps current."""

    def make_current(self) -> None:
        """Makes its own context current, and leaves it so; does nothing for a context that came from outside."""


Owner = TypeVar("Owner", bound=OwnsContext)
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def on_its_context(
    method: Callable[Concatenate[Owner, Arguments], Result],
) -> Callable[Concatenate[Owner, Arguments], Result]:
    """Makes its owner's own context current before the method runs."""

    @functools.wraps(method)
    def with_context(owner: Owner, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        owner.make_current()
        return method(owner, *args, **kwargs)

    return with_context
