"""Replaces `discard` where a fragment must live to write its log into colours.

A discarded fragment writes no colour. So `discard` becomes a return, behind which nothing is recorded. A return leaves
one function only: its caller goes on unrecorded, with any value, and loops end before their next turn, because the
values that would have ended them may never come.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import Identifier
from texelscope.pipeline.glsl.semantics.questions import function_around
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    DoWhileLoop,
    ForLoop,
    FunctionDefinition,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.variables import returned_type

# A byte offset, the text inserted there, and its rank among the insertions at one offset.
Insertion = tuple[int, str, tuple[int, ...]]
_BESIDE_THE_WORD, _BEHIND_THE_WORD = (9,), (-9,)
_HAS_ZERO = re.compile(r"float|u?int|bool|[biu]?vec[234]|mat[234](?:x[234])?")


def insertions_for_discards(root: SyntaxNode, source: bytes) -> Iterator[Insertion]:
    """Yields what makes each `discard` of a parsed shader a return; see `shaders/read_trace/scan_place.glsl`."""
    words = [node for node in root.of_type(Identifier) if node.text == "discard"]
    around = {word.start_byte: definition for word in words if (definition := function_around(word)) is not None}
    values = {each.start_byte: _value(each, source) for each in around.values()}
    for word in words:
        if word.start_byte not in around:
            continue
        value = " tap_none" if values[around[word.start_byte].start_byte] else ""
        # A loop of one turn: an `if` would take the `else` of the `if` around it.
        yield word.start_byte, f"while (tap_stop()) return{value} /* ", _BESIDE_THE_WORD
        yield word.end_byte, " */", _BEHIND_THE_WORD
    for definition in {each.start_byte: each for each in around.values()}.values():
        if value := values[definition.start_byte]:
            yield _first_in(definition.body, value)
    if any(each.name != "main" for each in around.values()):
        for loop in (*root.of_type(ForLoop), *root.of_type(WhileLoop, DoWhileLoop)):
            yield from _ended(loop.body)


def _value(definition: FunctionDefinition, source: bytes) -> str:
    """Returns the declaration of what a function returns instead of its result; empty where it returns nothing."""
    kind, sizes = returned_type(definition)
    if kind == "void":
        return ""
    written = source[definition.start_byte : definition.declarator.start_byte].decode().strip()
    zero = f" = {kind}(0)" if not sizes and _HAS_ZERO.fullmatch(kind) else ""
    return f"{written} tap_none{zero};"


def _first_in(body: SyntaxNode, text: str) -> Insertion:
    return body.start_byte + 1, f" {text}", (-1, -body.end_byte - 1)


def _ended(body: SyntaxNode) -> Iterator[Insertion]:
    """Yields what ends a loop with that body once the fragment has stopped."""
    check = "if (tap_gone) break;"
    if isinstance(body, CompoundStatement):
        yield _first_in(body, check)
        return
    yield body.start_byte, f"{{ {check} ", (-1, -body.end_byte - 1)
    yield body.end_byte, " }", (-2, -body.start_byte, 1)
