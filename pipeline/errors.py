"""What a user can cause, beside the base of all such errors, which stands with the layouts."""

from __future__ import annotations

from texelscope.layouts.errors import TexelscopeError, error_line, nearest
from texelscope.layouts.outside_text import one_line, printable, said_by

__all__ = [
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


class ShaderError(TexelscopeError):
    """A shader that the driver refused, with the place in the author's file."""

    def __init__(self, file: str, line: int, message: str, do_next: str = "The last good program stays.") -> None:
        self.file = file
        self.line = line
        self.message = one_line(message)
        super().__init__(f"{file}:{line}", "a shader that compiles", message, do_next)


class UnsupportedError(TexelscopeError):
    """Well-formed input that this program cannot run (an operator, a data type, a dynamic shape)."""


class UndeterminedError(TexelscopeError):
    """A pass whose inputs do not determine, by the model, what it has to make: it reads the wrong things."""


class CancelledError(BaseException):
    """Work that was given up because its caller asked for it.

    No Exception: what goes on after the fault of one node or one pass does not go on after this.
    """
