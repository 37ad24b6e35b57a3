"""Proposes missing statements: an unused variable, a sum without a step, a quotient without its remainder.

Each is inserted before the next statement, or at a block's end.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    FunctionCall,
    Identifier,
    NumberLiteral,
    UnaryExpression,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.questions import names_in, sides_of, target_of
from texelscope.pipeline.glsl.semantics.scope import declared
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    Declaration,
    ForLoop,
    FunctionDefinition,
    IfStatement,
    InitDeclarator,
    Preprocessor,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.edits.families import missing, otherwise
from texelscope.pipeline.repair.words.mutation import Mutation

# At most this many sums of a function are combined with this many variables.
_MOST_SUMS, _MOST = 3, 4
_LOOPS = (ForLoop, WhileLoop)
_STEPS = {"++": "--", "--": "++"}
_WRITES = (Assignment, UpdateExpression)
_VALUES = (NumberLiteral, FunctionCall, UnaryExpression)
# A node and the text that is inserted before it.
_Put = tuple[SyntaxNode, str]


def left_out(root: SyntaxNode, types: Types) -> Iterator[tuple[SyntaxNode, Mutation]]:
    """Yields statements to insert in each function, with the statement that they follow."""
    for function in root.walk():
        body = function.body if isinstance(function, FunctionDefinition) else None
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
            yield node, Mutation(node.start_byte, node.end_byte, node.text, new, "statement", new)


def _behind(statement: SyntaxNode) -> int | None:
    """Returns the byte after a statement; None if it is inside another one."""
    around = statement.parent
    if around is None or not isinstance(around, CompoundStatement):
        return None
    after = statement.next_named_sibling
    while after is not None and isinstance(after, Comment):
        after = after.next_named_sibling
    place = after.start_byte if after is not None else around.end_byte - 1
    return place if place > statement.end_byte and (after is None or not isinstance(after, Preprocessor)) else None


def _rests(body: SyntaxNode, types: Types) -> Iterator[_Put]:
    """Yields k -= c * n after c = k / n, if k is used later; after c = k % n it yields k /= n."""
    written = _written(body)
    for name, value, statement in _given(body):
        (a, b), sign = sides_of(value), value.operator
        if (
            sign not in ("/", "%")
            or a is None
            or b is None
            or not isinstance(a, Identifier)
            or types.of(value) != "int"
        ):
            continue
        number, divisor = a.text, b.text if not isinstance(b, BinaryExpression) else f"({b.text})"
        if any(each.start_byte > statement.start_byte for each in written.get(number, ())) or number == name:
            continue
        if any(each.start_byte > statement.end_byte for each in _uses(body, number)):
            yield statement, f"{number} -= {name} * {divisor};" if sign == "/" else f"{number} /= {divisor};"


def _idle(function: SyntaxNode, body: SyntaxNode, types: Types) -> Iterator[_Put]:
    """Yields additions of an unused computed value to a sum of its function: alone, and times another one."""
    counts = Counter(each.text for each in function.of_type(Identifier))
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


def _sums(body: SyntaxNode, types: Types) -> Iterator[_Put]:
    """Yields updates of a variable that starts as a number and never changes: accumulated at the end of a loop."""
    written = _written(body)
    for name, value, statement in _given(body):
        is_used = any(each.start_byte > statement.end_byte for each in _uses(body, name))
        if not isinstance(value, _VALUES) or name in written or not is_used or _is_fixed(statement):
            continue
        kind = types.at(statement, name)
        for loop in body.walk():
            inside = loop.body if isinstance(loop, _LOOPS) else None
            if inside is None or not isinstance(inside, CompoundStatement) or loop.start_byte < statement.end_byte:
                continue
            own = [(each, at) for each, _, at in _given(inside) if types.at(at, each) in (kind, "float")]
            for each, at in own[-_MOST:] if scalar_of(kind) == "float" and not is_matrix(kind) else ():
                yield at, f"{name} += {each};"
                if types.at(at, each) == kind:
                    yield at, f"{name} = max({name}, {each});"
            if kind == "int" and inside.named_children:
                yield inside.named_children[-1], f"{name} += 1;"


def _steps(body: SyntaxNode) -> Iterator[_Put]:
    """Yields the decrement of an index after a condition that increments it."""
    for node in body.walk():
        asked = node.condition if isinstance(node, IfStatement) else None
        for each in asked.of_type(UpdateExpression) if asked is not None else ():
            if each.operator in _STEPS:
                yield node, f"{_STEPS[each.operator]}{each.argument.text};"


def _given(body: SyntaxNode) -> Iterator[tuple[str, SyntaxNode, SyntaxNode]]:
    """Yields name, value and statement of declarations."""
    for node in body.walk():
        if isinstance(node, Declaration) and node.parent is not None and isinstance(node.parent, CompoundStatement):
            names = [*declared(node)]
            for name, each in zip(names, node.declarators, strict=False):
                value = each.value if isinstance(each, InitDeclarator) else None
                if value is not None and name:
                    yield name, value, node


def _written(body: SyntaxNode) -> dict[str, list[SyntaxNode]]:
    """Returns for each variable where it is changed, wholly or in part."""
    found: dict[str, list[SyntaxNode]] = {}
    for node in body.walk():
        if isinstance(node, _WRITES) and (target := target_of(node)) is not None:
            found.setdefault(next(names_in(target), ""), []).append(node)
    return found


def _uses(body: SyntaxNode, name: str) -> Iterable[SyntaxNode]:
    return (each for each in body.of_type(Identifier) if each.text == name)


def _is_sum(write: SyntaxNode) -> bool:
    return isinstance(write, Assignment) and isinstance(write.left, Identifier) and write.operator == "+="


def _is_fixed(declaration: SyntaxNode) -> bool:
    return declaration.has_word("const")
