"""Statements that were left out: what stands there lacks them, a variable that is idle, a quotient without its rest.

Each is put before the statement that follows, or at a block's end.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import text_of, walk
from texelscope.pipeline.repair.edits.families import missing, otherwise
from texelscope.pipeline.repair.words.mutation import Mutation, sign_of
from texelscope.pipeline.repair.words.scope import declared
from texelscope.pipeline.repair.words.types import Types, is_matrix, lanes_of, scalar_of

# Of sums that a function has, and of variables that go into them, so many are tried with each other.
_MOST_SUMS, _MOST = 3, 4
_LOOPS = frozenset({"for_statement", "while_statement"})
_STEPS = {"++": "--", "--": "++"}
_WRITES = frozenset({"assignment_expression", "update_expression"})
_VALUES = frozenset({"number_literal", "call_expression", "unary_expression"})
# A node before which something is put, and what it is.
_Put = tuple[tree_sitter.Node, str]


def left_out(root: tree_sitter.Node, types: Types) -> Iterator[tuple[tree_sitter.Node, Mutation]]:
    """What may be put between the statements of each function, with the statement behind which that is."""
    for function in walk(root):
        body = function.child_by_field_name("body") if function.type == "function_definition" else None
        if body is None or function.has_error:
            continue
        made = itertools.chain(
            _rests(body, types), _idle(function, body, types), _sums(body, types), _steps(body), missing(body, types)
        )
        for behind, new in dict.fromkeys(made):
            place = _behind(behind)
            if place is not None:
                yield behind, Mutation(place, place, "", f"{new} ", "left out", new)
        for node, new in dict.fromkeys(otherwise(body, types)):
            yield node, Mutation(node.start_byte, node.end_byte, text_of(node), new, "statement", new)


def _behind(statement: tree_sitter.Node) -> int | None:
    """The byte where something stands behind a statement; None where that is within another one."""
    around = statement.parent
    if around is None or around.type != "compound_statement":
        return None
    after = statement.next_named_sibling
    while after is not None and after.type == "comment":
        after = after.next_named_sibling
    place = after.start_byte if after is not None else around.end_byte - 1
    return place if place > statement.end_byte and (after is None or not after.type.startswith("preproc")) else None


def _rests(body: tree_sitter.Node, types: Types) -> Iterator[_Put]:
    """Of c = k / n, where k is used further on, k -= c * n; of c = k % n the quotient k /= n."""
    written = _written(body)
    for name, value, statement in _given(body):
        a, b, sign = value.child_by_field_name("left"), value.child_by_field_name("right"), sign_of(value)
        if sign not in ("/", "%") or a is None or b is None or a.type != "identifier" or types.of(value) != "int":
            continue
        number, divisor = text_of(a), text_of(b) if b.type != "binary_expression" else f"({text_of(b)})"
        if any(each.start_byte > statement.start_byte for each in written.get(number, ())) or number == name:
            continue
        if any(each.start_byte > statement.end_byte for each in _uses(body, number)):
            yield statement, f"{number} -= {name} * {divisor};" if sign == "/" else f"{number} /= {divisor};"


def _idle(function: tree_sitter.Node, body: tree_sitter.Node, types: Types) -> Iterator[_Put]:
    """What is worked out and goes nowhere, into a sum of its function: alone, and times another such one."""
    counts = Counter(text_of(each) for each in walk(function) if each.type == "identifier")
    idle = [(name, statement) for name, _, statement in _given(body) if counts[name] == 1]
    sums = [name for name, some in _written(body).items() if any(_is_sum(each) for each in some)][:_MOST_SUMS]
    for name, statement in idle[: 2 * _MOST]:
        kind = types.at(statement, name)
        for total in sums if scalar_of(kind) == "float" and not is_matrix(kind) else ():
            own = types.at(statement, total)
            if own == kind:
                yield from ((statement, f"{total} {sign} {name};") for sign in ("+=", "-=", "*=", "="))
            for other, before in idle:
                if other == name or types.at(before, other) != kind or before.start_byte > statement.start_byte:
                    continue
                if own == kind:
                    yield statement, f"{total} += {other} * {name};"
                if own == "float" and lanes_of(kind) > 1:
                    yield statement, f"{total} += dot({other}, {name});"


def _sums(body: tree_sitter.Node, types: Types) -> Iterator[_Put]:
    """What begins as a number, is used and never changed: gathered at the end of a loop in between."""
    written = _written(body)
    for name, value, statement in _given(body):
        is_used = any(each.start_byte > statement.end_byte for each in _uses(body, name))
        if value.type not in _VALUES or name in written or not is_used or _is_fixed(statement):
            continue
        kind = types.at(statement, name)
        for loop in walk(body):
            inside = loop.child_by_field_name("body") if loop.type in _LOOPS else None
            if inside is None or inside.type != "compound_statement" or loop.start_byte < statement.end_byte:
                continue
            own = [(each, at) for each, _, at in _given(inside) if types.at(at, each) in (kind, "float")]
            for each, at in own[-_MOST:] if scalar_of(kind) == "float" and not is_matrix(kind) else ():
                yield at, f"{name} += {each};"
                if types.at(at, each) == kind:
                    yield at, f"{name} = max({name}, {each});"
            if kind == "int" and inside.named_children:
                yield inside.named_children[-1], f"{name} += 1;"


def _steps(body: tree_sitter.Node) -> Iterator[_Put]:
    """Behind a condition that moves an index on what moves it back."""
    for node in walk(body):
        asked = node.child_by_field_name("condition") if node.type == "if_statement" else None
        for each in walk(asked) if asked is not None else ():
            moved, sign = each.child_by_field_name("argument"), sign_of(each)
            if each.type == "update_expression" and moved is not None and sign in _STEPS:
                yield node, f"{_STEPS[sign]}{text_of(moved)};"


def _given(body: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node, tree_sitter.Node]]:
    """What declarations give: the name, the value and the statement."""
    for node in walk(body):
        if node.type == "declaration" and node.parent is not None and node.parent.type == "compound_statement":
            names = [*declared(node)]
            for name, each in zip(names, node.children_by_field_name("declarator"), strict=False):
                value = each.child_by_field_name("value") if each.type == "init_declarator" else None
                if value is not None and name:
                    yield name, value, node


def _written(body: tree_sitter.Node) -> dict[str, list[tree_sitter.Node]]:
    """By name of a variable where it is changed, whole or in part."""
    found: dict[str, list[tree_sitter.Node]] = {}
    for node in walk(body):
        if node.type in _WRITES:
            target = node.child_by_field_name("left") or node.child_by_field_name("argument")
            name = next((text_of(each) for each in walk(target) if each.type == "identifier"), "") if target else ""
            found.setdefault(name, []).append(node)
    return found


def _uses(body: tree_sitter.Node, name: str) -> Iterable[tree_sitter.Node]:
    return (each for each in walk(body) if each.type == "identifier" and text_of(each) == name)


def _is_sum(write: tree_sitter.Node) -> bool:
    left = write.child_by_field_name("left")
    return left is not None and left.type == "identifier" and any(each.type == "+=" for each in write.children)


def _is_fixed(declaration: tree_sitter.Node) -> bool:
    return any(text_of(each) == "const" for each in declaration.children)
