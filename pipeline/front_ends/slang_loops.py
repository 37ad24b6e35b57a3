"""Writes Slang's loops as loops with a head: `while` with its condition, `for` where a variable counts on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from texelscope.pipeline.front_ends.rows import WORD, Row, end_of_block, indent_of, is_used_behind

_WHILE = re.compile(r"(?P<indent>[ \t]*)while\((?P<condition>.*)\)$")
_DECLARED = re.compile(r"[ \t]*(?P<declaration>\w+[ \t]+(?P<name>[A-Za-z_]\w*) = .+);$")
_STEP = re.compile(r"[ \t]*(?P<step>(?P<name>[A-Za-z_]\w*) = .+);$")
_COUNTED = re.compile(r"(?P<name>\w+) = (?P=name) (?P<sign>[-+]) (?P<by>[^-+]+)$")


def with_heads(rows: Sequence[Row]) -> list[Row]:
    """Returns rows with `while` and `for` in place of `for (;;) { if (c) { } else { break; } … }`."""
    found = _with_whiles(rows)
    at = 0
    while at < len(found):
        if _WHILE.match(found[at].text) is not None:
            at += _with_for(found, at)
        at += 1
    return found


def _with_whiles(rows: Sequence[Row]) -> list[Row]:
    texts = [row.text.strip() for row in rows]
    found: list[Row] = []
    at = 0
    while at < len(rows):
        condition = texts[at + 2] if at + 2 < len(rows) else ""
        is_loop = texts[at] == "for(;;)" and texts[at + 1] == "{" and condition.startswith("if(")
        if is_loop and texts[at + 3 : at + 9] == ["{", "}", "else", "{", "break;", "}"]:
            found.append(replace(rows[at + 2], text=f"{indent_of(rows[at])}while{condition[2:]}"))
            found.append(rows[at + 1])
            at += 9
            continue
        found.append(rows[at])
        at += 1
    return found


def _with_for(rows: list[Row], at: int) -> int:
    """Makes a `for` of the `while` at a row, if each way to its next turn takes one step; returns the rows more.

    The step stands at the end of the body, on the author's line of the head, and again before each `continue`.
    """
    last = end_of_block(rows, at)
    match, step = _WHILE.match(rows[at].text), _STEP.match(rows[last - 1].text)
    if match is None or step is None or rows[last - 1].place != rows[at].place or last - 1 <= at + 1:
        return 0
    name = step["name"]
    others = {*WORD.findall(step["step"])} - {name}
    made_inside = {word for row in rows[at + 2 : last - 1] for word in WORD.findall(row.text.partition(" = ")[0])}
    if name not in WORD.findall(match["condition"]) or others & made_inside:
        return 0
    continues = _continues(rows, at + 2, last)
    if any(rows[number - 1].text.strip() != f"{step['step']};" for number in continues):
        return 0
    first = _first_value(rows, at, name)
    declared = _DECLARED.match(rows[first].text) if first is not None else None
    is_own = declared is not None and not is_used_behind(rows, last, name)
    for number in [last - 1, *(number - 1 for number in reversed(continues))]:
        del rows[number]
    begin = declared["declaration"] if declared is not None and is_own else ""
    text = f"{match['indent']}for({begin}; {match['condition']}; {_counted(step['step'])})"
    rows[at] = replace(rows[at], text=text)
    if is_own and first is not None:
        del rows[first]
        return -1
    return 0


def _first_value(rows: Sequence[Row], at: int, name: str) -> int | None:
    """Returns the row that declares a variable, if nothing from there to a row uses it."""
    for number in range(at - 1, -1, -1):
        text = rows[number].text
        match = _DECLARED.match(text)
        if match is not None and match["name"] == name:
            return number
        if not text.rstrip().endswith(";") or name in WORD.findall(text):
            return None
    return None


def _continues(rows: Sequence[Row], start: int, stop: int) -> list[int]:
    """Returns the rows from `start` to `stop` that begin the next turn of the loop around them, not of one in it."""
    found: list[int] = []
    at = start
    while at < stop:
        text = rows[at].text.strip()
        if text.startswith(("for(", "while(", "do")) and at + 1 < stop and rows[at + 1].text.strip() == "{":
            at = end_of_block(rows, at)
        elif text == "continue;":
            found.append(at)
        at += 1
    return found


def _counted(step: str) -> str:
    """Returns a step as authors write it: `i++`, `i += 2`."""
    match = _COUNTED.match(step)
    if match is None:
        return step
    if match["by"] in ("1", "1U"):
        return f"{match['name']}{match['sign'] * 2}"
    return f"{match['name']} {match['sign']}= {match['by']}"
