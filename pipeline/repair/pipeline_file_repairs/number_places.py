"""Finds the numbers in the lines of a pipeline file that set uniforms, constants and defines of a pass. Text alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.repair.pipeline_file_repairs.lines import blocks

_TABLES = "uniforms|push|defines|specialization"
# The first line of an entry of these tables, up to the value; a table of a pass; the key of any entry.
_ENTRY = re.compile(rf"\s*({_TABLES})\s*[.=]")
_SUB_TABLE = re.compile(r"\s*\[\s*pass\s*\.\s*([\w-]+)")
_NUMBER = re.compile(r"(?<![\w.\-+])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
_KEY = re.compile(r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:\s*\.\s*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*\s*=(?!=)""")
# A value that is a number, or several in brackets, at the end of a line.
_VALUE = re.compile(r"(=\s*)([-+\d.][-+\d.eE]*|\[[-+\d.eE,\s]*\])(\s*(?:#.*)?)$")
_EXPRESSION = re.compile(r"""=\s*(["'][^"'\n]*\w\([^"'\n]*\)[^"'\n]*["'])\s*(?:#.*)?$""")
_QUOTED = re.compile(r"""\"[^"\n]*\"|'[^'\n]*'""")
# At most this many expressions take the place of each value.
_MOST_EXPRESSIONS = 12


@dataclass(frozen=True)
class NumberPlace:
    """A number in the line of that number, from 1: its columns, and the table of the pass that it belongs to."""

    line: int
    start: int
    stop: int
    table: str
    number: float


def number_places(lines: Sequence[str], name: str) -> list[NumberPlace]:
    """Returns the numbers that a pass gives its uniforms, push constants, constants and defines, in order."""
    found = []
    for line, table in _lines_of_values(lines, name):
        text = _values_alone(lines[line - 1])
        for match in _NUMBER.finditer(text):
            is_whole = match[0].lstrip("+-").isdigit()
            number = int(match[0]) if is_whole else float(match[0])
            found.append(NumberPlace(line, *match.span(), table, number))
    return found


def _lines_of_values(lines: Sequence[str], name: str) -> Iterator[tuple[int, str]]:
    """Yields the lines of a pass that belong to one of the tables, with the table's name."""
    own = next((each for each in blocks(lines) if each.kind == "pass" and each.name == name), None)
    table, below, depth = "", "", 0
    for number in own.lines if own is not None else ():
        text = _QUOTED.sub("", lines[number - 1]).split("#")[0]
        if not depth:
            if match := _SUB_TABLE.match(lines[number - 1]):
                below = match[1]
                continue
            entry = _ENTRY.match(lines[number - 1])
            table = below or (entry[1] if entry is not None else "")
        if table in _TABLES.split("|"):
            yield number, table
        depth = max(depth + sum(text.count(each) for each in "[{") - sum(text.count(each) for each in "]}"), 0)


def _values_alone(line: str) -> str:
    """Returns a line with blanks in place of keys, texts and a comment."""

    def blank(match: re.Match[str]) -> str:
        return " " * len(match[0])

    text = _QUOTED.sub(blank, _KEY.sub(blank, line))
    return text.split("#")[0]


def with_numbers(lines: Sequence[str], numbers: Mapping[NumberPlace, float]) -> list[tuple[int, str, str]]:
    """Returns the changed lines, by number, with old and new text; whole numbers stay whole."""
    found: dict[int, str] = {}
    for place in sorted(numbers, key=lambda each: (each.line, -each.start)):
        text = found.get(place.line, lines[place.line - 1].rstrip("\r"))
        found[place.line] = text[: place.start] + written(numbers[place]) + text[place.stop :]
    return [(line, lines[line - 1].rstrip("\r"), text) for line, text in sorted(found.items())]


def written(number: float) -> str:
    """Returns a number as TOML has it."""
    return str(number)


def expressions_in(lines: Sequence[str], name: str) -> Iterator[tuple[int, str, str]]:
    """Yields lines of a pass that give a uniform numbers, with an expression of the file in their place."""
    known = dict.fromkeys(match[1] for line in lines if (match := _EXPRESSION.search(line)))
    for number, table in _lines_of_values(lines, name):
        line = lines[number - 1].rstrip("\r")
        match = _VALUE.search(line)
        if match is not None and table in ("uniforms", "push"):
            for each in [*known][:_MOST_EXPRESSIONS]:
                yield number, line, f"{line[: match.start()]}{match[1]}{each}{match[3]}"
