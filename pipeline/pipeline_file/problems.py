"""What is wrong with a pipeline file: all of it at once, each with file, table and key."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from texelscope.layouts.outside_text import first_of
from texelscope.pipeline.errors import TexelscopeError, error_line


@dataclass(frozen=True)
class Problem:
    """One thing to correct. `table` is written as in the file, with the entry's name: `[[pass]] 'down1'`."""

    file: str
    table: str
    key: str
    expected: str
    got: str
    do_next: str

    @property
    def who(self) -> str:
        """`pipeline.toml [[pass]] 'down1' output.layout`."""
        return " ".join(part for part in (self.file, self.table, self.key) if part)

    @property
    def text(self) -> str:
        """The problem as one line."""
        return error_line(self.who, self.expected, self.got, self.do_next)


class PipelineFileError(TexelscopeError):
    """Everything that is wrong with one file: `problems` in the file's order, `str()` a line for each of the first."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        first = problems[0]
        super().__init__(first.who, first.expected, first.got, first.do_next)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(first_of([problem.text for problem in self.problems], "problems"))


class Problems:
    """Collects the problems of one file while it is read."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._found: dict[Problem, None] = {}  # in order
        self._tables: list[str] = []

    def add(self, table: str, key: str, expected: str, got: str, do_next: str) -> None:
        """Notes a problem; reading goes on."""
        self._found.setdefault(Problem(self.file, table, key, expected, got, do_next))

    def add_error(self, table: str, key: str, error: TexelscopeError) -> None:
        """Notes what another part of the program refused, with its subject in front of what it got."""
        advice = "Change 'shape' of the [[input]]." if "--shape" in error.do_next else error.do_next
        self.add(table, key, error.expected, f"{error.got} ({error.who})", advice)

    def order_by(self, tables: Iterable[str]) -> None:
        """The tables as they follow each other in the file; problems are told in that order."""
        self._tables = list(tables)

    @property
    def count(self) -> int:
        """How many there are so far."""
        return len(self._found)

    def raise_any(self) -> None:
        """Raises PipelineFileError if there are any."""
        if self._found:
            place = {table: number for number, table in reversed(list(enumerate(self._tables)))}
            raise PipelineFileError(tuple(sorted(self._found, key=lambda found: place.get(found.table, -1))))
