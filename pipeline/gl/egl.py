"""GL contexts over EGL whose entry points are numbers that all of them share, so that none of them leaves any behind.

moderngl never lets go of the number of an entry point that a context gave it: some 900 objects, 39 KiB, for each
context that was ever made.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import glcontext


class SharedEntryPoints:
    """A context as moderngl takes one; equal addresses of functions are one object, whichever context gives them."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def load(self, name: str) -> int:
        """The address of a GL function; 0 where there is none of that name."""
        return _shared(self._context.load(name))

    def release(self) -> None:
        """Ends the context."""
        self._context.release()

    def __enter__(self) -> Any:
        return self._context.__enter__()

    def __exit__(self, *exception: object) -> Any:
        return self._context.__exit__(*exception)


def standalone(version: int, device: int) -> SharedEntryPoints:
    """A context without a window, of that version or newer, current from now on.

    Raises Exception, as glcontext does, if the machine gives none.
    """
    make = glcontext.get_backend_by_name("egl")
    return SharedEntryPoints(make(glversion=version, mode="standalone", device_index=device))


@cache
def _shared(address: int) -> int:
    return address
