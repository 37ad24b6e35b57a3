"""Defines the errors that a user can cause; their base class stands with the layouts."""

from __future__ import annotations

from texelscope.layouts.errors import TexelscopeError, error_line, nearest
from texelscope.layouts.outside_text import one_line, printable, said_by

__all__ = [
    "LAST_GOOD_STAYS",
    "CancelledError",
    "ShaderError",
    "TexelscopeError",
    "UndeterminedError",
    "UnsupportedError",
    "error_line",
    "nearest",
    "one_line",
    "printable",
    "said_by",
]


# What to do about an error in text: nothing, as long as another one runs.
LAST_GOOD_STAYS = "The last good program stays."


class ShaderError(TexelscopeError):
    """The driver refused a shader; the error names the place in the author's file."""

    def __init__(self, file: str, line: int, message: str, do_next: str = LAST_GOOD_STAYS) -> None:
        self.file = file
        self.line = line
        self.message = one_line(message)
        super().__init__(f"{file}:{line}", "a shader that compiles", message, do_next)


class UnsupportedError(TexelscopeError):
    """This program cannot run a well-formed input (an operator, a data type, a dynamic shape)."""


class UndeterminedError(TexelscopeError):
    """A pass's inputs do not determine, by the model, its output: it reads the wrong things."""


class CancelledError(BaseException):
    """The caller cancels the work.

    No Exception: code that goes on after the fault of one node or one pass does not go on after this.
    """
