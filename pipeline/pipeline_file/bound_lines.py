"""Finds the places of a pipeline file at which passes name what their shaders declare: samplers, uniforms, macros."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

# A pass and the name in its shader of a binding: the file and the number of the line, from 1.
BoundLines = Mapping[tuple[str, str], tuple[str, int]]

_NAME = r"""(?:"([^"\n]*)"|'([^'\n]*)'|([\w-]+))"""
_TABLE = re.compile(r"\s*\[\[?\s*([\w-]+)\s*(?:\.\s*([\w-]+))?")
_BOUND = ("textures", "buffers", "images", "uniforms")
# The tables of a pass whose keys are names in its shader.
KINDS = (*_BOUND, "push", "specialization", "defines")
_PASS_NAME = re.compile(rf"\s*name\s*=\s*{_NAME}")
_DOTTED = re.compile(rf"\s*({'|'.join(KINDS)})\s*\.\s*{_NAME}\s*[.=]")
_INLINE = re.compile(rf"\s*({'|'.join(KINDS)})\s*=\s*\{{")
_ENTRY = re.compile(rf"\s*{_NAME}\s*[.=]")
_INNER = re.compile(rf"{_NAME}\s*=")


@dataclass(frozen=True)
class NamedKey:
    """A key of a pass that is a name in its shader: in the table `kind`, on `line` (from 1).

    Its name is the letters of the text from `start` to the one before `stop`.
    """

    pass_name: str
    kind: str
    name: str
    line: int
    start: int
    stop: int


def named_keys(text: str) -> tuple[NamedKey, ...]:
    """Returns those keys in order, without ones of unknown form."""
    found: list[NamedKey] = []
    waiting: list[NamedKey] = []  # of a pass whose own name follows
    name, in_pass, kind, first = "", False, "", 0
    for number, line in enumerate(text.split("\n"), 1):
        if table := _TABLE.match(line):
            in_pass, kind = table[1] == "pass", table[2] if table[2] in KINDS else ""
            if table[2] is None:
                found += (replace(each, pass_name=name) for each in waiting)
                name, waiting = "", []
        elif in_pass and kind:
            if entry := _ENTRY.match(line):
                waiting.append(_key(entry, kind, number, 0, first))
        elif in_pass and (own := _PASS_NAME.match(line)):
            name = _key(own, "", number, 0).name
        elif in_pass and (dotted := _DOTTED.match(line)):
            waiting.append(_key(dotted, dotted[1], number, 1, first))
        elif in_pass and (inline := _INLINE.match(line)):
            waiting += (_key(each, inline[1], number, 0, first) for each in _INNER.finditer(line, inline.end()))
        first += len(line) + 1
    return (*found, *(replace(each, pass_name=name) for each in waiting))


def bound_lines(text: str, file: str) -> BoundLines:
    """Returns the line of each sampler, block, image and uniform of a pass, without bindings of unknown form."""
    keys = (each for each in named_keys(text) if each.kind in _BOUND)
    return MappingProxyType({(each.pass_name, each.name): (file, each.line) for each in keys})


def line_naming(text: str, name: str) -> int | None:
    """Returns the line on which a pipeline file gives a pass or a tensor that name; None where it does not."""
    for number, line in enumerate(text.split("\n"), 1):
        own = _PASS_NAME.match(line)
        if own is not None and _key(own, "", number, 0).name == name:
            return number
    return None


def _key(match: re.Match[str], kind: str, line: int, before: int, first: int = 0) -> NamedKey:
    """Returns the key whose name is in a match, behind so many other groups, on a line with the letter `first`."""
    group = next((each for each in range(before + 1, before + 4) if match[each] is not None), 0)
    start, stop = match.span(group)
    return NamedKey("", kind, match[group], line, first + start, first + stop)
