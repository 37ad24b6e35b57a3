"""Proposes other values at and beyond a picture's border: clamped, scaled, nothing, mirrored, the opposite ones.

Coordinates are scaled about the picture's corner or about texel centres. It also proposes steps that a loop forgets:
of an integer that is declared before it, used in it and never changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.questions import (
    arguments,
    bare,
    function_around,
    function_called,
    name_around,
    names_in,
    sides_of,
    target_of,
)
from texelscope.pipeline.glsl.semantics.scope import NameScope, declared
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    Declaration,
    ExpressionStatement,
    ForLoop,
    IfStatement,
    InitDeclarator,
    ReturnStatement,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, lanes_of, scalar_of
from texelscope.pipeline.repair.indices.index import Index, enclosed
from texelscope.pipeline.repair.indices.named_sizes import is_size
from texelscope.pipeline.repair.text.mutation import NUMBER, Mutation

# The nearest so many names of sizes.
_MOST_NAMES = 3
_HALF = re.compile(r"(vec2\()?0?\.50*\)?")
_BOUNDS = frozenset({"min", "max", "clamp"})
_COMPARED = frozenset({"<", "<=", ">", ">=", "==", "!="})
_STEPS = (1, 2, 3, 4)
_LONGEST = 600
_MOST = 6
_PLACES = frozenset({"int", "ivec2", "ivec3"})


def held(index: Index) -> Iterator[Mutation]:
    """Proposes a coordinate clamped to a size, or unclamped; mirrored or wrapped instead of clamped."""
    node = index.node
    given = arguments(node) if isinstance(node, FunctionCall) else []
    if function_called(node) in _BOUNDS and len(given) > 1 and all(index.is_fixed(each) for each in given[1:]):
        yield from (index.as_index(new) for new in _let_go(index, given))
    yield from (index.as_index(new) for new in _otherwise_beyond(index))
    if not index.is_whole or index.is_fixed(node) or index.scalar == "uint":
        return
    one, nothing = index.shown(1), index.shown(0)
    if index.kind == "int":
        for step in index.steps:
            yield index.as_moved(f"min({index.text}, {step - 1})", f"min({index.text}, {index.one})", step - 1.0)
        return
    yield index.as_index(f"max({index.text}, {nothing})")
    for size in index.sizes(_MOST_NAMES):
        yield index.as_index(f"min({index.text}, {size} - {one})")
        yield index.as_index(f"clamp({index.text}, {index.kind}({nothing}), {size} - {one})")
        if index.scalar == "float":
            yield index.as_moved(f"clamp({index.text}, {index.kind}(0.5), {size} - 0.5)")


def _let_go(index: Index, given: Sequence[SyntaxNode]) -> Iterator[str]:
    yield given[0].text
    if len(given) == 3:
        yield f"max({given[0].text}, {given[1].text})"
        yield f"min({given[0].text}, {given[2].text})"
    elif function_called(index.node) == "max" and index.scalar == "int":
        yield f"abs({given[0].text})"


def _otherwise_beyond(index: Index) -> Iterator[str]:
    """Yields for clamped, mirrored and wrapped coordinates the other two."""
    found = _beyond(index)
    if found is None or index.scalar == "uint":
        return
    text, last, said = found
    tail = f" - {index.shown(1)}"
    size = last.removesuffix(tail) if last.endswith(tail) else f"({last} + {index.shown(1)})"
    forms = {
        "edge": f"min({text}, {last})",
        "mirrored": f"({last}) - abs({text} - ({last}))",
        "round": f"{text} % {size}" if index.scalar == "int" else f"mod({text}, {size})",
    }
    yield from (form for name, form in forms.items() if name != said and ("%" not in form or index.has_remainders))


def _beyond(index: Index) -> tuple[str, str, str] | None:
    """Returns a coordinate, the last valid one, and the behaviour beyond that."""
    node = index.node
    given = arguments(node) if isinstance(node, FunctionCall) else []
    if function_called(node) == "min" and len(given) == 2 and index.is_fixed(given[1]):
        return enclosed(given[0]), bare(given[1]).text, "edge"
    a, b = sides_of(node)
    if a is None or b is None:
        return None
    if node.operator == "%" and is_size(b.text, index.types):
        return enclosed(a), f"{b.text} - 1", "round"
    if node.operator == "-" and index.is_fixed(a) and function_called(b) == "abs":
        inner = bare(arguments(b)[0]) if len(arguments(b)) == 1 else b
        if isinstance(inner, BinaryExpression) and inner.operator == "-":
            first, second = inner.named_children[0], inner.named_children[-1]
            place = second if index.is_fixed(first) else first
            return enclosed(place), bare(a).text, "mirrored"
    return None


def about_centres(index: Index) -> Iterator[Mutation]:
    """Proposes for a scale about the corner the same about texel centres, and the other way round."""
    node = index.node
    if index.scalar != "float" or not isinstance(node, BinaryExpression):
        return
    a, b, sign = node.left, node.right, node.operator
    if index.lanes > 2:
        return
    if sign in ("*", "/") and not _is_scaled_on(node) and index.types.of(a) == index.kind:
        yield index.as_index(f"({bare(a).text} + 0.5) {sign} {enclosed(b)} - 0.5")
    if sign == "-" and _HALF.fullmatch(b.text):
        inner = bare(a)
        first = bare(inner.named_children[0]) if isinstance(inner, BinaryExpression) else inner
        if inner.operator in ("*", "/") and first.operator == "+" and _HALF.fullmatch(first.named_children[-1].text):
            plain = enclosed(bare(first.named_children[0]))
            yield index.as_index(f"{plain} {inner.operator} {enclosed(inner.named_children[-1])}")


def _is_scaled_on(node: SyntaxNode) -> bool:
    parent = node.parent
    return parent is not None and isinstance(parent, BinaryExpression)


def sized(node: SyntaxNode, index: Index) -> Iterator[Mutation]:
    """Proposes a size one more or less in a comparison, or in a declaration."""
    parent = node.parent
    if parent is None or not isinstance(node, Identifier | FieldAccess) or not is_size(index.text, index.types):
        return
    is_asked = isinstance(parent, BinaryExpression) and parent.operator in _COMPARED
    if index.scalar in ("int", "float") and (is_asked or isinstance(parent, InitDeclarator | Assignment)):
        for number in (1, -1):
            shown = f"{index.text} {'+' if number > 0 else '-'} {index.shown(1)}"
            yield index.as_index(shown, f"{index.summand} + {index.one}", float(number))


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
