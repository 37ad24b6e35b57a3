"""How else the lines of a pipeline file may say what a pass is given: layouts, storage, sampling, sizes in uniforms.

Text alone: whether a file reads so is asked of whoever plans it.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from texelscope import layouts
from texelscope.pipeline.pipeline_file.expressions import FUNCTIONS

# What stands in a line, and what may stand in its place.
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
# What is true or false in a line, and what a pass defines for its shader.
_SWITCH = re.compile(r"^(\s*(?:uniforms|defines)\.\w+\s*=\s*)(true|false)\b")
_OTHER = {"true": "false", "false": "true"}
_DEFINE = re.compile(r"\s*defines\.(\w+)\s*=")
# Functions of a texture that are taken for one another.
_ALIKE = ("grid", "size")


@dataclass(frozen=True)
class FileTable:
    """A table of a pipeline file: `input`, `constant` or `pass`, its name, and the numbers of its lines, from 1."""

    kind: str
    name: str
    lines: range


def blocks(lines: Sequence[str]) -> tuple[FileTable, ...]:
    """The tables of a file in its order, each with the tables that it holds."""
    starts = [(at, match[1]) for at, line in enumerate(lines, 1) if (match := _TABLE.match(line)) and not match[2]]
    found = []
    for (start, kind), (end, _) in itertools.pairwise([*starts, (len(lines) + 1, "")]):
        names = (match[1] for line in lines[start : end - 1] if (match := _NAME.match(line)))
        found.append(FileTable(kind, next(names, ""), range(start, end)))
    return tuple(found)


def stored_otherwise_in(lines: Sequence[str], name: str, constants: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Numbers of lines with what may stand there: how the pass of that name stores and samples, what is ordered how.

    `constants` are the names of those that it reads, which may have tables of their own.
    """
    for number in _of_pass(lines, name, constants):
        for old, new in _OTHERWISE:
            if (after := old.sub(new, lines[number - 1])) != lines[number - 1]:
                yield number, after


def laid_out_otherwise_in(lines: Sequence[str], name: str, constants: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The same with other layouts, those that the file has elsewhere first; what the pass makes stays as it is."""
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
    """Numbers of lines with what stands there and what may: what is true or false in a pass, the other way about.

    Behind them, in front of the line behind the pass's last one, where nothing stands: a define of each of the names
    `asked`, which its shader asks for and the pass does not define.
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
    """Numbers of a pass's lines with what may stand there in place of a size: of another of `tensors`, another part.

    `tensors` are the names that the pass may give to sizes: of what it binds and makes.
    """
    for each in blocks(lines):
        if each.kind == "pass" and each.name == name:
            for number in each.lines:
                line = lines[number - 1]
                for match in _SIZED.finditer(line):
                    for said in _sized(match, tensors):
                        yield number, line[: match.start()] + said + line[match.end() :]


def _sized(match: re.Match[str], tensors: Sequence[str]) -> Iterator[str]:
    """A size of other tensors, another part of it, and that of tiles for that of texels or the other way about."""
    function, tensor, part = match.groups()
    tail = f".{part}" if part else ""
    for other in ("nchw" if function == "shape" else "xy") if part else "":
        if other != part:
            yield f"{function}({tensor}).{other}"
    yield from (f"{function}({other}){tail}" for other in tensors if other != tensor)
    yield from (f"{other}({tensor}){tail}" for other in _ALIKE if function in _ALIKE and other != function)
