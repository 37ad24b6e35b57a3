"""An index taken apart the other way about: what is its quotient becomes the rest, and the rest the quotient.

Blocks inside of channels, or channels inside of blocks; the last axis first, or the first one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import tree_sitter

from texelscope.pipeline.glsl.syntax import text_of, walk
from texelscope.pipeline.repair.indices.named_sizes import sizes_at
from texelscope.pipeline.repair.words.mutation import Mutation, Places, sign_of
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types

# The other part stands at most so many statements on. Of numbers so many are tried, none that is larger.
_APART, _MOST, _LARGEST = 3, 12, 1 << 12
_OTHER = {"/": "%", "%": "/"}


class _Part(NamedTuple):
    """`name` is given `number / divisor`, or the rest of it by `sign`; `node` says so."""

    name: str
    number: str
    sign: str
    divisor: str
    node: tree_sitter.Node


def decomposed(root: tree_sitter.Node, types: Types, scope: NameScope, sizes: Sequence[float]) -> Iterator[Places]:
    """Both parts of a decomposition at once, by the same number, by those of `sizes`, and by names of sizes."""
    has_remainders = b"%" in (root.text or b"")
    for block in walk(root):
        statements = block.named_children if block.type == "compound_statement" else []
        for place, statement in enumerate(statements):
            for first in _declared(statement, types):
                for after in statements[place : place + _APART + 1]:
                    second = _second(first, after, types)
                    if second is not None:
                        names = sizes_at(first.node, types, scope)
                        yield from _exchanged(first, second, names, sizes, has_remainders=has_remainders)


def _declared(statement: tree_sitter.Node, types: Types) -> Iterator[_Part]:
    """Quotients and rests of a variable that a declaration gives."""
    for each in statement.children_by_field_name("declarator") if statement.type == "declaration" else ():
        name, value = each.child_by_field_name("declarator"), each.child_by_field_name("value")
        if each.type != "init_declarator" or name is None or value is None or types.of(value) != "int":
            continue
        a, b, sign = value.child_by_field_name("left"), value.child_by_field_name("right"), sign_of(value)
        if a is not None and b is not None and a.type == "identifier" and sign in ("/", "%", "-"):
            yield _Part(text_of(name), text_of(a), sign, text_of(b), value)


def _second(first: _Part, after: tree_sitter.Node, types: Types) -> tree_sitter.Node | None:
    """What says the other part: a declaration's value, or what is done to the variable itself."""
    if first.sign == "-":
        return None
    for each in _declared(after, types):
        is_behind = each.number == first.number and each.node.start_byte > first.node.start_byte
        if is_behind and (each.sign == _OTHER[first.sign] or (first.sign == "/" and _is_rest(each.divisor, first))):
            return each.node
    inner = after.named_children[0] if after.type == "expression_statement" and after.named_child_count else None
    left = inner.child_by_field_name("left") if inner is not None and inner.type == "assignment_expression" else None
    right = inner.child_by_field_name("right") if inner is not None else None
    if inner is None or left is None or right is None or text_of(left) != first.number:
        return None
    sign = next((child.type for child in inner.children if child.type.endswith("=")), "")
    is_rest = sign == "%=" or (sign == "-=" and _is_rest(text_of(right), first))
    return after if (is_rest if first.sign == "/" else sign == "/=") else None


def _is_rest(taken_off: str, first: _Part) -> bool:
    """Whether something is the quotient times what it was divided by, about."""
    return taken_off.startswith(f"{first.name} *") or taken_off.endswith(f"* {first.name}")


def _exchanged(
    first: _Part, second: tree_sitter.Node, names: Sequence[str], sizes: Sequence[float], *, has_remainders: bool
) -> Iterator[Places]:
    numbers = [f"{size:g}" for size in sizes if size.is_integer() and 1 < size < _LARGEST][:_MOST]
    is_statement = second.type == "expression_statement"
    for by in dict.fromkeys((first.divisor, *names, *numbers)):
        rest = f"{first.number} % {by}" if has_remainders else f"{first.number} - {first.number} / {by} * {by}"
        quotient = f"{first.number} / {by}"
        one, other = (rest, quotient) if first.sign == "/" else (quotient, rest)
        if is_statement:
            is_divided = first.sign == "/"
            other = f"{first.number} /= {by};" if is_divided else f"{first.number} -= {first.name} * {by};"
        yield (_said(first.node, one, is_statement=False), _said(second, other, is_statement=is_statement))


def _said(node: tree_sitter.Node, new: str, *, is_statement: bool) -> tuple[tree_sitter.Node, Mutation]:
    kind, template = ("statement", new) if is_statement else ("index", f"({new})")
    return node, Mutation(node.start_byte, node.end_byte, text_of(node), new, kind, template)  # type: ignore[arg-type]
