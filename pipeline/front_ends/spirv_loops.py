"""Writes SPIRV-Cross's loops as loops with a head, which it leaves without one where a compiler has moved things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from texelscope.pipeline.front_ends.rows import WORD, Row, end_of_block, indent_of
from texelscope.pipeline.front_ends.slang_loops import with_heads

_ENDLESS = "for (;;)"
_UNLESS = re.compile(r"if \(!\((?P<condition>.*)\)\)$|if \(!(?P<name>\w+)\)$")
_FLAG = re.compile(r"bool (?P<name>_\d+_ladder_break) = false;$")
_LOOP = re.compile(r"(?:for|while)[ ]?\(|do$|switch[ ]?\(")
_WHILE = re.compile(r"while[ ]?\((?P<condition>.+)\)$")
_STEPPED = re.compile(r"for \((?P<begin>[^;]*); (?P<condition>[^;]+); \)$")
_STEP = re.compile(r"(?P<name>\w+)(?:\+\+|--| [-+*/]= [^=].*| = .*);$")
_COPY = re.compile(r"[ \t]*\w+ (?P<copy>\w+) = (?P<name>\w+);$")
_COUNTED = re.compile(r"(?P<name>\w+)(?:(?P<twice>\+\+|--)| (?P<sign>[-+])= (?P<by>\w+));$")
_NARROW_HEAD = re.compile(r"(?P<indent>[ \t]*)(?P<word>for|while|if)\(")
_BREAKS = ("break;", "continue;")
# Stands for a blank row, where rows without text go.
_BLANK = " "


def with_loop_heads(rows: Sequence[Row]) -> list[Row]:
    """Returns rows with `while` and `for`, with their conditions and steps, where SPIRV-Cross wrote an endless loop."""
    found = list(rows)
    for at in range(len(rows) - 1, -1, -1):
        text = found[at].text.strip() if at < len(found) else ""
        if not (text == _ENDLESS or _STEPPED.match(text) or _WHILE.match(text)):
            continue
        _without_last_continue(found, at)
        if text == _ENDLESS and not _with_condition(found, at):
            _without_ladder(found, at)
        _with_step_at_its_end(found, at)
        _with_step_in_head(found, at)
    return [_wide(row) for row in with_heads([_narrow(row) for row in found])]


def is_closed(text: str) -> bool:
    """Whether a text closes no parenthesis that it does not open."""
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return depth == 0


def is_local(rows: Sequence[Row], name: str) -> bool:
    """Whether a variable is one of a function: others may change it only where it does not stand outside them."""
    return not any(name in WORD.findall(row.text) for row in rows if row.text[:1].strip())


def _without_last_continue(rows: list[Row], at: int) -> None:
    """Removes a `continue` at the end of a loop's body, which does nothing."""
    last = end_of_block(rows, at)
    if rows[last - 1].text.strip() == "continue;":
        del rows[last - 1]


def _with_condition(rows: list[Row], at: int) -> bool:
    """Makes `while (c)` of an endless loop that begins with `if (!(c)) { break; }`; returns whether it did."""
    texts = [row.text.strip() for row in rows[at : at + 6]]
    match = _UNLESS.match(texts[2]) if len(texts) == 6 else None
    condition = _condition_of(match)
    if not condition or texts[1] != "{" or texts[3:] != ["{", "break;", "}"]:
        return False
    rows[at] = replace(rows[at], text=f"{indent_of(rows[at])}while ({condition})")
    del rows[at + 2 : at + 6]
    return True


def _condition_of(match: re.Match[str] | None) -> str:
    """Returns what an `if (!(…))` denies; empty where it is of another form."""
    if match is None:
        return ""
    return match["name"] or (match["condition"] if is_closed(match["condition"]) else "")


