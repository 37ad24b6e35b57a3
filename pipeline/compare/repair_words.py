"""Repairs as a person says them: what of which line is written otherwise, what was tried, how sure a finding is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from texelscope.layouts.outside_text import one_line
from texelscope.pipeline.compare.common_ends import common_ends
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.short_text import cut

# Letters of code in a sentence; a diff has the whole line.
_MOST_LETTERS = 60
_TOKEN = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*|\.?\d[\w.]*|\s+|[<>=!+\-*/%]=|&&|\|\||\+\+|--|.", re.DOTALL)
_OPENING = {")": "(", "]": "["}
_OPERATORS = frozenset((*"+-*/%=<>!&|^?:", "<=", ">=", "==", "!=", "+=", "-=", "*=", "/=", "%=", "&&", "||"))


def repair_words(repair: Repair, beside: str = "") -> str:
    """What is written otherwise, and what holds then: `line 36: `a + 1.0` -> `a`; all 16,384 elements match, …`.

    Lines of the file `beside`, which the reader looks at already, are given without it.
    """
    edits = ", ".join(_placed(edit, beside) for edit in repair.edits)
    return one_line(f"{edits}; {tried_words(repair)}")


def tried_words(repair: Repair) -> str:
    """On what it was tried."""
    inputs = f", on {repair.inputs_tried} inputs" if repair.inputs_tried > 1 else ", on this input alone"
    sizes = f" and at {repair.sizes_tried} sizes" if repair.sizes_tried > 1 else ""
    return f"all {repair.elements:,} elements match{inputs}{sizes}"


def edit_words(edit: LineEdit) -> str:
    """What of its line is written otherwise, and how, without the line's number."""
    if edit.before is None:
        return f"put in `{_short(edit.after or '')}` before it"
    if edit.after is None:
        return f"take `{_short(edit.before)}` away"
    old, new = changed(edit.before, edit.after)
    return f"`{_short(old)}` -> `{_short(new)}`"


def surety_words(finding: Finding) -> str:
    """`sure`; `one of: shift, stride` where nothing told causes apart; else empty."""
    if finding.one_of:
        causes = finding.one_of if finding.cause in finding.one_of else (finding.cause, *finding.one_of)
        return f"one of: {', '.join(causes)}"
    return "sure" if finding.sure else ""


def repairs_of(finding: Finding, repairs: Sequence[Repair]) -> tuple[Repair, ...]:
    """What mends a finding: its own repair, then those of its pass that are as good; none where it has none."""
    own = finding.repair
    return () if own is None else (own, *(each for each in repairs if each != own))


def other_repairs(findings: Sequence[Finding], repairs: Sequence[Repair]) -> tuple[Repair, ...]:
    """Those of a pass that no finding shows: all of them where nothing names the bug."""
    return () if any(finding.repair is not None for finding in findings) else tuple(repairs)


def changed(before: str, after: str) -> tuple[str, str]:
    """The part of a line that is another, and what is there then, each of them code that reads by itself."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    start, end = common_ends(old, new)
    for _ in range(len(old) + len(new)):
        left, right = _wanting(old[start : len(old) - end]), _wanting(new[start : len(new) - end])
        to_left = (left[0] or right[0]) and start > 0
        to_right = (left[1] or right[1]) and end < len(old)
        if to_left:
            start = _operand_before(old, start)
        if to_right:
            end = len(old) - _operand_behind(old, len(old) - end)
        if not to_left and not to_right:
            break
    return tuple("".join(tokens[start : len(tokens) - end]).strip() for tokens in (old, new))  # type: ignore[return-value]


def _placed(edit: LineEdit, beside: str) -> str:
    file = "" if edit.file == beside else f"{edit.file} "
    return f"{file}line {edit.line}: {edit_words(edit)}"


def _short(code: str) -> str:
    return cut(" ".join(code.split()), _MOST_LETTERS)


def _wanting(tokens: Sequence[str]) -> tuple[bool, bool]:
    """Whether more is needed at the left, and at the right, for a piece to read by itself."""
    said = [token for token in tokens if not token.isspace()]
    if not said:
        return True, False
    depth = lowest = 0
    for token in said:
        depth += (token in "([") - (token in ")]")
        lowest = min(lowest, depth)
    return said[0] in _OPERATORS or lowest < 0, said[-1] in _OPERATORS or depth > lowest


def _operand_before(tokens: Sequence[str], start: int) -> int:
    """Where the operand begins that stands before `start`; a sign or a bracket counts as one."""
    at = start - 1
    while at > 0 and tokens[at].isspace():
        at -= 1
    opening, depth = _OPENING.get(tokens[at]), 0
    while opening is not None and at > 0:
        depth += (tokens[at] in _OPENING) - (tokens[at] in _OPENING.values())
        if depth == 0:
            return at - 1 if re.fullmatch(r"[\w.]+", tokens[at - 1]) else at
        at -= 1
    return max(at, 0)


def _operand_behind(tokens: Sequence[str], stop: int) -> int:
    """Where the operand ends that stands at `stop`."""
    at = stop
    while at < len(tokens) - 1 and tokens[at].isspace():
        at += 1
    depth = 0
    if at + 1 < len(tokens) and tokens[at + 1] == "(" and re.fullmatch(r"[\w.]+", tokens[at]):
        at += 1
    while (at < len(tokens) and tokens[at] in "([") or depth > 0:
        if at >= len(tokens):
            return len(tokens)
        depth += (tokens[at] in "([") - (tokens[at] in ")]")
        at += 1
        if depth == 0:
            return at
    return min(at + 1, len(tokens))
