"""Finds the lines of a pipeline file on which passes bind their samplers, blocks, images and uniforms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

# A pass and the name in its shader of a binding: the file and the number of the line, from 1.
BoundLines = Mapping[tuple[str, str], tuple[str, int]]

_NAME = r"""(?:"([^"\n]*)"|'([^'\n]*)'|([\w-]+))"""
_TABLE = re.compile(r"\s*\[\[?\s*([\w-]+)\s*(?:\.\s*([\w-]+))?")
_KINDS = ("textures", "buffers", "images", "uniforms")
_PASS_NAME = re.compile(rf"\s*name\s*=\s*{_NAME}")
_DOTTED = re.compile(rf"\s*(?:textures|buffers|images|uniforms)\s*\.\s*{_NAME}\s*[.=]")
_INLINE = re.compile(r"\s*(?:textures|buffers|images|uniforms)\s*=\s*\{")
_ENTRY = re.compile(rf"\s*{_NAME}\s*[.=]")
_INNER = re.compile(rf"{_NAME}\s*=")


def bound_lines(text: str, file: str) -> BoundLines:
    """Returns the line of each sampler, block, image and uniform of a pass, without bindings of unknown form."""
    found: dict[tuple[str, str], tuple[str, int]] = {}
    names: list[tuple[str, int]] = []
    name, in_pass, in_bindings = "", False, False
    for number, line in enumerate(text.split("\n"), 1):
        if table := _TABLE.match(line):
            in_pass, in_bindings = table[1] == "pass", table[2] in _KINDS
            if table[2] is None:
                found.update({(name, uniform): (file, at) for uniform, at in names})
                name, names = "", []
        elif in_pass and in_bindings and (entry := _ENTRY.match(line)):
            names.append((_name_in(entry), number))
        elif in_pass and not in_bindings and (own := _PASS_NAME.match(line)):
            name = _name_in(own)
        elif in_pass and (dotted := _DOTTED.match(line)):
            names.append((_name_in(dotted), number))
        elif in_pass and (inline := _INLINE.match(line)):
            names.extend((_name_in(each), number) for each in _INNER.finditer(line, inline.end()))
    found.update({(name, uniform): (file, at) for uniform, at in names})
    return MappingProxyType(found)


def _name_in(match: re.Match[str]) -> str:
    return next((each for each in match.groups() if each is not None), "")
