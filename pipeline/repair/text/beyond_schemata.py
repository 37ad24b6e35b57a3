"""Proposes edits that no mutant schema can express: parentheses of macros, orders of declarations, precisions.

A macro's text replaces its name: without parentheses around its parameters, or around its body, a tighter operator
there takes a part of it. Precisions are those that a GLSL ES shader lacks, or has too low.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.glsl.lines import GENERATED, Line, line_map
from texelscope.pipeline.glsl.semantics.statement_macros import given_at
from texelscope.pipeline.glsl.source_text import is_es
from texelscope.pipeline.plan import ProgramSource

_MACRO = re.compile(r"(\s*#\s*define\s+(\w+)(?:\(([^)]*)\))?\s)(.*)$")
_NAME = re.compile(r"[A-Za-z_]\w*")
# Operators that bind tightly and split a macro's text before or after it.
_BEFORE, _BEHIND = frozenset("-*/%"), frozenset("*/%")
_OPERATOR = re.compile(r"[-+*/%<>?]")
# Not an expression: it has an effect, or continues on other lines.
_DONE = re.compile(r"[;{}\\]|(?<![=<>!])=(?!=)|//")
# The most edits of each kind that are tried.
_MOST = 8
_DECLARED = re.compile(r"\s*(?:(?:const|highp|mediump|lowp)\s+)*[a-z]\w*\s+(\w+)\s*=([^;]+);\s*(?://.*)?$")
_GIVEN = re.compile(r"\s*([A-Za-z_]\w*)(?:\.\w+|\[[^\]]*\])?\s*[-+*/]?=(?!=)([^;]+);\s*(?://.*)?$")
_WORD = re.compile(r"[A-Za-z_]\w*")
_NEITHER = frozenset({"return", "else"})
_LOW = re.compile(r"\b(?:lowp|mediump)\b")
_SAMPLER = re.compile(r"(\buniform\s+)((?:\w*sampler|\w*image)\w+\s)")
_PRECISION = re.compile(r"\s*precision\s+\w+\s+float\s*;")


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


def reordered(program: ProgramSource) -> Iterator[tuple[LineEdit, ...]]:
    """Yields edits that exchange two lines: the declaration uses what the other one changes, and not the reverse."""
    places, lines = line_map(program), program.fragment.split("\n")
    pairs = (
        (LineEdit(*places[at], lines[at], lines[at + 1]), LineEdit(*places[at + 1], lines[at + 1], lines[at]))
        for at in range(len(lines) - 1)
        if GENERATED not in (places[at][0], places[at + 1][0]) and _hang_together(lines[at], lines[at + 1])
    )
    yield from itertools.islice(pairs, _MOST)


def _hang_together(first: str, second: str) -> bool:
    for one, other in ((first, second), (second, first)):
        declared, given = _DECLARED.match(one), _GIVEN.match(other)
        if declared is not None and given is not None and one.split()[0] not in _NEITHER:
            is_used = declared[1] in _WORD.findall(other)
            return given[1] in _WORD.findall(declared[2]) and not is_used
    return False


def raised(program: ProgramSource) -> Iterator[tuple[LineEdit, ...]]:
    """Yields edits with more precision: samplers of high precision, each low one raised, and all of them."""
    if not is_es(program.fragment):
        return
    edits = []
    for line, text in zip(line_map(program), program.fragment.split("\n"), strict=False):
        if line[0] == GENERATED:
            continue
        after = _LOW.sub("highp", text)
        if after == text:
            after = _SAMPLER.sub(r"\1highp \2", text)
        if after != text:
            edits.append(LineEdit(*line, text, after))
        if _PRECISION.fullmatch(text) and "precision highp sampler2D" not in program.fragment:
            yield (LineEdit(*line, text, f"{text} precision highp sampler2D;"),)
    yield from ((edit,) for edit in edits[:_MOST])
    if len(edits) > 1:
        yield tuple(edits)
