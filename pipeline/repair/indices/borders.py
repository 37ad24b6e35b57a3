"""Proposes other values beyond a picture's border: nothing, the edge's element, the mirrored or the opposite one.

It also proposes steps that a loop forgets: of an integer that is declared before it, used in it and never changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    FieldAccess,
    Identifier,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.questions import (
    arguments,
    function_around,
    function_called,
    name_around,
    names_in,
    target_of,
)
from texelscope.pipeline.glsl.semantics.scope import NameScope, declared
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    Declaration,
    ExpressionStatement,
    ForLoop,
    IfStatement,
    ReturnStatement,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, lanes_of, scalar_of
from texelscope.pipeline.repair.words.mutation import NUMBER, Mutation

_STEPS = (1, 2, 3, 4)
_LONGEST = 600
_MOST = 6
_PLACES = frozenset({"int", "ivec2", "ivec3"})


def at_borders(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes replacements of a statement, or additions at a loop's end."""
    text = node.text
    if node.has_error or "#" in text or "//" in text:
        return
    if isinstance(node, ForLoop):
        yield from _moved_on(node, types, scope)
        return
    if len(text) > _LONGEST:
        return
    if isinstance(node, ExpressionStatement):
        made = _instead_of_the_edge(node, types)
    elif isinstance(node, IfStatement):
        made = _the_edge_instead(node, types)
    else:
        return
    for new in dict.fromkeys(made):
        yield Mutation(node.start_byte, node.end_byte, text, new, "statement", new)


def _instead_of_the_edge(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Turns p = clamp(p, first, last) into zero beyond the border, the mirrored element, or the opposite side's."""
    inner = node.named_children[0] if len(node.named_children) == 1 else None
    if inner is None or not isinstance(inner, Assignment):
        return
    left, right = inner.left, inner.right
    if function_called(right) != "clamp":
        return
    given, kind, name = arguments(right), types.of(left), left.text
    if kind not in _PLACES or len(given) != 3 or given[0].text != name:
        return
    first, last = (each.text if types.of(each) == kind else f"{kind}({each.text})" for each in given[1:])
    nothing = _nothing(node, types)
    if nothing and kind == "int":
        yield f"if ({name} < {first} || {name} > {last}) return {nothing};"
    elif nothing:
        yield f"if (any(lessThan({name}, {first})) || any(greaterThan({name}, {last}))) return {nothing};"
    yield f"{name} = ({last}) - abs(({last}) - abs({name}));"
    yield f"{name} = ({name} + ({last}) + 1) % (({last}) + 1);"


def _the_edge_instead(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Turns a guard that returns zero beyond the border into a clamp to the edge."""
    if not isinstance(node, IfStatement) or node.alternative is not None:
        return
    asked, then = node.condition, node.consequence
    inner = then.named_children[0] if isinstance(then, CompoundStatement) and len(then.named_children) == 1 else then
    if not isinstance(inner, ReturnStatement) or not len(inner.named_children):
        return
    ends: dict[str, str] = {}
    for each in asked.of_type(BinaryExpression):
        a, b = each.left, each.right
        if types.of(a) == "int" and isinstance(a, Identifier | FieldAccess) and each.operator in (">=", ">"):
            ends[a.text] = f"{b.text} - 1" if each.operator == ">=" else b.text
    if ends:
        yield " ".join(f"{name} = clamp({name}, 0, {end});" for name, end in ends.items())


def _nothing(node: SyntaxNode, types: Types) -> str:
    """Returns zero, of the return type of the function around a statement."""
    kind = types.function(name_around(node))
    return f"{kind}(0.0)" if scalar_of(kind) == "float" and lanes_of(kind) else ""


def _moved_on(node: ForLoop, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes a step, at the loop's end, of a number that is constant in the loop and no size."""
    body, function = node.body, function_around(node)
    if function is None or not isinstance(body, CompoundStatement):
        return
    given = {
        left.text for each in function.of_type(Assignment, UpdateExpression) if (left := target_of(each)) is not None
    }
    locals_ = {name for each in function.walk() if isinstance(each, Declaration) for name in declared(each)}
    inside = {name for each in node.walk() if isinstance(each, Declaration) for name in declared(each)}
    used = {*names_in(body)}
    place = body.end_byte - 1
    fixed = _fixed(function)
    for name in sorted((locals_ & used) - inside - given - fixed)[:_MOST]:
        if types.at(node, name) == "int":
            moved = f"{name} += int({NUMBER}.x);"
            for step in _STEPS:
                yield Mutation(place, place, "", f"{name} += {step}; ", "statement", moved, (float(step), 0.0))
            for size in [each for each in scope.of_type(node, "int") if each != name][:_MOST]:
                yield Mutation(place, place, "", f"{name} += {size}; ", "statement", f"{name} += {size};")


def _fixed(function: SyntaxNode) -> set[str]:
    """Returns names that a function declares as constants."""
    return {
        name
        for each in function.walk()
        if isinstance(each, Declaration) and each.has_word("const")
        for name in declared(each)
    }
