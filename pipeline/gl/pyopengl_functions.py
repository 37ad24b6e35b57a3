"""Has PyOpenGL call the functions of a context's own library in place of those of the system's."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol


class FunctionAddresses(Protocol):
    """Gives the addresses of functions of OpenGL by name; 0 for an unknown one."""

    def address(self, name: str) -> int:
        """Returns the address of a function."""


@dataclass(frozen=True)
class _Library:
    """Stands for a shared library where PyOpenGL looks functions up."""

    functions: FunctionAddresses

    def FunctionType(self, result: Any, *arguments: Any) -> Callable[[tuple[str, Any]], Any]:  # noqa: N802 - PyOpenGL's
        """Returns what makes a function of a name and a library; it raises AttributeError if there is none."""

        def make(what: tuple[str, Any]) -> Any:
            address = self.functions.address(what[0])
            if not address:
                raise AttributeError(what[0])
            return ctypes.CFUNCTYPE(result, *arguments)(address)

        return make


def give_to_pyopengl(functions: FunctionAddresses) -> None:
    """Has PyOpenGL use these from now on; functions of its modules that are imported already stay as they are."""
    from OpenGL import platform

    platform.PLATFORM.GL = _Library(functions)
