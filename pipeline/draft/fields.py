"""Describes a drafted pipeline file as data: tables of fields, each with its value and how certain that is."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.pipeline_file.table import UNKNOWN


class Certainty(Enum):
    """Says where a drafted value comes from."""

    # The shader, the model or the command line says so.
    STATED = auto()
    # It is likely, for the field's reason.
    GUESSED = auto()
    # Nothing says it: a person has to fill it in.
    ASKED = auto()


@dataclass(frozen=True)
class Field:
    """One line of a drafted file: a key with its value as TOML has it, and the reason of a guess.

    Of a field that is asked for, `value` is `UNKNOWN`, and the reason says what is expected there. Until it is filled
    in, it is left out, or names `stand_in`, a table that is added to the file.
    """

    key: str
    value: Any
    certainty: Certainty = Certainty.STATED
    reason: str = ""
    stand_in: DraftTable | None = None


def guessed(key: str, value: Any, reason: str) -> Field:
    """Returns a field with a likely value."""
    return Field(key, value, Certainty.GUESSED, reason)


def asked(key: str, expected: str, stand_in: DraftTable | None = None) -> Field:
    """Returns a field whose value nothing says."""
    return Field(key, UNKNOWN, Certainty.ASKED, expected, stand_in)


@dataclass(frozen=True)
class DraftTable:
    """A table of a drafted file: `kind` is `pipeline`, `input`, `constant` or `pass`."""

    kind: str
    fields: tuple[Field, ...]

    @property
    def name(self) -> str:
        """The name that the table gives itself."""
        return next((str(each.value) for each in self.fields if each.key == "name"), "")

    def field(self, key: str) -> Field | None:
        """Returns the field of that key."""
        return next((each for each in self.fields if each.key == key), None)

    def with_field(self, field: Field) -> DraftTable:
        """Returns the table with a field in place of the one of its key, or behind the others."""
        if self.field(field.key) is None:
            return DraftTable(self.kind, (*self.fields, field))
        return DraftTable(self.kind, tuple(field if each.key == field.key else each for each in self.fields))


@dataclass(frozen=True)
class DraftFile:
    """Holds the tables of a drafted pipeline file, in order, the one of the pipeline first."""

    tables: tuple[DraftTable, ...]

    def of_kind(self, kind: str) -> tuple[DraftTable, ...]:
        """Returns the tables of a kind."""
        return tuple(each for each in self.tables if each.kind == kind)

    def with_values(self, values: Mapping[str, str]) -> DraftFile:
        """Returns the draft with values that a person gives, each by `TABLE.KEY`, such as `blur.uniforms.u_gain`.

        A value is TOML, or else a plain text. A key that the table does not have is added to it. Raises
        TexelscopeError for a table that the draft does not have.
        """
        tables = {each.name if each.kind != "pipeline" else each.kind: each for each in self.tables}
        for name, text in values.items():
            table, _, key = name.partition(".")
            if table not in tables or not key:
                example = f"For example {next(reversed(tables))}.output.shape=[1,3,64,64]."
                raise TexelscopeError(
                    f"--param {name}", f"TABLE.KEY, with a table of {', '.join(tables)}", f"'{name}'", example
                )
            tables[table] = tables[table].with_field(Field(key, typed_value(text)))
        return DraftFile(tuple(tables.values()))

    def runnable(self) -> DraftFile:
        """Returns the draft without the fields that have to be asked, or with what stands in for them."""
        added = [each.stand_in for table in self.tables for each in table.fields if each.stand_in is not None]
        tables = [DraftTable(table.kind, tuple(_answered(table.fields))) for table in self.tables]
        first_pass = next((at for at, table in enumerate(tables) if table.kind == "pass"), len(tables))
        return DraftFile((*tables[:first_pass], *added, *tables[first_pass:]))

    def up_to(self, name: str) -> DraftFile:
        """Returns the draft without the passes behind the one of that name."""
        names = [each.name for each in self.of_kind("pass")]
        left_out = names[names.index(name) + 1 :]
        return DraftFile(tuple(each for each in self.tables if each.kind != "pass" or each.name not in left_out))

    def count(self, certainty: Certainty) -> int:
        """Counts the fields of a certainty."""
        return sum(each.certainty is certainty for table in self.tables for each in table.fields)


def _answered(fields: tuple[Field, ...]) -> Iterator[Field]:
    for each in fields:
        if each.certainty is not Certainty.ASKED:
            yield each
        elif each.stand_in is not None:
            yield guessed(each.key, each.stand_in.name, "noise stands in for it")


def field_parts(name: str) -> tuple[str, str, str]:
    """Returns table, kind and rest of a field's name: `blur`, `uniforms` and `u_light.gain` of their joined names."""
    table, _, key = name.partition(".")
    kind, _, rest = key.partition(".")
    return table, kind, rest


def typed_value(text: str) -> Any:
    """Returns what a person typed as TOML has it: a number, an array, a table; else the plain text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, KeyError):
        return text.strip()
