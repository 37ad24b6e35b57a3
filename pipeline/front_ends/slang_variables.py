"""Makes one variable again of those that Slang writes for its values one after the other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from texelscope.pipeline.front_ends.rows import WORD, Row, indent_of, is_used_behind
from texelscope.pipeline.front_ends.slang_names import without_number

# A name that Slang made, where it is declared.
_TEMPORARY = re.compile(r"[ \t]+\w+[ \t]+(?P<name>_S[0-9]+) = (?P<value>.+);$")
# One that is set in both branches of an `if`, of so many rows together.
_UNSET = re.compile(r"(?P<type>\w+) (?P<name>_S[0-9]+);")
_IF = re.compile(r"if\((?P<condition>.*)\)")
_CHOICE = 9
_TEMPORARY_NAME = re.compile(r"\b_S[0-9]+\b")
_TWICE = 2
# A variable with its first value, and what leaves a function.
_DECLARED = re.compile(r"(?P<indent>[ \t]+)\w+[ \t]+(?P<name>[A-Za-z_]\w*_[0-9]+|_S[0-9]+) = (?P<value>.+);$")
_LEAVES = re.compile(r"return\b|discard;")


def with_choices(rows: Sequence[Row]) -> list[Row]:
    """Returns rows with `T _S1 = c ? a : b;` in place of an `if` whose both branches set that value alone."""
    found = list(rows)
    at = 0
    while at < len(found):
        made = _choice(found, at)
        if made is not None:
            found[at : at + _CHOICE] = [made]
            at = max(at - _CHOICE, 0)  # it may be the last part of a choice around it
        else:
            at += 1
    return found


def _choice(rows: Sequence[Row], at: int) -> Row | None:
    texts = [row.text.strip() for row in rows[at : at + _CHOICE]]
    if len(texts) < _CHOICE or (declared := _UNSET.fullmatch(texts[0])) is None:
        return None
    name = declared["name"]
    condition, (first, second) = _IF.fullmatch(texts[1]), (_set(texts[number], name) for number in (3, 7))
    frame = [texts[number] for number in (2, 4, 5, 6, 8)]
    if condition is None or first is None or second is None or frame != ["{", "}", "else", "{", "}"]:
        return None
    text = (
        f"{indent_of(rows[at])}{declared['type']} {name} = {condition['condition']} ? {_part(first)} : {_part(second)};"
    )
    return Row(text, rows[at + 1].place)


def _set(text: str, name: str) -> str | None:
    return text[len(name) + 3 : -1] if text.startswith(f"{name} = ") and text.endswith(";") else None


def _part(value: str) -> str:
    return f"({value})" if "?" in value else value


def without_temporaries(rows: Sequence[Row]) -> list[Row]:
    """Returns rows in which a value that only the next statement uses, once, stands there instead of in a name."""
    found: list[Row] = []
    counts = Counter(word for row in rows for word in _TEMPORARY_NAME.findall(row.text))
    waiting: tuple[str, str, Row] | None = None
    for row in rows:
        if waiting is not None:
            name, value, declared = waiting
            if name in _TEMPORARY_NAME.findall(row.text):
                place = next(each for each in _TEMPORARY_NAME.finditer(row.text) if each[0] == name)
                made = _inlined(name, value, row.text)
                text = f"{row.text[: place.start()]}{made}{row.text[place.end() :]}"
                row = Row(text, declared.place or row.place)
            else:
                found.append(declared)
        match = _TEMPORARY.match(row.text)
        waiting = (
            (match["name"], match["value"], row) if match is not None and counts[match["name"]] == _TWICE else None
        )
        if waiting is None:
            found.append(row)
    return [*found, *([waiting[2]] if waiting is not None else [])]


def _inlined(name: str, value: str, text: str) -> str:
    """Returns a value as it may stand in place of its name."""
    is_whole = re.search(rf"(?:[(\[] ?|= ?|, ?){name}(?=[)\];,])", text) is not None
    is_one = re.fullmatch(r"[\w.]+(?:\((?:[^()]|\([^()]*\))*\))?", value) is not None
    return value if is_whole or is_one else f"({value})"


def with_variables(rows: Sequence[Row]) -> list[Row]:
    """Returns rows in which a variable that is only a later value of another one is that one.

    Slang writes `float sum_1 = sum_0 + x; …; sum_0 = sum_1;` for `sum += x`.
    """
    found, at = list(rows), 0
    while at < len(found):
        match = _DECLARED.match(found[at].text)
        last = _copied_back(found, at, match) if match is not None else None
        if match is None or last is None:
            at += 1
            continue
        new, old = match["name"], _without(found[last].text, match["name"])
        whole = re.compile(rf"\b{new}\b")
        for number in range(at + 1, last):
            found[number] = replace(found[number], text=whole.sub(old, found[number].text))
        found[at] = replace(found[at], text=f"{match['indent']}{old} = {match['value']};")
        del found[last]
        if match["value"] == old:
            del found[at]
        else:
            at += 1
    return found


def _without(copy: str, new: str) -> str:
    return copy.strip().removesuffix(f" = {new};")


def _copied_back(rows: Sequence[Row], at: int, match: re.Match[str]) -> int | None:
    """Returns the row, in the block of a declaration, at which its variable becomes the value of an older one.

    None if that one is read on the way, or left before, or if the newer one lives on.
    """
    new, base = match["name"], re.escape(without_number(match["name"]))
    if _TEMPORARY_NAME.fullmatch(new):
        base = r"[A-Za-z]\w*"
    copy = re.compile(rf"[ \t]*(?P<old>{base}_[0-9]+) = {new};$")
    last, old, depth = None, "", 0
    loops: list[int] = []
    for number in range(at + 1, len(rows)):
        text = rows[number].text.strip()
        if text.startswith(("for(", "while(", "do")):
            loops.append(depth)
        found = copy.match(rows[number].text) if depth == 0 else None
        if found is not None:
            last, old = number, found["old"]
            break
        if _LEAVES.match(text) is not None or (text in ("break;", "continue;") and not loops):
            return None
        depth += text.count("{") - text.count("}")
        if depth < 0:
            return None
        while loops and "}" in text and depth <= loops[-1]:
            loops.pop()
    if last is None or any(old in WORD.findall(row.text) for row in rows[at + 1 : last]):
        return None
    return None if is_used_behind(rows, last, new) else last
