"""Hides macros that stand for statements from the parser: heads of loops, blocks, declarations.

The parser does not know them. It gets a text in which heads are blank and such blocks have braces, and a list of what
they declare. It gets parameters without their precision, which it does not know either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from texelscope.pipeline.glsl.macro_growth import DEFINE, one_line_each
from texelscope.pipeline.glsl.semantics.expressions import Identifier
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse, without_precisions
from texelscope.pipeline.glsl.semantics.questions import declared_name
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    Declaration,
    DoWhileLoop,
    ForLoop,
    FunctionDefinition,
    IfStatement,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.source_text import without_comments

_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
_WORD = re.compile(r"\w+")
_HEADS = (ForLoop, WhileLoop, IfStatement)
_BLOCKS = (*_HEADS, CompoundStatement, DoWhileLoop)


@dataclass(frozen=True)
class MacroVariable:
    """A variable that a macro declares: it is in scope from byte `start` of the text to `stop`."""

    name: str
    kind: str
    start: int
    stop: int


@dataclass(frozen=True)
class StatementMacros:
    """Holds the text for the parser, of the same length; what macros declare; and the ranges that differ."""

    text: bytes
    declared: tuple[MacroVariable, ...]
    hidden: tuple[tuple[int, int], ...]

    def hides(self, start: int, stop: int) -> bool:
        """Whether a part of the text contains something hidden from the parser."""
        return any(start < last and first < stop for first, last in self.hidden)


@dataclass(frozen=True)
class _StatementMacro:
    """A macro; `given` is its parameter that has statements; None for heads of statements, and for declarations."""

    parameters: tuple[str, ...] | None
    declares: tuple[tuple[str, str], ...]
    is_head: bool
    given: int | None


def statement_macros_of(source: bytes) -> StatementMacros:
    """Finds those of a whole shader."""
    source = without_precisions(source)
    if b"define" not in source:
        return StatementMacros(source, (), ())
    bare = without_comments(source.decode("latin-1"))  # one letter per byte
    known = {name: macro for name, macro in _statement_macros(one_line_each(bare)) if macro is not None}
    text = _DIRECTIVE.sub(lambda match: " " * len(match[0]), bare)
    shown, declared, hidden = bytearray(source), list[MacroVariable](), list[tuple[int, int]]()
    for word in _WORD.finditer(text) if known else ():
        macro = known.get(word[0])
        given = given_at(text, word.end()) if macro is not None and macro.parameters is not None else []
        if macro is None or given is None:
            continue
        stop = given[-1][1] + 1 if given else word.end()
        names = dict(zip(macro.parameters or (), (text[a:b].strip() for a, b in given), strict=False))
        if macro.given is not None and macro.given < len(given):
            first, last = given[macro.given]
            hidden += [(word.start(), first), (last, stop)]
            shown[word.start() : first] = b"{".rjust(first - word.start())
            shown[last:stop] = b"}".ljust(stop - last)
        else:
            first, last = stop, _end(text, stop, is_head=macro.is_head)
            hidden.append((word.start(), stop))  # without what is declared nothing compiles
            if macro.is_head or text[stop:].lstrip()[:1] != ";":
                shown[word.start() : stop] = b" " * (stop - word.start())
        declared += [MacroVariable(names.get(name, name), kind, first, last) for name, kind in macro.declares]
    return StatementMacros(bytes(shown), tuple(declared), tuple(hidden))


def statements_of(body: str) -> SyntaxNode | None:
    """Returns the statements as the body of a function; None if they do not parse."""
    root = parse(constructors_as_calls(f"void f() {{ {body} }}".encode()))
    function = root.named_children[0] if len(root.named_children) == 1 and not root.has_error else None
    return function.body if isinstance(function, FunctionDefinition) else None


def _statement_macros(text: str) -> Iterator[tuple[str, _StatementMacro | None]]:
    for match in DEFINE.finditer(text):
        name, given, body = match.groups()
        parameters = tuple(_WORD.findall(given)) if given is not None else None
        yield name, _statement_macro(parameters, body.strip()) if re.search(r"\b(?:for|while|if)\b|;|=", body) else None


def _statement_macro(parameters: tuple[str, ...] | None, body: str) -> _StatementMacro | None:
    for place, name in reversed([*enumerate(parameters or ())]):
        inner = re.sub(rf"\b{name}\b", "{}", body)
        found = statements_of(inner) if len(re.findall(rf"\b{name}\b", body)) == 1 else None
        if found is not None and found.named_children and isinstance(found.named_children[0], _BLOCKS):
            return _StatementMacro(parameters, (*_declares(found),), is_head=False, given=place)
    found = statements_of(f"{body} {{}}")
    if found is not None and found.named_children and isinstance(found.named_children[-1], _HEADS):
        return _StatementMacro(parameters, (*_declares(found),), is_head=True, given=None)
    found = statements_of(f"{body};")
    declares = tuple(_declares(found)) if found is not None else ()
    return _StatementMacro(parameters, declares, is_head=False, given=None) if declares else None


def _declares(block: SyntaxNode) -> Iterator[tuple[str, str]]:
    """Yields names with their types."""
    for node in block.of_type(Declaration):
        for each in node.declarators:
            name = each.text if isinstance(each, Identifier) else declared_name(each)
            if name and node.type is not None:
                yield name, node.type.text


def given_at(text: str, start: int) -> list[tuple[int, int]] | None:
    """Returns the range of each argument after a macro's name; None if there are none."""
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
    """Returns the end of a statement after a head, or of the block around something."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        is_over = text[at] in "};" and depth == 0 if is_head else depth < 0
        if is_over or depth < 0:
            return at
    return len(text)
