"""Locates lines of an mpv user shader for errors."""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.errors import TexelscopeError


@dataclass(frozen=True)
class FileLine:
    """Identifies a line of a file, counted from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    def fault(self, expected: str, got: str, do_next: str) -> TexelscopeError:
        """Returns an error caused by this line."""
        return TexelscopeError(str(self), expected, got, do_next)
