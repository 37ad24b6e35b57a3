"""The record of one place that breaks a rule of plain English."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

# A package's folder is the place where a person works, so offences are listed by it.
DEPTH = 2


@dataclass(frozen=True, order=True)
class Offence:
    """Where it stands, and what is wrong. `name` is the function, class, word or import in question."""

    file: str
    line: int
    rule: str
    name: str
    text: str

    @property
    def key(self) -> str:
        """The name in the list of exceptions, which does not change with the line."""
        return f"{self.file}: {self.name}"

    @property
    def folder(self) -> str:
        """The folder that it is listed under, such as `pipeline/repair`."""
        return "/".join(PurePosixPath(self.file).parent.parts[:DEPTH]) or "."

    def __str__(self) -> str:
        """One line that editors can jump to."""
        return f"{self.file}:{self.line}: {self.rule}: {self.name}: {self.text}"
