"""Gives what Slang numbered (`sum_0`) the author's name again, where only one thing has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from texelscope.pipeline.front_ends.rows import WORD, Row
from texelscope.pipeline.glsl.reserved_words import is_glsl_word, safe_name

_NUMBERED = re.compile(r"\b(?P<name>[A-Za-z_]\w*?)_(?P<number>[0-9]{1,9})\b")
# Slang's own temporaries begin with `_S`, and an author's names that do with `U_S`.
_UNDERSCORE = re.compile(r"U_S(?![0-9])")
# Words that are no members of something.
_FREE_WORD = re.compile(r"(?<!\.)\b[A-Za-z_]\w*\b")
_BLOCK = re.compile(r"layout\(std140\) uniform \w+ \{(?P<members>.*)\}[ ]?(?P<instance>\w*);$")
_MEMBER = re.compile(r".*?\b(?P<name>\w+)(?:[ \t]*\[[^\[\]]*\])*$")
RESOURCE = re.compile(r"(?:.*\)[ \t]*)?uniform[ \t]+(?:\w+[ \t]+){0,3}\w+[ \t]+(?P<name>\w+)(?:\[[^\[\]]*\])*;$")
_OUTPUT = re.compile(r"(?:layout\([^()]*\)[ \t]*)?out[ \t]+\w+[ \t]+(?P<name>entryPointParam_\w+?_[0-9]+);$")
# The result of a fragment shader, by what HLSL calls it.
_RESULT = "SV_Target"
_HEAD = re.compile(r"\w+(?:[ \t]*\[[0-9]*\])?[ \t]+\w+\(.*\)$")


def without_number(name: str) -> str:
    """Returns a name without Slang's number, and with the underscore in front that it replaces by `U_`."""
    match = _NUMBERED.fullmatch(name)
    own = match["name"] if match is not None else name
    return own[1:] if match is not None and _UNDERSCORE.match(own) is not None else own


def renamed(rows: Sequence[Row]) -> list[Row]:
    """Returns rows with the author's names: those that a pipeline file sets first, then any that one thing has."""
    words = {word for row in rows for word in _FREE_WORD.findall(row.text)}
    numbered = [word for word in dict.fromkeys(_every_word(rows)) if _NUMBERED.fullmatch(word)]
    new: dict[str, str] = {}
    taken = {word for word in words if not _NUMBERED.fullmatch(word)}
    for word in _interface(rows):
        base = without_number(word)
        own = safe_name(base)
        if word != own and own not in taken:
            new[word] = own
            taken.add(own)
    results = [match["name"] for row in rows if (match := _OUTPUT.match(row.text.strip())) is not None]
    if len(results) == 1 and _RESULT not in taken:
        new[results[0]] = _RESULT
    of_all, in_one = _by_base(rows, [word for word in numbered if word not in new])
    for base, every in of_all.items():
        if len(every) == 1 and base not in taken and not is_glsl_word(base):
            new[every[0]] = base
            taken.add(base)
    for (_, base), every in in_one.items():
        if len(every) == 1 and base not in taken and base not in of_all and not is_glsl_word(base):
            new[every[0]] = base
    return [replace(row, text=WORD.sub(lambda match: new.get(match[0], match[0]), row.text)) for row in rows]


def _by_base(
    rows: Sequence[Row], names: Sequence[str]
) -> tuple[dict[str, list[str]], dict[tuple[int, str], list[str]]]:
    """Returns names by what is before their number: those of several functions or none, and those of one, by it."""
    where: dict[str, set[int]] = {name: set() for name in names}
    for number, row in zip(_functions(rows), rows, strict=True):
        for word in WORD.findall(row.text):
            if word in where:
                where[word].add(number)
    of_all: dict[str, list[str]] = {}
    in_one: dict[tuple[int, str], list[str]] = {}
    for name, numbers in where.items():
        base = without_number(name)
        if len(numbers) == 1 and (number := next(iter(numbers))) >= 0:
            in_one.setdefault((number, base), []).append(name)
        else:
            of_all.setdefault(base, []).append(name)
    return of_all, in_one


def _functions(rows: Sequence[Row]) -> list[int]:
    """Returns for each row the number of the function that it is in, -1 outside; its head is in it but for its name."""
    found: list[int] = []
    depth, number, is_inside = 0, -1, False
    for at, row in enumerate(rows):
        text = row.text.strip()
        if depth == 0:
            opens = at + 1 < len(rows) and rows[at + 1].text.strip() == "{"
            if opens and _HEAD.match(text) is not None:
                number, is_inside = number + 1, True
        found.append(number if is_inside else -1)
        depth += text.count("{") - text.count("}")
        is_inside = is_inside and (depth > 0 or "}" not in text)
    return found


def _every_word(rows: Sequence[Row]) -> Iterable[str]:
    for row in rows:
        yield from WORD.findall(row.text)


def _interface(rows: Sequence[Row]) -> list[str]:
    """Returns the names that a pipeline file knows: of uniform blocks and their members, of textures and images."""
    found: list[str] = []
    for row in rows:
        text = row.text.strip()
        if (block := _BLOCK.match(text)) is not None:
            members = (each.strip() for each in block["members"].split(";"))
            found += [match["name"] for each in members if (match := _MEMBER.match(each)) is not None]
            found += [block["instance"]] if block["instance"] else []
        elif (resource := RESOURCE.match(text)) is not None:
            found.append(resource["name"])
    return list(dict.fromkeys(found))
