"""Adds parentheses that a macro lacks: around its parameters, or around its body. No mutant schema can express them.

A macro's text replaces its name: a tighter operator there takes a part of it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.glsl.lines import GENERATED, Line, line_map
from texelscope.pipeline.glsl.semantics.statement_macros import given_at
from texelscope.pipeline.plan import ProgramSource

_MACRO = re.compile(r"(\s*#\s*define\s+(\w+)(?:\(([^)]*)\))?\s)(.*)$")
_NAME = re.compile(r"[A-Za-z_]\w*")
# Operators that bind tightly and split a macro's text before or after it.
_BEFORE, _BEHIND = frozenset("-*/%"), frozenset("*/%")
_OPERATOR = re.compile(r"[-+*/%<>?]")
# Not an expression: it has an effect, or continues on other lines.
_DONE = re.compile(r"[;{}\\]|(?<![=<>!])=(?!=)|//")
# The most edits that are tried.
_MOST = 8


def bracketed(program: ProgramSource) -> Iterator[tuple[LineEdit, ...]]:
    """Yields edits of one macro each: its parameters in parentheses, where that matters, then the whole expression."""
    yield from itertools.islice(_edits(program), _MOST)


def _edits(program: ProgramSource) -> Iterator[tuple[LineEdit, ...]]:
    places, lines = line_map(program), program.fragment.split("\n")
    for at, text in enumerate(lines):
        match = _MACRO.match(text) if places[at][0] != GENERATED else None
        if match is None:
            continue
        head, name, given, body = match.groups()
        stop = next((end for end in range(at, len(lines)) if not lines[end].endswith("\\")), at) + 1
        others = "\n".join((*lines[:at], *lines[stop:]))
        bodies = [body, *lines[at + 1 : stop]]
        if given and any(_OPERATOR.search(argument) for use in _given(name, others) for argument in use):
            bodies = [_enclosed(each, _NAME.findall(given)) for each in bodies]
            yield from _of_lines(places[at:stop], lines[at:stop], [head + bodies[0], *bodies[1:]])
        if stop == at + 1 and _is_open(name, body, others, is_call=given is not None):
            yield (LineEdit(*places[at], text, f"{head}({bodies[0].strip()})"),)


def _of_lines(places: Sequence[Line], before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[LineEdit, ...]]:
    """Yields each changed line alone, and all of them."""
    changed = [LineEdit(*place, old, new) for place, old, new in zip(places, before, after, strict=True) if old != new]
    yield from ((edit,) for edit in changed)
    if len(changed) > 1:
        yield tuple(changed)


def _enclosed(body: str, names: Sequence[str]) -> str:
    """Returns a macro's body with each of its parameters in parentheses where that matters."""

    def written(match: re.Match[str]) -> str:
        before, after = body[: match.start()].rstrip()[-1:] or " ", body[match.end() :].lstrip()[:1] or " "
        return f"({match[0]})" if before in _BEFORE or after in _BEHIND else match[0]

    return re.sub(rf"(?<![\w.])(?:{'|'.join(names)})\b(?!\s*\()", written, body) if names else body


def _is_open(name: str, body: str, others: str, *, is_call: bool) -> bool:
    """Whether a macro is an expression of several parts that is used in products."""
    call = r"\s*\([^;\n]*?\)" if is_call else ""
    is_within = re.search(rf"[-*/%]\s*{name}\b|\b{name}\b{call}\s*[*/%]", others) is not None
    return is_within and _DONE.search(body) is None and _OPERATOR.search(_without_calls(body)) is not None


def _given(name: str, text: str) -> Iterator[list[str]]:
    """Yields the arguments at each use of a macro."""
    for match in re.finditer(rf"\b{name}\b", text):
        yield [text[start:stop] for start, stop in given_at(text, match.end()) or ()]


def _without_calls(body: str) -> str:
    """Returns an expression without the contents of parentheses."""
    while (shorter := re.sub(r"\([^()]*\)", "", body)) != body:
        body = shorter
    return body
