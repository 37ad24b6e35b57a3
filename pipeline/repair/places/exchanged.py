"""What two variables are given, exchanged; and so what two names stand for in `#define`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TypeVar

import tree_sitter

from texelscope.pipeline.glsl.syntax import function_around, text_of, walk
from texelscope.pipeline.repair.places.leaves import leaves_of
from texelscope.pipeline.repair.words.macros import Macro
from texelscope.pipeline.repair.words.mutation import Places, sign_of, swap
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, is_matrix, scalar_of

_T = TypeVar("_T")
# Not farther apart than so many lines, and no longer.
_APART, _LONGEST = 2, 400


def exchanged(root: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[Places]:
    """Of every two variables of one type that are given something on lines near one another."""
    values = [value for node in walk(root) if (value := _given(node)) is not None]
    for first, second in _near([(each, each.start_point[0]) for each in values]):
        if function_around(first) == function_around(second) and _are_alike(first, second, types):
            known = [{name for name, _ in scope.variables(each)} for each in (first, second)]
            names = {text_of(each) for value in (first, second) for leaf in leaves_of(value) for each in walk(leaf)}
            if not names & (known[0] ^ known[1]):
                yield (first, swap(first, text_of(second))), (second, swap(second, text_of(first)))


def exchanged_macros(macros: Sequence[Macro], types: Types, scope: NameScope) -> Iterator[Places]:
    """Of every two macros of one type on lines near one another, neither of which comes to stand for itself."""
    for first, second in _near([(each, each.line) for each in macros]):
        one, other = first.expression, second.expression
        if _are_alike(one, other, types) and _may_say(one, other, scope) and _may_say(other, one, scope):
            yield (
                (one, swap(one, text_of(other)).moved(first.shift)),
                (other, swap(other, text_of(one)).moved(second.shift)),
            )


def _may_say(one: tree_sitter.Node, other: tree_sitter.Node, scope: NameScope) -> bool:
    return all(scope.is_known(text_of(leaf), one) for leaf in leaves_of(other))


def _near(some: Sequence[tuple[_T, int]]) -> Iterator[tuple[_T, _T]]:
    for (one, line), (other, below) in itertools.combinations(some, 2):
        if below - line <= _APART:
            yield one, other


def _are_alike(first: tree_sitter.Node, second: tree_sitter.Node, types: Types) -> bool:
    kind, texts = types.of(first), (text_of(first), text_of(second))
    is_value = bool(scalar_of(kind)) and not is_matrix(kind) and kind == types.of(second)
    return is_value and texts[0] != texts[1] and not any(len(each) > _LONGEST or "#" in each or "//" in each
                                                         for each in texts)  # fmt: skip


def _given(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """What a variable is given as a whole, within a function; no number alone."""
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    is_whole = node.type == "init_declarator" or (node.type == "assignment_expression" and sign_of(node) == "=")
    if not is_whole or value is None or function_around(node) is None or value.type == "number_literal":
        return None
    return value
