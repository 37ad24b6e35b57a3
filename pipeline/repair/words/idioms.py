"""Macros that stand for statements: heads of loops, blocks around what they are given, declarations.

A parser knows nothing of them. It is shown a text in which heads are blanks and such blocks have braces, and is told
what is declared by them. Nor does it know of parameters with a precision: it is shown them without.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter

from texelscope.pipeline.glsl.comments import without_comments
from texelscope.pipeline.glsl.macro_growth import DEFINE, one_line_each
from texelscope.pipeline.glsl.syntax import (
    constructors_as_calls,
    declared_name,
    parse,
    text_of,
    walk,
    without_precisions,
)

_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
_WORD = re.compile(r"\w+")
_HEADS = frozenset({"for_statement", "while_statement", "if_statement"})
_BLOCKS = _HEADS | {"compound_statement", "do_statement"}


@dataclass(frozen=True)
class MacroVariable:
    """A variable that a macro declares: from byte `start` of the text to `stop` it is known."""

    name: str
    kind: str
    start: int
    stop: int


@dataclass(frozen=True)
class Idioms:
    """The text as a parser takes it, as long as it was; what is declared; from where to where it reads otherwise."""

    text: bytes
    declared: tuple[MacroVariable, ...]
    hidden: tuple[tuple[int, int], ...]

    def hides(self, start: int, stop: int) -> bool:
        """Whether a part of the text has something in it that the parser is not shown."""
        return any(start < last and first < stop for first, last in self.hidden)


@dataclass(frozen=True)
class _Idiom:
    """`given`: which parameter stands for statements; None of a head of a statement, and of declarations alone."""

    parameters: tuple[str, ...] | None
    declares: tuple[tuple[str, str], ...]
    is_head: bool
    given: int | None


def idioms_of(source: bytes) -> Idioms:
    """Of a whole shader."""
    source = without_precisions(source)
    if b"define" not in source:
        return Idioms(source, (), ())
    bare = without_comments(source.decode("latin-1"))  # a letter a byte
    known = {name: idiom for name, idiom in _idioms(one_line_each(bare)) if idiom is not None}
    text = _DIRECTIVE.sub(lambda match: " " * len(match[0]), bare)
    shown, declared, hidden = bytearray(source), list[MacroVariable](), list[tuple[int, int]]()
    for word in _WORD.finditer(text) if known else ():
        idiom = known.get(word[0])
        given = given_at(text, word.end()) if idiom is not None and idiom.parameters is not None else []
        if idiom is None or given is None:
            continue
        stop = given[-1][1] + 1 if given else word.end()
        names = dict(zip(idiom.parameters or (), (text[a:b].strip() for a, b in given), strict=False))
        if idiom.given is not None and idiom.given < len(given):
            first, last = given[idiom.given]
            hidden += [(word.start(), first), (last, stop)]
            shown[word.start() : first] = b"{".rjust(first - word.start())
            shown[last:stop] = b"}".ljust(stop - last)
        else:
            first, last = stop, _end(text, stop, is_head=idiom.is_head)
            hidden.append((word.start(), stop))  # without what is declared nothing compiles
            if idiom.is_head or text[stop:].lstrip()[:1] != ";":
                shown[word.start() : stop] = b" " * (stop - word.start())
        declared += [MacroVariable(names.get(name, name), kind, first, last) for name, kind in idiom.declares]
    return Idioms(bytes(shown), tuple(declared), tuple(hidden))


def statements_of(body: str) -> tree_sitter.Node | None:
    """What stands between the braces of a function of such statements; None where it does not parse."""
    root = parse(constructors_as_calls(f"void f() {{ {body} }}".encode()))
    function = root.named_children[0] if root.named_child_count == 1 and not root.has_error else None
    return function.child_by_field_name("body") if function is not None else None


def _idioms(text: str) -> Iterator[tuple[str, _Idiom | None]]:
    for match in DEFINE.finditer(text):
        name, given, body = match.groups()
        parameters = tuple(_WORD.findall(given)) if given is not None else None
        yield name, _idiom(parameters, body.strip()) if re.search(r"\b(?:for|while|if)\b|;|=", body) else None


def _idiom(parameters: tuple[str, ...] | None, body: str) -> _Idiom | None:
    for place, name in reversed([*enumerate(parameters or ())]):
        inner = re.sub(rf"\b{name}\b", "{}", body)
        found = statements_of(inner) if len(re.findall(rf"\b{name}\b", body)) == 1 else None
        if found is not None and found.named_children and found.named_children[0].type in _BLOCKS:
            return _Idiom(parameters, (*_declares(found),), is_head=False, given=place)
    found = statements_of(f"{body} {{}}")
    if found is not None and found.named_children and found.named_children[-1].type in _HEADS:
        return _Idiom(parameters, (*_declares(found),), is_head=True, given=None)
    found = statements_of(f"{body};")
    declares = tuple(_declares(found)) if found is not None else ()
    return _Idiom(parameters, declares, is_head=False, given=None) if declares else None


def _declares(block: tree_sitter.Node) -> Iterator[tuple[str, str]]:
    """Names with their types."""
    for node in walk(block):
        kind = node.child_by_field_name("type") if node.type == "declaration" else None
        for each in node.children_by_field_name("declarator") if kind is not None else ():
            name = text_of(each) if each.type == "identifier" else declared_name(each)
            if name and kind is not None:
                yield name, text_of(kind)


def given_at(text: str, start: int) -> list[tuple[int, int]] | None:
    """From where to where each argument stands behind a macro's name; None where none do."""
    place = start + len(text[start:]) - len(text[start:].lstrip())
    if text[place : place + 1] != "(":
        return None
    found, first, depth = list[tuple[int, int]](), place + 1, 0
    for at in range(place, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0 or (depth == 1 and text[at] == ","):
            found.append((first, at))
            first = at + 1
        if depth == 0:
            return found
    return None


def _end(text: str, start: int, *, is_head: bool) -> int:
    """Where a statement behind a head ends, or the block that something stands in."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        is_over = text[at] in "};" and depth == 0 if is_head else depth < 0
        if is_over or depth < 0:
            return at
    return len(text)
