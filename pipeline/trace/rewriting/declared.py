"""What a declaration declares, from the words of its text: the parser takes some of GLSL's for C's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import tree_sitter

from texelscope.pipeline.glsl.syntax import text_of

_QUALIFIERS = frozenset(
    {
        "const", "in", "out", "inout", "uniform", "buffer", "shared", "highp", "mediump", "lowp", "precise",
        "invariant", "flat", "smooth", "noperspective", "centroid", "sample", "varying", "attribute", "layout",
        "coherent", "restrict", "readonly", "writeonly", "volatile", "subroutine",
    }
)  # fmt: skip
_SCALARS = ("float", "int", "uint", "bool")
_OPENING, _CLOSING = "([{", ")]}"


@dataclass(frozen=True)
class DeclaredVariable:
    """A variable: its type, its name, the sizes of its array, outermost first, the text of its value (or empty)."""

    type: str
    name: str
    sizes: tuple[str, ...] = ()
    value: str = ""
    qualifiers: frozenset[str] = frozenset()


def words_of(node: tree_sitter.Node) -> tuple[str, ...]:
    """The words and signs of a node, in order, without comments."""
    return tuple(text for leaf in _leaves(node) if leaf.type != "comment" and (text := text_of(leaf)))


def variables(words: Sequence[str]) -> tuple[DeclaredVariable, ...]:
    """Those of a declaration, or of a function's parameter; none where it declares something else."""
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
    """The value of a constant that is written as numbers, lane by lane; None of any other."""
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


def returned_type(definition: tree_sitter.Node) -> tuple[str, tuple[str, ...]]:
    """What a function gives: the type and the sizes of its array."""
    declarator = definition.child_by_field_name("declarator")
    before = [
        word
        for child in definition.children
        if declarator is not None and child.end_byte <= declarator.start_byte
        for word in words_of(child)
    ]
    _, at = _qualifiers(before)
    if at >= len(before):
        return "", ()
    return before[at], _sizes(before, at + 1)[0]


def parameters(definition: tree_sitter.Node) -> tuple[DeclaredVariable, ...]:
    """A function's parameters, one each, with an empty name where it has none."""
    declarator = definition.child_by_field_name("declarator")
    inner = declarator.child_by_field_name("parameters") if declarator is not None else None
    words = words_of(inner)[1:-1] if inner is not None else ()
    found, part = [], list[str]()
    at = 0
    while at <= len(words):
        if at == len(words) or words[at] == ",":
            if part and part != ["void"]:
                found.append(next(iter(variables(part)), DeclaredVariable(part[-1], "")))
            part, at = [], at + 1
        else:
            stop = _behind(words, at) if words[at] in _OPENING else at + 1
            part.extend(words[at:stop])
            at = stop
    return tuple(found)


def members(struct: tree_sitter.Node) -> tuple[DeclaredVariable, ...]:
    """A struct's members, in order."""
    body = struct.child_by_field_name("body")
    fields = body.named_children if body is not None else []
    return tuple(each for field in fields if field.type == "field_declaration" for each in variables(words_of(field)))


def _qualifiers(words: Sequence[str]) -> tuple[frozenset[str], int]:
    at, found = 0, set[str]()
    while at < len(words) and words[at] in _QUALIFIERS:
        found.add(words[at])
        at += 1
        if words[at - 1] == "layout" and at < len(words) and words[at] == "(":
            at = _behind(words, at)
    return frozenset(found), at


def _sizes(words: Sequence[str], at: int) -> tuple[tuple[str, ...], int]:
    found = []
    while at < len(words) and words[at] == "[":
        stop = _behind(words, at)
        found.append(" ".join(words[at + 1 : stop - 1]))
        at = stop
    return tuple(found), at


def _behind(words: Sequence[str], at: int) -> int:
    """Behind what closes the bracket at `at`."""
    depth = 0
    for number in range(at, len(words)):
        depth += (words[number] in _OPENING) - (words[number] in _CLOSING)
        if depth == 0:
            return number + 1
    return len(words)


def _leaves(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    pending = [node]
    while pending:
        current = pending.pop()
        if not current.children:
            yield current
        pending.extend(reversed(current.children))
