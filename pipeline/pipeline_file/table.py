"""Reads one table of a TOML or JSON file key by key: problems are recorded, and reading goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from texelscope import layouts
from texelscope.layouts import Layout, LayoutError
from texelscope.layouts.outside_text import first_of
from texelscope.pipeline.errors import TexelscopeError, error_line, nearest
from texelscope.pipeline.graph import Shape


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
        """The place: `pipeline.toml [[pass]] 'down1' output.layout`."""
        return " ".join(part for part in (self.file, self.table, self.key) if part)

    @property
    def text(self) -> str:
        """The problem as one line."""
        return error_line(self.who, self.expected, self.got, self.do_next)


class PipelineFileError(TexelscopeError):
    """Reports all problems of one file: `problems` in the file's order, `str()` a line for each of the first."""

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
        """Records a problem; reading goes on."""
        self._found.setdefault(Problem(self.file, table, key, expected, got, do_next))

    def add_error(self, table: str, key: str, error: TexelscopeError) -> None:
        """Records an error of another part of the program, with its subject in front of what it got."""
        advice = "Change 'shape' of the [[input]]." if "--shape" in error.do_next else error.do_next
        self.add(table, key, error.expected, f"{error.got} ({error.who})", advice)

    def order_by(self, tables: Iterable[str]) -> None:
        """Sets the order of the tables in the file, by which problems are reported."""
        self._tables = list(tables)

    @property
    def count(self) -> int:
        """The number so far."""
        return len(self._found)

    def raise_any(self) -> None:
        """Raises PipelineFileError if there are any."""
        if self._found:
            place = {table: number for number, table in reversed(list(enumerate(self._tables)))}
            raise PipelineFileError(tuple(sorted(self._found, key=lambda found: place.get(found.table, -1))))


MAX_RANK = 8
# What stands in a drafted file where nobody knows the value yet, and what messages say of it.
UNKNOWN = "?"
NOT_FILLED_IN = "'?', which nobody has filled in yet"
# Letters of a wrong value that a message shows.
MOST_SHOWN = 120
_KINDS = {
    str: "a string",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    list: "an array",
    dict: "a table",
}


