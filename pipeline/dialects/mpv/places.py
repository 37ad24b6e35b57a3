"""Lines of an mpv user shader, as errors name them."""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.errors import TexelscopeError


@dataclass(frozen=True)
class FileLine:
    """A line of a file, counted from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    def fault(self, expected: str, got: str, do_next: str) -> TexelscopeError:
        """The error that this line is the reason of."""
        return TexelscopeError(str(self), expected, got, do_next)