def _without_ladder(rows: list[Row], at: int) -> None:
    """Makes `while (c)` of an endless loop whose body is in a `do … while (false)` that a flag leaves.

    SPIRV-Cross writes it so where a body's end is not the loop's own continuation.
    """
    last = end_of_block(rows, at)
    begin = next((n for n in range(at + 2, last) if _FLAG.match(rows[n].text.strip())), None)
    declared = rows[at + 2 : begin] if begin is not None else []
    if begin is None or any(not row.text.strip().endswith(";") or "=" in row.text for row in declared):
        return
    match = _FLAG.match(rows[begin].text.strip())
    assert match is not None
    flag = match["name"]
    end = end_of_block(rows, begin + 1)
    head = [row.text.strip() for row in rows[begin + 1 : begin + 9]]
    behind = [row.text.strip() for row in rows[end : end + 5]]
    unless = _UNLESS.match(head[2]) if len(head) == 8 else None
    condition = _condition_of(unless)
    if not condition or head[:2] != ["do", "{"] or head[3:6] != ["{", f"{flag} = true;", "break;"]:
        return
    if behind != ["} while(false);", f"if ({flag})", "{", "break;", "}"] or head[6] != "}":
        return
    body = rows[begin + 8 : end]
    if body and body[-1].text.strip() == "break;":
        body = body[:-1]
    if any(flag in row.text for row in body) or _leaves(body):
        return
    step = rows[end + 5 : last]
    # The body stood one block deeper.
    inner = [replace(row, text=row.text.removeprefix("    ")) for row in body]
    head_row = replace(rows[at], text=f"{indent_of(rows[at])}while ({condition})")
    rows[at : last + 1] = [head_row, rows[at + 1], *declared, *inner, *step, rows[last]]


def _leaves(body: Sequence[Row]) -> bool:
    """Whether a `break` or `continue` leaves this block itself, and not a loop in it."""
    at = 0
    while at < len(body):
        text = body[at].text.strip()
        if _LOOP.match(text):
            at = end_of_block(body, at)
        elif text in _BREAKS:
            return True
        at += 1
    return False


def _with_step_at_its_end(rows: list[Row], at: int) -> None:
    """Makes `i` of a copy of it that is used where `i` has already counted on: `_1 = i; i++; … _1 …`."""
    last = end_of_block(rows, at)
    for number in range(at + 2, last - 1):
        copy, step = _COPY.match(rows[number].text), _COUNTED.match(rows[number + 1].text.strip())
        if copy is None or step is None or copy["name"] != step["name"]:
            continue
        behind = rows[number + 2 : last]
        words = {word for row in behind for word in WORD.findall(row.text)}
        is_deeper = _depth(rows, at + 2, number) != 0 or not is_local(rows, copy["name"])
        if is_deeper or copy["name"] in words or _leaves(behind) or _copied(copy["copy"], behind):
            continue
        whole = re.compile(rf"\b{copy['copy']}\b")
        kept = [replace(row, text=whole.sub(copy["name"], row.text)) for row in behind]
        rows[number:last] = [*kept, rows[number + 1]]
        return


def _depth(rows: Sequence[Row], start: int, stop: int) -> int:
    return sum(row.text.count("{") - row.text.count("}") for row in rows[start:stop])


def _copied(name: str, rows: Sequence[Row]) -> bool:
    """Whether rows give a variable another value."""
    written = re.compile(rf"\b{name}(?:\+\+|--| [-+*/%&|^<>]*= )")
    return any(written.search(row.text) for row in rows)


def _with_step_in_head(rows: list[Row], at: int) -> None:
    """Moves the last statement of a `for (…; c; )` into its head, if it counts a variable of the condition on."""
    match = _STEPPED.match(rows[at].text.strip())
    last = end_of_block(rows, at)
    step = _STEP.match(rows[last - 1].text.strip())
    if match is None or step is None or last - 1 <= at + 1:
        return
    if step["name"] not in WORD.findall(match["condition"]) or _leaves_by_continue(rows[at + 2 : last - 1]):
        return
    text = rows[last - 1].text.strip().removesuffix(";")
    made_inside = {word for row in rows[at + 2 : last - 1] for word in WORD.findall(row.text.partition(" = ")[0])}
    if {*WORD.findall(text)} - {step["name"]} & made_inside:
        return
    head = f"for ({match['begin']}; {match['condition']}; {text})"
    rows[at] = replace(rows[at], text=f"{indent_of(rows[at])}{head}")
    del rows[last - 1]


def _leaves_by_continue(body: Sequence[Row]) -> bool:
    return _leaves([row for row in body if row.text.strip() != "break;"])


