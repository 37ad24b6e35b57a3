"""Names the values of a pipeline file's passes: `blur.uniforms.u_gain` is the uniform `u_gain` of the pass `blur`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from texelscope.pipeline.errors import TexelscopeError, nearest

ValueTable = Literal["uniforms", "push", "defines", "specialization"]
TABLES: tuple[ValueTable, ...] = get_args(ValueTable)


@dataclass(frozen=True)
class ValueName:
    """Names one value: the pass, the table of the pass, and the name in the shader, as the file writes it."""

    of_pass: str
    table: ValueTable
    name: str

    @property
    def text(self) -> str:
        """The name as options have it: `PASS.TABLE.NAME`."""
        return f"{self.of_pass}.{self.table}.{self.name}"


def value_name(text: str, passes: Iterable[str]) -> ValueName:
    """Returns the value that a text names, of one of these `passes`, whose names may have dots.

    Raises TexelscopeError for a text that names no value.
    """
    known = tuple(passes)
    for of_pass in sorted(known, key=len, reverse=True):
        for table in TABLES:
            start = f"{of_pass}.{table}."
            if text.startswith(start) and len(text) > len(start):
                return ValueName(of_pass, table, text[len(start) :])
    of_pass, _, rest = text.partition(".")
    expected = f"PASS.TABLE.NAME, with a table of {', '.join(TABLES)}"
    if of_pass not in known and rest:
        raise TexelscopeError(f"--param {text}", expected, f"'{of_pass}', which is no pass", nearest(of_pass, known))
    raise TexelscopeError(f"--param {text}", expected, f"'{text}'", "For example blur.uniforms.u_gain=0.5.")
