"""What is done beyond a picture's border: nothing counts there, or the edge's element, the mirrored or the next one.

And what a loop forgets to move on: a whole number that is declared before it, used in it and never changed.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, function_around, function_called, function_name, text_of, walk
from texelscope.pipeline.repair.words.mutation import NUMBER, Mutation, sign_of
from texelscope.pipeline.repair.words.scope import NameScope, declared
from texelscope.pipeline.repair.words.types import Types, lanes_of, scalar_of

_STEPS = (1, 2, 3, 4)
_LONGEST = 600
_MOST = 6
_PLACES = frozenset({"int", "ivec2", "ivec3"})


def at_borders(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """What may stand in place of a statement, or at a loop's end."""
    text = text_of(node)
    if node.has_error or "#" in text or "//" in text:
        return
    if node.type == "for_statement":
        yield from _moved_on(node, types, scope)
        return
    if len(text) > _LONGEST:
        return
    if node.type == "expression_statement":
        made = _instead_of_the_edge(node, types)
    elif node.type == "if_statement":
        made = _the_edge_instead(node, types)
    else:
        return
    for new in dict.fromkeys(made):
        yield Mutation(node.start_byte, node.end_byte, text, new, "statement", new)


def _instead_of_the_edge(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """Of p = clamp(p, first, last) zero beyond the border, the mirrored element, that of the other side."""
    inner = node.named_children[0] if node.named_child_count == 1 else None
    if inner is None or inner.type != "assignment_expression":
        return
    left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    if left is None or right is None or right.type != "call_expression" or function_called(right) != "clamp":
        return
    given, kind, name = arguments(right), types.of(left), text_of(left)
    if kind not in _PLACES or len(given) != 3 or text_of(given[0]) != name:
        return
    first, last = (text_of(each) if types.of(each) == kind else f"{kind}({text_of(each)})" for each in given[1:])
    nothing = _nothing(node, types)
    if nothing and kind == "int":
        yield f"if ({name} < {first} || {name} > {last}) return {nothing};"
    elif nothing:
        yield f"if (any(lessThan({name}, {first})) || any(greaterThan({name}, {last}))) return {nothing};"
    yield f"{name} = ({last}) - abs(({last}) - abs({name}));"
    yield f"{name} = ({name} + ({last}) + 1) % (({last}) + 1);"


def _the_edge_instead(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """Of a guard that returns nothing beyond the border the edge's element, held so."""
    asked, then = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    if asked is None or then is None or node.child_by_field_name("alternative") is not None:
        return
    inner = then.named_children[0] if then.type == "compound_statement" and then.named_child_count == 1 else then
    if inner.type != "return_statement" or not inner.named_child_count:
        return
    ends: dict[str, str] = {}
    for each in walk(asked):
        a, b = each.child_by_field_name("left"), each.child_by_field_name("right")
        if each.type == "binary_expression" and a is not None and b is not None and types.of(a) == "int":
            if sign_of(each) == ">=" and a.type in ("identifier", "field_expression"):
                ends[text_of(a)] = f"{text_of(b)} - 1"
            elif sign_of(each) == ">" and a.type in ("identifier", "field_expression"):
                ends[text_of(a)] = text_of(b)
    if ends:
        yield " ".join(f"{name} = clamp({name}, 0, {end});" for name, end in ends.items())


def _nothing(node: tree_sitter.Node, types: Types) -> str:
    """Zero, of the type that the function around a statement returns."""
    kind = types.function(function_name(function_around(node)))
    return f"{kind}(0.0)" if scalar_of(kind) == "float" and lanes_of(kind) else ""


def _moved_on(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """At the loop's end a number moved on that is the same in every turn, and no size of its own."""
    body, function = node.child_by_field_name("body"), function_around(node)
    if body is None or function is None or body.type != "compound_statement":
        return
    given = {
        text_of(left)
        for each in walk(function)
        if each.type in ("assignment_expression", "update_expression")
        and (left := each.child_by_field_name("left") or each.child_by_field_name("argument")) is not None
    }
    locals_ = {name for each in walk(function) if each.type == "declaration" for name in declared(each)}
    inside = {name for each in walk(node) if each.type == "declaration" for name in declared(each)}
    used = {text_of(each) for each in walk(body) if each.type == "identifier"}
    place = body.end_byte - 1
    fixed = _fixed(function)
    for name in sorted((locals_ & used) - inside - given - fixed)[:_MOST]:
        if types.at(node, name) == "int":
            moved = f"{name} += int({NUMBER}.x);"
            for step in _STEPS:
                yield Mutation(place, place, "", f"{name} += {step}; ", "statement", moved, (float(step), 0.0))
            for size in [each for each in scope.of_type(node, "int") if each != name][:_MOST]:
                yield Mutation(place, place, "", f"{name} += {size}; ", "statement", f"{name} += {size};")


def _fixed(function: tree_sitter.Node) -> set[str]:
    """Names that a function declares as constants."""
    return {
        name
        for each in walk(function)
        if each.type == "declaration" and any(text_of(child) == "const" for child in each.children)
        for name in declared(each)
    }