def _narrow(row: Row) -> Row:
    """Returns a row in the form of Slang's: no blank behind a word with a condition, counting as a sum."""
    text = re.sub(r"^([ \t]*)(for|while|if) \(", r"\1\2(", row.text)
    step = _COUNTED.match(text.strip())
    if step is not None:
        sign, by = (step["twice"][0], "1") if step["twice"] else (step["sign"], step["by"])
        text = f"{indent_of(row)}{step['name']} = {step['name']} {sign} {by};"
    return replace(row, text=text)


def _wide(row: Row) -> Row:
    """Returns a row as SPIRV-Cross writes it."""
    text = _NARROW_HEAD.sub(lambda match: f"{match['indent']}{match['word']} (", row.text, count=1)
    counted = re.match(r"(?P<indent>[ \t]*)(?P<name>\w+) = (?P=name) (?P<sign>[-+]) (?P<by>\w+);$", text)
    if counted is not None:
        step = counted["sign"] * 2 if counted["by"] == "1" else f" {counted['sign']}= {counted['by']}"
        text = f"{counted['indent']}{counted['name']}{step};"
    return replace(row, text=text)


def with_one_variable(rows: Sequence[Row]) -> list[Row]:
    """Returns rows in which a value that a loop hands to its next turn is one variable.

    An optimiser leaves `for (…; x = y, i++) { y = x; … y += v; }` of `for (…; i++) { … x += v; }`, and
    `for (…; x = y, i++) { … y = x + v; }` too.
    """
    found = list(rows)
    at = 0
    while at < len(found):
        if found[at].text.strip().startswith("for ("):
            while (made := _handed_on(found, at)) is not None:
                found, at = made
        at += 1
    return found


def _handed_on(rows: Sequence[Row], at: int) -> tuple[list[Row], int] | None:
    """Returns rows with one variable less, and the row that the loop's head is then; None if none can go."""
    begin, _, steps = rows[at].text.rpartition("; ")
    each_step = steps.removesuffix(")").split(", ")
    last = end_of_block(rows, at)
    for step in each_step:
        match = re.fullmatch(r"(?P<old>\w+) = (?P<new>[A-Za-z_]\w*)", step)
        if match is None:
            continue
        old, new = match["old"], match["new"]
        others = [each for each in each_step if each != step]
        if not is_local(rows, old) or any({old, new} & {*WORD.findall(each)} for each in others):
            continue
        declared = [n for n in range(len(rows)) if re.fullmatch(rf"[ \t]*\w+ {new};", rows[n].text)]
        inside = range(at + 2, last)
        outside = [n for n in range(len(rows)) if new in WORD.findall(rows[n].text) and n not in inside and n != at]
        if len(declared) != 1 or any(n not in declared for n in outside) or old in WORD.findall(rows[declared[0]].text):
            continue
        changed = _renamed(rows, at, last, old=old, new=new)
        if changed is None:
            continue
        changed[at] = replace(rows[at], text=f"{begin}; {', '.join(others)})")
        gone = {declared[0]}
        kept = [row for n, row in enumerate(changed) if n not in gone and row.text]
        return _without_blank_marks(kept), at - (declared[0] < at)
    return None


def _without_blank_marks(rows: Sequence[Row]) -> list[Row]:
    return [replace(row, text="") if row.text == _BLANK else row for row in rows]


def _renamed(rows: Sequence[Row], at: int, last: int, *, old: str, new: str) -> list[Row] | None:
    """Returns rows with `old` in place of `new` in a loop's body, without a copy; None if both are needed."""
    own = [n for n in range(at + 2, last) if new in WORD.findall(rows[n].text) and not _is_declaration(rows[n], new)]
    if not own or _depth(rows, at + 2, own[0]) != 0 or _leaves(rows[at + 2 : own[0]]):
        return None
    first = rows[own[0]].text.strip()
    behind = {word for row in rows[own[0] + 1 : last] for word in WORD.findall(row.text)}
    if not first.startswith(f"{new} = ") or old in behind or not first.endswith(";"):
        return None
    whole = re.compile(rf"\b{new}\b")
    made = [replace(row, text=row.text or _BLANK) for row in rows]
    for number in own:
        made[number] = replace(rows[number], text=whole.sub(old, rows[number].text))
    if first == f"{new} = {old};":
        made[own[0]] = replace(rows[own[0]], text="")
    return made


def _is_declaration(row: Row, name: str) -> bool:
    return re.fullmatch(rf"[ \t]*\w+ {name};", row.text) is not None
