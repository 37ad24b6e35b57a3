"""Parses declarations from the words of their text: the parser takes some of GLSL's for C's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.glsl.semantics.statements import FunctionDeclarator, FunctionDefinition, StructSpecifier
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode

_QUALIFIERS = frozenset(
    {
        "const", "in", "out", "inout", "uniform", "buffer", "shared", "highp", "mediump", "lowp", "precise",
        "invariant", "flat", "smooth", "noperspective", "centroid", "sample", "varying", "attribute", "layout",
        "coherent", "restrict", "readonly", "writeonly", "volatile", "subroutine",
    }
)  # fmt: skip
_SCALARS = ("float", "int", "uint", "bool")
_WORD = re.compile(r"[A-Za-z_]\w*|[\d.]+\w*|\S")
_OPENING, _CLOSING = "([{", ")]}"


@dataclass(frozen=True)
class DeclaredVariable:
    """A variable: its type, its name, the sizes of its array, outermost first, the text of its value (or empty)."""

    type: str
    name: str
    sizes: tuple[str, ...] = ()
    value: str = ""
    qualifiers: frozenset[str] = frozenset()


def words_of(node: SyntaxNode) -> tuple[str, ...]:
    """Returns the words and signs of a node, in order, without comments."""
    leaves = (each for each in node.walk() if not each.children and not isinstance(each, Comment))
    return tuple(text for leaf in leaves if (text := leaf.text))


def words_in(text: str) -> list[str]:
    """Returns the words and signs of a text without comments and directives."""
    return _WORD.findall(text)


def variables_of(declaration: SyntaxNode) -> tuple[DeclaredVariable, ...]:
    """The variables of a declaration, of a member, of a parameter; none where it declares something else."""
    return variables_in(words_of(declaration))


def variables_in(words: Sequence[str]) -> tuple[DeclaredVariable, ...]:
    """Returns the variables of a declaration's words and signs; none where it declares something else."""
    qualifiers, at = _qualifiers(words)
    if at >= len(words) or words[at] == "precision":
        return ()
    kind, at = words[at], at + 1
    if kind == "struct":
        kind = words[at] if words[at] != "{" else ""
        at = _behind(words, words.index("{", at)) if "{" in words[at:] else len(words)
    outer, at = _sizes(words, at)
    found = []
    while at < len(words) and words[at].isidentifier():
        name = words[at]
        sizes, at = _sizes(words, at + 1)
        start = at
        while at < len(words) and words[at] not in (",", ";"):
            at = _behind(words, at) if words[at] in _OPENING else at + 1
        if start < at and words[start] != "=":
            return ()  # a function, or what this does not know
        value = " ".join(words[start + 1 : at])
        found.append(DeclaredVariable(kind, name, (*sizes, *outer), value, qualifiers))
        at += 1
    return tuple(found)


def plain_value(each: DeclaredVariable) -> tuple[int | float | bool, ...] | None:
    """Returns the value of a constant that is written as numbers, lane by lane; None of any other."""
    words = [word for word in each.value.split() if word not in (",", "(", ")")]
    behind = words[1:] if words[:1] == [each.type] else words
    if behind[:1] == ["["] and "]" in behind:
        behind = behind[behind.index("]") + 1 :]
    if not behind or (len(behind) > 1) != (each.type not in _SCALARS or bool(each.sizes)):
        return None
    try:
        return tuple(_number(word, each.type) for word in behind)
    except ValueError:
        return None


def _number(word: str, kind: str) -> int | float | bool:
    if word in ("true", "false"):
        return word == "true"
    if kind in ("int", "uint") or kind.startswith(("ivec", "uvec")):
        return int(word.rstrip("uU"), 0)
    return float(np.float32(word.rstrip("fF")))


def returned_type(definition: FunctionDefinition) -> tuple[str, tuple[str, ...]]:
    """Returns a function's return type and the sizes of its array."""
    start = definition.declarator.start_byte
    before = [word for child in definition.children if child.end_byte <= start for word in words_of(child)]
    _, at = _qualifiers(before)
    if at >= len(before):
        return "", ()
    return before[at], _sizes(before, at + 1)[0]


def parameters_of(definition: FunctionDefinition) -> tuple[DeclaredVariable, ...]:
    """Returns a function's parameters, one each, with an empty name where it has none."""
    declarator = definition.declarator
    words = words_of(declarator.parameter_list)[1:-1] if isinstance(declarator, FunctionDeclarator) else ()
    found, part = [], list[str]()
    at = 0
    while at <= len(words):
        if at == len(words) or words[at] == ",":
            if part and part != ["void"]:
                found.append(next(iter(variables_in(part)), DeclaredVariable(part[-1], "")))
            part, at = [], at + 1
        else:
            stop = _behind(words, at) if words[at] in _OPENING else at + 1
            part.extend(words[at:stop])
            at = stop
    return tuple(found)


def members_of(struct: StructSpecifier) -> tuple[DeclaredVariable, ...]:
    """Returns a struct's members, in order."""
    lines = struct.body.lines if struct.body is not None else ()
    return tuple(each for line in lines for each in variables_of(line))


def _qualifiers(words: Sequence[str]) -> tuple[frozenset[str], int]:
    at, found = 0, set[str]()
    while at < len(words) and words[at] in _QUALIFIERS:
        found.add(words[at])
        at += 1
        if words[at - 1] == "layout" and at < len(words) and words[at] == "(":
            at = _behind(words, at)
    return frozenset(found), at


def trailing_qualifiers(words: Sequence[str]) -> Sequence[str]:
    """Returns the qualifiers at the end of the words in front of a declaration: other text may come before them."""
    at = len(words)
    while at:
        if words[at - 1] in _QUALIFIERS:
            at -= 1
        elif words[at - 1] == ")" and "layout" in words[:at]:
            start = at - 1 - words[at - 1 :: -1].index("layout")
            if _behind(words, start + 1) != at:
                break
            at = start
        else:
            break
    return words[at:]


def _sizes(words: Sequence[str], at: int) -> tuple[tuple[str, ...], int]:
    found = []
    while at < len(words) and words[at] == "[":
        stop = _behind(words, at)
        found.append(" ".join(words[at + 1 : stop - 1]))
        at = stop
    return tuple(found), at


def _behind(words: Sequence[str], at: int) -> int:
    """Returns the position after the bracket that closes the one at `at`."""
    depth = 0
    for number in range(at, len(words)):
        depth += (words[number] in _OPENING) - (words[number] in _CLOSING)
        if depth == 0:
            return number + 1
    return len(words)
