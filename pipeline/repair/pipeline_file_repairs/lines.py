"""Proposes other lines of a pipeline file for what a pass is given: layouts, storage, sampling, sizes in uniforms.

It works on text alone: the planner decides whether a file is valid with them.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from texelscope import layouts
from texelscope.pipeline.pipeline_file.expressions import FUNCTIONS

# A word of a line, and the words that may replace it.
_OTHERWISE = (
    (re.compile(r'(filter\s*=\s*)"nearest"'), r'\1"linear"'),
    (re.compile(r'(filter\s*=\s*)"linear"'), r'\1"nearest"'),
    (re.compile(r'(wrap\s*=\s*)"repeat"'), r'\1"clamp_to_edge"'),
    (re.compile(r'(wrap\s*=\s*)"clamp_to_edge"'), r'\1"repeat"'),
    (re.compile(r'\border\s*=\s*"\w+"\s*,\s*|,\s*order\s*=\s*"\w+"'), ""),
    (re.compile(r'\bdtype\s*=\s*"(?:float16|uint8)"\s*,\s*|,\s*dtype\s*=\s*"(?:float16|uint8)"'), ""),
    (re.compile(r'(^\s*dtype\s*=\s*)"(?:float16|uint8)"'), r'\1"float32"'),
)
_LAYOUT = re.compile(r'(\blayout\s*=\s*)"(\w+)"')
_TABLE = re.compile(r"\s*\[\[?\s*([\w-]+)\s*(\.)?")
_NAME = re.compile(r"""\s*name\s*=\s*["']([^"']+)["']""")
# An expression over sizes: a function of a tensor, and a component of it.
_SIZED = re.compile(rf'\b({"|".join(FUNCTIONS)})\(\s*([^()"\s]+)\s*\)(?:\.([xynchw])\b)?')
# A switch in a line of uniforms or defines.
_SWITCH = re.compile(r"^(\s*(?:uniforms|defines)\.\w+\s*=\s*)(true|false)\b")
_OTHER = {"true": "false", "false": "true"}
# A member of a block or a structure, in quotes.
_QUOTED_MEMBER = re.compile(r"""\s*uniforms\s*\.\s*["'][^"']*\.""")
_DEFINE = re.compile(r"\s*defines\.(\w+)\s*=")
# Functions of a texture that are confused with each other.
_ALIKE = ("grid", "size")


@dataclass(frozen=True)
class FileTable:
    """A table of a pipeline file has a kind (`input`, `constant` or `pass`), a name, and line numbers, from 1."""

    kind: str
    name: str
    lines: range


def blocks(lines: Sequence[str]) -> tuple[FileTable, ...]:
    """Returns the tables of a file in order, each with the tables inside it."""
    starts = [(at, match[1]) for at, line in enumerate(lines, 1) if (match := _TABLE.match(line)) and not match[2]]
    found = []
    for (start, kind), (end, _) in itertools.pairwise([*starts, (len(lines) + 1, "")]):
        names = (match[1] for line in lines[start : end - 1] if (match := _NAME.match(line)))
        found.append(FileTable(kind, next(names, ""), range(start, end)))
    return tuple(found)


def stored_otherwise_in(lines: Sequence[str], name: str, constants: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yields line numbers with new text: other storage, sampling and orders for the pass of that name.

    `constants` are the names of those that it reads, which may have tables of their own.
    """
    for number in _of_pass(lines, name, constants):
        for old, new in _OTHERWISE:
            if (after := old.sub(new, lines[number - 1])) != lines[number - 1]:
                yield number, after


def laid_out_otherwise_in(lines: Sequence[str], name: str, constants: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yields the same with other layouts, first those used elsewhere in the file; the pass's output stays as it is."""
    known = Counter(match[2] for line in lines for match in _LAYOUT.finditer(line))
    others = sorted(layouts.all_layouts(), key=lambda each: -known[each])
    for number in _of_pass(lines, name, constants):
        line = lines[number - 1]
        match = _LAYOUT.search(line)
        if match is not None and not line.lstrip().startswith("output"):
            for other in others:
                if other != match[2]:
                    yield number, line[: match.start()] + f'{match[1]}"{other}"' + line[match.end() :]


def _of_pass(lines: Sequence[str], name: str, constants: Sequence[str]) -> list[int]:
    own = [each for each in blocks(lines) if (each.kind == "pass" and each.name == name)
           or (each.kind == "constant" and each.name in constants)]  # fmt: skip
    return [number for each in own for number in each.lines]


def switched_otherwise_in(
    lines: Sequence[str], name: str, asked: Sequence[str]
) -> Iterator[tuple[int, str | None, str]]:
    """Yields line numbers with old and new text: switches of a pass negated.

    They are followed, after the pass's last line, by a define of each of the names `asked`, which its shader tests and
    the pass does not define.
    """
    own = next((each for each in blocks(lines) if each.kind == "pass" and each.name == name), None)
    if own is None:
        return
    said = {number: lines[number - 1] for number in own.lines if lines[number - 1].strip()}
    for number, line in said.items():
        if (match := _SWITCH.match(line)) is not None:
            yield number, line, f"{match[1]}{_OTHER[match[2]]}{line[match.end() :]}"
    known = {match[1] for line in said.values() if (match := _DEFINE.match(line))}
    if not any(_TABLE.match(line) for number, line in said.items() if number != own.lines[0]):
        yield from ((max(said) + 1, None, f"defines.{each} = true") for each in asked if each not in known)


def sized_otherwise_in(lines: Sequence[str], name: str, tensors: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yields line numbers of a pass with another size: of another of `tensors`, or another component.

    `tensors` are the names whose sizes the pass may use: of its inputs and outputs.
    """
    for each in blocks(lines):
        if each.kind == "pass" and each.name == name:
            for number in each.lines:
                line = lines[number - 1]
                for match in _SIZED.finditer(line):
                    for said in _sized(match, tensors):
                        yield number, line[: match.start()] + said + line[match.end() :]


def set_in(
    lines: Sequence[str], name: str, values: Sequence[tuple[str, str]]
) -> Iterator[list[tuple[int, str | None, str]]]:
    """Yields ways to add `values`, by key (`uniforms.params.bias`), to a pass: line numbers with old and new text.

    A member is written with dots, or in quotes where the file writes its members so; the other way comes second, as
    TOML refuses dots after an inline table of the same name.
    """
    own = next((each for each in blocks(lines) if each.kind == "pass" and each.name == name), None)
    if own is None:
        return
    is_quoted = any(_QUOTED_MEMBER.match(lines[number - 1]) for number in own.lines)
    for in_quotes in (is_quoted, not is_quoted):
        tables: dict[str, list[str]] = {}
        for key, text in values:
            table, _, inner = key.partition(".")
            is_plain = not in_quotes or "." not in inner or inner.startswith('"')
            written = inner if is_plain else f'"{inner}"'
            tables.setdefault(table, []).append(f"{written} = {text}")
        yield [edit for table, entries in tables.items() for edit in _added(lines, own, table, entries)]


def _added(
    lines: Sequence[str], own: FileTable, table: str, entries: Sequence[str]
) -> Iterator[tuple[int, str | None, str]]:
    """Yields the edits that add entries to a table of the pass: below `[pass.TABLE]`, in its braces, or dotted."""
    starts = [number for number in own.lines if number == own.lines[0] or _TABLE.match(lines[number - 1])]
    last_of = {}
    for start, end in itertools.pairwise([*starts, own.lines[-1] + 1]):
        said = [number for number in range(start, end) if lines[number - 1].split("#")[0].strip()]
        last_of[start] = said[-1] if said else start
    for start, last in last_of.items():
        if re.match(rf"\s*\[\s*pass\s*\.\s*{table}\s*\]", lines[start - 1]):
            yield from ((last + 1, None, f"{_indent(lines[last - 1])}{each}") for each in entries)
            return
    last = last_of[own.lines[0]]
    for number in range(own.lines[0], last + 1):
        line = lines[number - 1].rstrip("\r")
        if match := re.match(rf"(\s*{table}\s*=\s*\{{)(.*?)\s*\}}(\s*(?:#.*)?)$", line):
            held = [match[2].strip()] if match[2].strip() else []
            yield number, line, f"{match[1]} {', '.join([*held, *entries])} }}{match[3]}"
            return
    yield from ((last + 1, None, f"{_indent(lines[last - 1])}{table}.{each}") for each in entries)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())] if "=" in line else ""


def _sized(match: re.Match[str], tensors: Sequence[str]) -> Iterator[str]:
    """Yields sizes of other tensors, other components, and tiles in place of texels or the other way round."""
    function, tensor, part = match.groups()
    tail = f".{part}" if part else ""
    for other in ("nchw" if function == "shape" else "xy") if part else "":
        if other != part:
            yield f"{function}({tensor}).{other}"
    yield from (f"{function}({other}){tail}" for other in tensors if other != tensor)
    yield from (f"{other}({tensor}){tail}" for other in _ALIKE if function in _ALIKE and other != function)
