"""Turns the GLSL that SPIRV-Cross writes into what an author would: conditions in one, fewer names for values.

SPIR-V has no `&&`, `||` and `?:` with a branch in them: SPIRV-Cross writes an `if` that sets a variable in both
branches. Values that are used once get names where an optimiser has moved them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from texelscope.pipeline.front_ends.rows import WORD, Row, end_of_block, indent_of, is_used_behind
from texelscope.pipeline.front_ends.spirv_loops import is_closed, is_local, with_loop_heads, with_one_variable
from texelscope.pipeline.glsl.old_words import Stage

# A fragment shader runs on OpenGL 4.1, which macOS has; a compute shader needs 4.3.
_VERSIONS = {"vertex": "#version 410 core", "fragment": "#version 410 core", "compute": "#version 430 core"}
# Only later versions let a text say where in a block a member lies.
_LATER, _LATE_VERSION = re.compile(r"\blayout\((?:[^()]*, )?(?:offset|align) = "), "#version 450 core"
_TEMPORARY = re.compile(r"\b_\d+\b")
_UNSET = re.compile(r"[ \t]*(?P<type>\w+) (?P<name>[A-Za-z_]\w*);$")
_IF = re.compile(r"(?P<indent>[ \t]*)if \((?P<condition>.*)\)$")
_SET = re.compile(r"[ \t]*(?P<name>_\d+|param(?:_\d+)?) = (?P<value>.+);$")
_ASSIGNED = re.compile(r"[ \t]*(?P<name>[A-Za-z_]\w*) = (?P<value>.+);$")
_DECLARED = re.compile(r"(?P<indent>[ \t]+)\w+ (?P<name>[A-Za-z_]\w*) = (?P<value>.+);$")
_VALUE = re.compile(r"[ \t]*(?:const )?(?P<type>\w+) (?P<name>_\d+|param(?:_\d+)?) = (?P<value>.+);$")
_CHOICE = 8
_MOST_ROWS = 3000
_DEFINED = re.compile(r"\w+ (?P<name>\w+)\(.*\)$")
_CALLED = re.compile(r"\b(?P<name>[A-Za-z_]\w*)\(")
_LOOP = re.compile(r"(?:for|while) \(|do$|switch \(")
_LEAVES = frozenset({"break", "continue", "return", "discard"})
# A number of 32 bits; one of 64 has letters behind it.
_FLOAT = re.compile(r"(?<![\w.])\d+\.\d+(?:e[-+]\d+)?(?![\w.])")
_ONE = re.compile(r"\buint\((?P<number>\d+)\)")
_PARAMETER = re.compile(r"\bparam(?:_\d+)?\b")
_HANDS_BACK = re.compile(r"\w+ (?P<name>\w+)\(.*\b(?:inout|out) .*\)$")
# A constant array in one line, and how long that may be.
_LIST, _WIDEST = re.compile(r"(?P<head>const \w+ \w+(?:\[\d+\])+ = \w+(?:\[\d*\])+\()(?P<items>.*)(?P<tail>\);)$"), 120
_EXTENSION = re.compile(r"#extension GL_EXT_samplerless_texture_functions\b")


def as_written(text: str, stage: Stage) -> list[Row]:
    """Returns the rows of SPIRV-Cross's text as an author might have written them, with the version of the stage.

    Of a very long text only the version is changed: nobody reads it, and each step takes its time.
    """
    rows = [Row(line, None) for line in text.rstrip("\n").split("\n") if not _EXTENSION.match(line)]
    rows = _tidied(rows) if len(rows) <= _MOST_ROWS else rows
    is_late = any(_LATER.search(row.text) for row in rows)
    return [Row(_LATE_VERSION if is_late else _VERSIONS[stage], None), *rows[1:]]


def _tidied(rows: Sequence[Row]) -> list[Row]:
    rows = _with_choices(_without_last_do(rows))
    rows = _with_newer_values(_without_values(_with_initial_values(rows)))
    # A loop's head comes out only when values have become one variable, and these in turn when its body is whole.
    for _ in range(2):
        rows = _with_newer_values(_with_initial_values(with_one_variable(with_loop_heads(rows))))
    return _plainly([row for at, row in enumerate(rows) if row.text or rows[at - 1].text])


def _with_choices(rows: Sequence[Row]) -> list[Row]:
    """Returns rows with `v = c ? a : b;` in place of an `if` whose both branches set that value alone, inside first."""
    found = list(rows)
    for at in range(len(found) - 1, -1, -1):
        if at < len(found) and (made := _choice(found, at)) is not None:
            found[at : at + _CHOICE] = [made]
    return found


def _choice(rows: Sequence[Row], at: int) -> Row | None:
    texts = [row.text for row in rows[at : at + _CHOICE]]
    match = _IF.match(texts[0])
    if match is None or len(texts) < _CHOICE:
        return None
    if [texts[number].strip() for number in (1, 3, 4, 5, 7)] != ["{", "}", "else", "{", "}"]:
        return None
    first, second = _SET.match(texts[2]), _SET.match(texts[6])
    if first is None or second is None or first["name"] != second["name"]:
        return None
    value = _chosen(match["condition"], first["value"], second["value"])
    return Row(f"{match['indent']}{first['name']} = {value};", None)


def _chosen(condition: str, first: str, second: str) -> str:
    """Returns a choice as `&&` or `||` where it is one."""
    is_denied = re.fullmatch(r"!(?:\w+|\(.*\))", condition) is not None and is_closed(condition[2:-1])
    negated = condition[1:] if is_denied else ""
    if second in ("false", condition):
        return f"{_part(condition)} && {_part(first)}"
    if first in ("true", condition):
        return f"{_part(condition)} || {_part(second)}"
    if negated and _bare(negated) == _bare(second):
        return f"{_part(_bare(negated))} || {_part(first)}"
    return f"{_part(condition)} ? {_part(first)} : {_part(second)}"


def _bare(value: str) -> str:
    return value[1:-1] if value.startswith("(") and is_closed(value[1:-1]) and value.endswith(")") else value


def _part(value: str) -> str:
    """Returns a value as a part of another one: in parentheses, but for a name, a call or what has them."""
    is_one = re.fullmatch(r"!?[\w.]+(?:\[[^\[\]]*\])?", value) is not None
    is_call = (call := re.match(r"\w*\(", value)) is not None and value.endswith(")")
    if is_one or (is_call and call is not None and is_closed(value[call.end() : -1])):
        return value
    return f"({value})"


def _with_initial_values(rows: Sequence[Row]) -> list[Row]:
    """Returns rows with `T v = a;` in place of a declaration and, right behind it, its first value."""
    found: list[Row] = []
    for row in rows:
        match, before = _ASSIGNED.match(row.text), _UNSET.match(found[-1].text) if found else None
        is_first = match is not None and before is not None and match["name"] == before["name"]
        if match is None or before is None or not is_first or match["name"] in WORD.findall(match["value"]):
            found.append(row)
            continue
        text = f"{indent_of(row)}{before['type']} {match['name']} = {match['value']};"
        found[-1] = replace(row, text=text)
    return found


def _with_newer_values(rows: Sequence[Row]) -> list[Row]:
    """Returns rows with `a = a + x;` in place of `T b = a + x; …; a = b;`, if nothing between uses `a`."""
    found, at = list(rows), 0
    while at < len(found):
        match = _DECLARED.match(found[at].text)
        last = _copied_back(found, at, match["name"]) if match is not None else None
        if match is not None and last is not None:
            old, whole = found[last].text.strip().partition(" = ")[0], re.compile(rf"\b{match['name']}\b")
            for number in range(at + 1, last):
                found[number] = replace(found[number], text=whole.sub(old, found[number].text))
            found[at] = replace(found[at], text=f"{match['indent']}{old} = {match['value']};")
            del found[last]
        at += 1
    return found


def _copied_back(rows: Sequence[Row], at: int, new: str) -> int | None:
    """Returns the row of the same block, left by nothing on the way, at which a new variable becomes an older one."""
    end, depth = f" = {new};", 0
    copy = re.compile(rf"[ \t]*(?P<old>[A-Za-z_]\w*){end}$")
    for number in range(at + 1, len(rows)):
        text = rows[number].text
        match = copy.match(text) if depth == 0 and text.endswith(end) else None
        if match is not None:
            words = {word for row in rows[at + 1 : number] for word in WORD.findall(row.text)}
            is_free = match["old"] not in words and not words & _LEAVES and is_local(rows, match["old"])
            return number if is_free and not is_used_behind(rows, number, new) else None
        depth += text.count("{") - text.count("}")
        if depth < 0:
            return None
    return None


def _without_values(rows: Sequence[Row]) -> list[Row]:
    """Returns rows in which a value that only the next statement uses, once, stands there instead of in a name."""
    functions = {match["name"] for row in rows if (match := _DEFINED.match(row.text)) is not None}
    handing_back = {match["name"] for row in rows if (match := _HANDS_BACK.match(row.text)) is not None}
    found = list(rows)
    for name in dict.fromkeys(word for row in rows for word in _TEMPORARY.findall(row.text)):
        _inline(found, name, functions)
    # What a function is called with has a name of its own, the last just before the call.
    for name in reversed(dict.fromkeys(word for row in rows for word in _PARAMETER.findall(row.text))):
        _inline(found, name, functions, but_not_to=handing_back)
    return found


def _inline(rows: list[Row], name: str, functions: Collection[str], but_not_to: Collection[str] = ()) -> None:
    """Puts the values of one name where they are used, if each is used once by the statement behind it."""
    rows_with = [n for n, row in enumerate(rows) if name in row.text and name in WORD.findall(row.text)]
    declared = [n for n in rows_with if (match := _UNSET.match(rows[n].text)) is not None and match["name"] == name]
    setting = []
    for number in rows_with:
        match = _VALUE.match(rows[number].text) or _SET.match(rows[number].text)
        if match is not None and match["name"] == name:
            setting.append(number)
    is_constant = len(setting) == 1 and rows[setting[0]].text.startswith("const ")
    if is_constant:
        _inline_constant(rows, name, setting[0])
        return
    used = [number for number in rows_with if number not in {*declared, *setting}]
    if not setting or used != [number + 1 for number in setting] or len(declared) > 1:
        return
    whole = re.compile(rf"\b{name}\b")
    for number in setting:
        match = _VALUE.match(rows[number].text) or _SET.match(rows[number].text)
        assert match is not None
        value, text = match["value"], rows[number + 1].text
        calls = {call["name"] for call in _CALLED.finditer(value)}
        if len(whole.findall(value)) or len(whole.findall(text)) != 1:
            return
        called = {call["name"] for call in _CALLED.finditer(text)}
        if calls & set(functions) or called & set(but_not_to) or _LOOP.match(text.strip()):
            return
    for number in setting:
        match = _VALUE.match(rows[number].text) or _SET.match(rows[number].text)
        assert match is not None
        made = _in_place(match["value"], name, rows[number + 1].text)
        rows[number + 1] = replace(rows[number + 1], text=whole.sub(lambda _, made=made: made, rows[number + 1].text))  # type: ignore[misc]
    for number in sorted([*setting, *declared], reverse=True):
        del rows[number]


def _inline_constant(rows: list[Row], name: str, at: int) -> None:
    """Puts a value that constants give in place of its name."""
    match = _VALUE.match(rows[at].text)
    assert match is not None
    whole = re.compile(rf"\b{name}\b")
    value = _bare(match["value"])
    for number, row in enumerate(rows):
        if number != at and name in row.text:
            made = _in_place(value, name, row.text)
            rows[number] = replace(row, text=whole.sub(lambda _, made=made: made, row.text))  # type: ignore[misc]
    del rows[at]


def _in_place(value: str, name: str, text: str) -> str:
    """Returns a value as it stands in place of its name in a text."""
    is_whole = re.search(rf"(?:[(\[]|[^=!<>]= |, ){name}(?=[)\];,])", text) is not None
    return _bare(value) if is_whole else _part(value)


def _without_last_do(rows: Sequence[Row]) -> list[Row]:
    """Returns rows without the `do { … break; } while(false);` that is all of a function: its breaks return."""
    found = list(rows)
    at = 0
    while at < len(found):
        is_whole = found[at].text == "{" and at + 1 < len(found) and found[at + 1].text.strip() == "do"
        last = end_of_block(found, at)
        if is_whole and found[at - 1].text.startswith("void ") and found[last - 1].text.strip() == "} while(false);":
            body = found[at + 3 : last - 1]
            if end_of_block(found, at + 2) == last - 1 and body[-1].text.strip() == "break;":
                found[at + 1 : last] = _returning(body[:-1])
        at += 1
    return found


def _returning(body: Sequence[Row]) -> list[Row]:
    found: list[Row] = []
    at, inside = 0, -1
    while at < len(body):
        text = body[at].text.strip()
        if at > inside and _LOOP.match(text):
            inside = end_of_block(body, at)
        made = body[at].text.removeprefix("    ")
        if at > inside and text == "break;":
            made = made.replace("break;", "return;")
        found.append(replace(body[at], text=made))
        at += 1
    return found


def _plainly(rows: Sequence[Row]) -> list[Row]:
    """Returns rows with the shortest numbers that are the same, and long lists an element a row."""
    found: list[Row] = []
    for row in rows:
        text = _ONE.sub(lambda match: f"{match['number']}u", row.text)
        text = _FLOAT.sub(lambda match: _shortest(match[0]), text)
        long = _LIST.match(text) if len(text) > _WIDEST else None
        if long is None:
            found.append(replace(row, text=text))
            continue
        lines = [long["head"], *(f"    {item}" for item in _items(long["items"])), long["tail"]]
        found += [replace(row, text=line) for line in lines]
    return found


def _shortest(number: str) -> str:
    """Returns the shortest text of a float of 32 bits; the number's own where it is none."""
    with np.errstate(over="ignore"):
        value = np.float32(number)
    if not np.isfinite(value):
        return number
    text = np.format_float_positional(value, unique=True, trim="0")
    short = text if len(text) <= len(number) and "e" not in number else np.format_float_scientific(value, trim="0")
    return short if np.float32(short) == value else number


def _items(text: str) -> list[str]:
    """Returns the elements of a list, with the commas behind them."""
    found, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            found.append(text[start : at + 1].strip())
            start = at + 1
    return [*found, text[start:].strip()]
