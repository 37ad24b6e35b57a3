"""Finds macros that a shader's text uses and nobody defines: its engine does that before it compiles the text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from texelscope.pipeline.glsl.source_text import without_comments

_DEFINED = re.compile(r"^[ \t]{0,99}#[ \t]{0,99}define[ \t]{1,99}(\w+)", re.MULTILINE)
_NUMBERED = re.compile(r"\bconst\s{1,9}(?:u?int)\s{1,9}(\w+)\s{0,9}=")
_TESTED = re.compile(r"^[ \t]{0,99}#[ \t]{0,99}(?:ifn?def[ \t]{1,99}(\w+)|(?:el)?if\b([^\n]{0,999}))", re.MULTILINE)
_DEFINED_OPERATOR = re.compile(r"\bdefined\s{0,9}\(?\s{0,9}(\w+)")
_LAYOUT = re.compile(r"\blayout\s{0,9}\(([^()]{0,999})\)")
_SIDE = re.compile(r"local_size_([xyz])\s{0,9}=\s{0,9}([A-Za-z_]\w*)$")
_IN_CAPITALS = re.compile(r"[A-Z][A-Z0-9_]*$")
# Names of the language and of the stages, which are not an engine's.
_OF_THE_LANGUAGE = ("GL_", "__", "VULKAN", "VERTEX", "FRAGMENT")
# Invocations along x, y and z of the work groups that engines like.
_GROUP = {"x": 8, "y": 8, "z": 1}
_FORMAT = "rgba32f"
# More switches than this are a library's, and nobody wants to see them in a form.
_MOST_SWITCHES = 20


def needed_macros(text: str) -> Mapping[str, str | int]:
    """Returns likely values of the macros without which a text is no program: image formats, sides of work groups."""
    bare = without_comments(text)
    known = {*_DEFINED.findall(bare), *_NUMBERED.findall(bare)}
    found: dict[str, str | int] = {}
    for match in _LAYOUT.finditer(bare):
        for part in (each.strip() for each in match[1].split(",")):
            side = _SIDE.match(part)
            if side is not None and side[2] not in known:
                found[side[2]] = _GROUP[side[1]]
            elif side is None and _IN_CAPITALS.match(part) and part not in known:
                found[part] = _FORMAT
    return found


def switches(text: str) -> tuple[str, ...]:
    """Returns the names that a text tests by `#ifdef` and the like and never defines, in order; none if many."""
    bare = without_comments(text)
    known = {*_DEFINED.findall(bare)}
    found = dict.fromkeys(
        name
        for tested, condition in _TESTED.findall(bare)
        for name in ([tested] if tested else _DEFINED_OPERATOR.findall(condition))
    )
    names = tuple(name for name in found if name not in known and not name.startswith(_OF_THE_LANGUAGE))
    return names if len(names) <= _MOST_SWITCHES else ()