class Table:
    """Reads a table `values`, called `title` in messages; keys of an inner table get `prefix` in front."""

    def __init__(self, values: Mapping[str, Any], title: str, problems: Problems, prefix: str = "") -> None:
        self.values = values
        self.title = title
        self._problems = problems
        self._prefix = prefix

    def problem(self, key: str, expected: str, got: str, do_next: str) -> None:
        """Records a problem with the value of `key`."""
        self._problems.add(self.title, f"{self._prefix}{key}", expected, got, do_next)

    def check_keys(self, valid: Sequence[str]) -> None:
        """Records every key that is not among `valid`."""
        for key in self.values:
            if key not in valid:
                self.problem(key, "a known key", f"'{key}'", nearest(key, valid))

    def text(self, key: str, *, required: bool = False, described: str = "a string") -> str | None:
        """Returns a string that is not empty, `described` in messages; None if it is missing or something else."""
        value = self._get(key, (str,), described, required=required)
        if value == "":
            self.problem(key, "a string that is not empty", '""', "Fill it in or leave the key out.")
            return None
        return None if value is None else str(value)

    def texts(self, key: str) -> tuple[str, ...]:
        """Returns an array of strings that are not empty; an empty one if it is missing or something else."""
        value = self._get(key, (list,), "an array of strings", required=False) or []
        if not all(isinstance(each, str) and each for each in value):
            self.problem(key, "strings that are not empty", str(value), 'For example ["weight"].')
            return ()
        return tuple(value)

    def choice(self, key: str, choices: Sequence[str], default: str) -> str:
        """Returns one of `choices`; `default` if it is missing or wrong."""
        value = self.text(key)
        if value is not None and value not in choices:
            self.problem(key, f"one of {', '.join(choices)}", f"'{value}'", nearest(value, choices))
            return default
        return value or default

    def number(self, key: str) -> float | None:
        """Returns a number that is not negative; None if it is missing or something else."""
        value = self._get(key, (int, float), "a number", required=False)
        if value is None or value >= 0:
            return None if value is None else float(value)
        self.problem(key, "a number of 0 or more", str(value), "Correct it.")
        return None

    def whole(self, key: str, *, most: int = 1 << 31, required: bool = False) -> int | None:
        """Returns a whole number from 1 to `most`; None if it is missing or something else."""
        value = self._get(key, (int,), "a whole number", required=required)
        if value is not None and not 1 <= value <= most:
            self.problem(key, f"a whole number from 1 to {most}", str(value), "Correct it.")
            return None
        return None if value is None else int(value)

    def flag(self, key: str) -> bool | None:
        """Returns true or false; None if it is missing or something else."""
        value = self._get(key, (bool,), "true or false", required=False)
        return None if value is None else bool(value)

    def entry(self, values: Mapping[str, Any], title: str) -> Table:
        """Returns an entry of a list in the same file, called `title` in messages."""
        return Table(values, title, self._problems)

    def inner(self, values: Mapping[str, Any]) -> Table:
        """Returns a table of other values in the place of this one."""
        return Table(values, self.title, self._problems, self._prefix)

    def shape(self, key: str, *, required: bool = True) -> Shape | None:
        """Returns an array of positive whole numbers; None if it is missing or something else."""
        value = self._get(key, (list,), "an array of whole numbers", required=required)
        if value is None:
            return None
        whole = all(isinstance(size, int) and not isinstance(size, bool) and size > 0 for size in value)
        if not whole or len(value) > MAX_RANK:
            self.problem(key, f"up to {MAX_RANK} whole numbers above 0", str(value), "For example [1, 3, 64, 64].")
            return None
        return tuple(value)

    def layout(self, key: str, *, required: bool = True) -> Layout | None:
        """Reads a layout's name, or a table of its name and parameters; None if it is missing or something else."""
        value = self._get(key, (str, dict), "a layout's name or table", required=required)
        if value is None:
            return None
        parameters = {"name": value} if isinstance(value, str) else dict(value)
        name = parameters.pop("name", None)
        if not isinstance(name, str):
            self.problem(
                key, "a table with the layout's name", str(value), f"Valid: {', '.join(layouts.all_layouts())}."
            )
            return None
        try:
            return layouts.layout(name, **parameters)
        except LayoutError as error:
            self.problem(key, error.expected, error.got, error.do_next)
            return None

    def table(self, key: str, *, required: bool = False) -> Table | None:
        """Returns an inner table; None if it is missing or something else."""
        value = self._get(key, (dict,), "a table", required=required)
        return None if value is None else Table(value, self.title, self._problems, f"{self._prefix}{key}.")

    def tables(self, key: str, *, required: bool = False) -> list[Table] | None:
        """Returns a table, or an array of them, as `output` may be."""
        value = self._get(key, (dict, list), "a table, or an array of tables", required=required)
        if value is None:
            return None
        if isinstance(value, dict):
            return [Table(value, self.title, self._problems, f"{self._prefix}{key}.")]
        if not value or not all(isinstance(item, dict) for item in value):
            self.problem(key, "an array of tables", str(value), "One table for each colour attachment.")
            return None
        return [Table(item, self.title, self._problems, f"{self._prefix}{key}[{i}].") for i, item in enumerate(value)]

    def _get(self, key: str, kinds: tuple[type, ...], described: str, *, required: bool) -> Any:
        if key not in self.values:
            if required:
                self.problem(key, described, "nothing", f"Add '{self._prefix}{key} = …'.")
            return None
        value = self.values[key]
        if value == UNKNOWN:
            self.problem(key, described, NOT_FILLED_IN, "Put it there.")
            return None
        if isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool)):
            return value
        kind, shown = _KINDS.get(type(value), type(value).__name__), repr(value)
        shown = shown if len(shown) <= MOST_SHOWN else f"{shown[:MOST_SHOWN]}…"
        self.problem(key, described, f"{kind}, {shown}", "Change its type.")
        return None
