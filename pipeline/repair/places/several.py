"""Proposes mutations of several places of a text.

Values of two variables, or bodies of two macros, are exchanged. A computed variable stands in all places of an
expression that a function repeats. An index has the other decomposition, quotient and remainder exchanged: this puts
blocks inside channels, or channels inside blocks; the last axis first, or the first one.

A summand goes to the other side of a function, before an activation instead of after it: `f(v) + b` becomes `f(v)` with
`b` added where `v` is computed, or right before its use; the function may be in another statement, which a name refers
to.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    ConditionalExpression,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.macro_bodies import Macro
from texelscope.pipeline.glsl.semantics.questions import (
    arguments,
    bare,
    function_around,
    function_called,
    sides_of,
    target_of,
    value_of,
)
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    Declaration,
    ExpressionStatement,
    InitDeclarator,
    ReturnStatement,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.indices.named_sizes import sizes_at
from texelscope.pipeline.repair.indices.rounded import rounded_up
from texelscope.pipeline.repair.places.siblings import copied_factors, copied_indices
from texelscope.pipeline.repair.text.mutation import Mutation, Places, around, is_target, leaves_of, swap, with_texts

# The other part follows within this many statements. At most this many numbers are tried, none larger.
_STATEMENTS_APART, _MOST_NUMBERS, _LARGEST = 3, 12, 1 << 12
_OTHER = {"/": "%", "%": "/"}
_T = TypeVar("_T")
# The greatest distance in lines, and the longest value.
_LINES_APART, _LONGEST_VALUE = 2, 400
# The most places that are replaced at once, and the nearest so many variables.
_MOST_PLACES, _MOST_VARIABLES = 12, 6
_LONGEST_REPEATED = 120
_REPEATED = (BinaryExpression, FunctionCall, Subscript)
_WHOLE = (InitDeclarator, Assignment, ReturnStatement, ArgumentList)
_STATEMENTS = (ExpressionStatement, ReturnStatement)
_BOUNDS = frozenset({"max", "min", "clamp"})
_LONGEST, _LONGEST_STATEMENT = 400, 1200
# The most variables of a function to which something may be added.
_MOST_SUMMANDS = 2


class _Part(NamedTuple):
    """A variable `name` that is assigned `number / divisor`, or its remainder by `sign`, in `node`."""

    name: str
    number: str
    sign: str
    divisor: str
    node: SyntaxNode


def decomposed(root: SyntaxNode, types: Types, scope: NameScope, sizes: Sequence[float]) -> Iterator[Places]:
    """Proposes both parts of a decomposition at once, by the same number, by `sizes`, and by names of sizes."""
    has_remainders = b"%" in root.text.encode()
    for block in root.walk():
        statements = block.named_children if isinstance(block, CompoundStatement) else []
        for place, statement in enumerate(statements):
            for first in _declared(statement, types):
                for after in statements[place : place + _STATEMENTS_APART + 1]:
                    second = _second(first, after, types)
                    if second is not None:
                        names = sizes_at(first.node, types, scope)
                        yield from _exchanged(first, second, names, sizes, has_remainders=has_remainders)


def _declared(statement: SyntaxNode, types: Types) -> Iterator[_Part]:
    """Yields quotients and remainders of a variable in a declaration."""
    for each in statement.declarators if isinstance(statement, Declaration) else ():
        if not isinstance(each, InitDeclarator) or types.of(each.value) != "int":
            continue
        name, value = each.declarator, each.value
        (a, b), sign = sides_of(value), value.operator
        if a is not None and b is not None and isinstance(a, Identifier) and sign in ("/", "%", "-"):
            yield _Part(name.text, a.text, sign, b.text, value)


def _second(first: _Part, after: SyntaxNode, types: Types) -> SyntaxNode | None:
    """Returns the node of the other part: a declaration's value, or an assignment to the variable itself."""
    if first.sign == "-":
        return None
    for each in _declared(after, types):
        is_behind = each.number == first.number and each.node.start_byte > first.node.start_byte
        if is_behind and (each.sign == _OTHER[first.sign] or (first.sign == "/" and _is_rest(each.divisor, first))):
            return each.node
    inner = after.named_children[0] if isinstance(after, ExpressionStatement) and after.named_children else None
    if not isinstance(inner, Assignment) or inner.left.text != first.number:
        return None
    sign = inner.operator
    is_rest = sign == "%=" or (sign == "-=" and _is_rest(inner.right.text, first))
    return after if (is_rest if first.sign == "/" else sign == "/=") else None


def _is_rest(taken_off: str, first: _Part) -> bool:
    """Whether something is roughly the quotient times the divisor."""
    return taken_off.startswith(f"{first.name} *") or taken_off.endswith(f"* {first.name}")


def _exchanged(
    first: _Part, second: SyntaxNode, names: Sequence[str], sizes: Sequence[float], *, has_remainders: bool
) -> Iterator[Places]:
    numbers = [f"{size:g}" for size in sizes if size.is_integer() and 1 < size < _LARGEST][:_MOST_NUMBERS]
    is_statement = isinstance(second, ExpressionStatement)
    rounded = rounded_up(first.divisor) if first.divisor.isidentifier() and has_remainders and not is_statement else ()
    for by in rounded:
        parts = [f"{first.number} {sign} {by}" for sign in (first.sign, _OTHER[first.sign])]
        if second.operator == _OTHER[first.sign]:
            yield (_said(first.node, parts[0], is_statement=False), _said(second, parts[1], is_statement=False))
    for by in dict.fromkeys((first.divisor, *names, *numbers)):
        rest = f"{first.number} % {by}" if has_remainders else f"{first.number} - {first.number} / {by} * {by}"
        quotient = f"{first.number} / {by}"
        one, other = (rest, quotient) if first.sign == "/" else (quotient, rest)
        if is_statement:
            is_divided = first.sign == "/"
            other = f"{first.number} /= {by};" if is_divided else f"{first.number} -= {first.name} * {by};"
        yield (_said(first.node, one, is_statement=False), _said(second, other, is_statement=is_statement))


def _said(node: SyntaxNode, new: str, *, is_statement: bool) -> tuple[SyntaxNode, Mutation]:
    kind, template = ("statement", new) if is_statement else ("index", f"({new})")
    return node, Mutation(node.start_byte, node.end_byte, node.text, new, kind, template)  # type: ignore[arg-type]


def exchanged(root: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Places]:
    """Proposes it for every two variables of one type that are assigned on nearby lines."""
    values = [value for node in root.walk() if (value := _whole_value(node)) is not None]
    for first, second in _near([(each, each.row) for each in values]):
        if function_around(first) == function_around(second) and _are_alike(first, second, types):
            known = [{name for name, _ in scope.variables(each)} for each in (first, second)]
            names = {each.text for value in (first, second) for leaf in leaves_of(value) for each in leaf.walk()}
            if not names & (known[0] ^ known[1]):
                yield (first, swap(first, second.text)), (second, swap(second, first.text))


def exchanged_macros(macros: Sequence[Macro], types: Types, scope: NameScope) -> Iterator[Places]:
    """Proposes it for every two macros of one type on nearby lines, unless one would refer to itself."""
    for first, second in _near([(each, each.line) for each in macros]):
        one, other = first.expression, second.expression
        if _are_alike(one, other, types) and _may_say(one, other, scope) and _may_say(other, one, scope):
            yield (
                (one, swap(one, other.text).moved(first.shift)),
                (other, swap(other, one.text).moved(second.shift)),
            )


def _may_say(one: SyntaxNode, other: SyntaxNode, scope: NameScope) -> bool:
    return all(scope.is_known(leaf.text, one) for leaf in leaves_of(other))


def _near(some: Sequence[tuple[_T, int]]) -> Iterator[tuple[_T, _T]]:
    for (one, line), (other, below) in itertools.combinations(some, 2):
        if below - line <= _LINES_APART:
            yield one, other


def _are_alike(first: SyntaxNode, second: SyntaxNode, types: Types) -> bool:
    kind, texts = types.of(first), (first.text, second.text)
    is_value = bool(scalar_of(kind)) and not is_matrix(kind) and kind == types.of(second)
    return is_value and texts[0] != texts[1] and not any(len(each) > _LONGEST_VALUE or "#" in each or "//" in each
                                                         for each in texts)  # fmt: skip


def _whole_value(node: SyntaxNode) -> SyntaxNode | None:
    """Returns the whole value that a variable is assigned in a function; no lone number."""
    value = value_of(node)
    is_whole = isinstance(node, InitDeclarator) or (isinstance(node, Assignment) and node.operator == "=")
    if not is_whole or value is None or function_around(node) is None or isinstance(value, NumberLiteral):
        return None
    return value


def repeated(root: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Places]:
    """Proposes all places of each repeated expression, with one variable there."""
    places: dict[tuple[int, str], list[SyntaxNode]] = {}
    for node in root.walk():
        function = function_around(node) if isinstance(node, _REPEATED) else None
        if function is not None and node.end_byte - node.start_byte <= _LONGEST_REPEATED and not is_target(node):
            places.setdefault((function.start_byte, node.text), []).append(node)
    for (_, text), nodes in places.items():
        kind = types.of(nodes[0])
        if not 1 < len(nodes) <= _MOST_PLACES or not scalar_of(kind) or is_matrix(kind) or "#" in text or "//" in text:
            continue
        own = {leaf.text for leaf in leaves_of(nodes[0])}
        known = [{name for name, _ in scope.variables(node)} for node in nodes]
        names = [each for each in scope.of_type(nodes[0], kind) if each not in own]
        for name in names[:_MOST_VARIABLES]:
            if all(name.partition(".")[0] in there for there in known):
                yield tuple((node, swap(node, name)) for node in nodes)


def moved(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Places]:
    """Proposes replacements of a sum, each with another change that belongs to it."""
    parent, kind = node.parent, types.of(node)
    if not isinstance(node, BinaryExpression) or node.operator not in ("+", "-") or parent is None or is_target(node):
        return
    if not isinstance(parent, _WHOLE) or scalar_of(kind) != "float" or is_matrix(kind):
        return
    text = node.text
    left, right = node.left, node.right
    if len(text) > _LONGEST or "#" in text or "//" in text:
        return
    for through, summand in ((left, right), *(((right, left),) if node.operator == "+" else ())):
        if types.of(through) != kind or types.of(summand) not in (kind, "float"):
            continue
        added = f"{node.operator} {around(summand)}"
        value = bare(through)
        if isinstance(value, Identifier):
            for made in _given(value, value.text):
                if _decides(made) and _is_known(summand, made, scope):
                    yield from ((_instead(node, value.text), _instead(made, new))
                                for new in _under(made, added, types, scope))  # fmt: skip
        elif _decides(value):
            yield from _before(node, value, summand, added, types, scope)


def _before(
    node: SyntaxNode,
    value: SyntaxNode,
    summand: SyntaxNode,
    added: str,
    types: Types,
    scope: NameScope,
) -> Iterator[Places]:
    """Proposes to add the summand to a variable in the sum instead: where that is computed, or right before."""
    alone = value.text
    for name in _variables(value, types, scope):
        for made in [*_given(node, name)][-1:]:
            if _is_known(summand, made, scope):
                new = added.removeprefix("+ ") if _is_nothing(made) else f"{around(made)} {added}"
                yield _instead(node, alone), _instead(made, new)
        statement = node.enclosing(*_STATEMENTS)
        if statement is None or statement.parent is None or not isinstance(statement.parent, CompoundStatement):
            continue
        old = statement.text
        if len(old) <= _LONGEST_STATEMENT and "#" not in old and "//" not in old:
            sign, rest = added[:1], added[2:]
            new = f"{name} {sign}= {rest}; {with_texts(statement, {node: alone})}"
            instead = Mutation(statement.start_byte, statement.end_byte, old, new, "statement", new)
            yield ((statement, instead),)
    yield from ((_instead(node, new),) for new in _under(value, added, types, scope))


def _under(value: SyntaxNode, added: str, types: Types, scope: NameScope) -> Iterator[str]:
    """Yields a choice with a summand added to the values that it compares."""
    given = arguments(value) if isinstance(value, FunctionCall) else []
    if given and types.of(given[0]) == types.of(value) and (len(given) == 1 or function_called(value) in _BOUNDS):
        yield with_texts(value, {given[0]: f"{given[0].text} {added}"})
        return
    for name in _variables(value, types, scope):
        places = {each for leaf in leaves_of(value) for each in leaf.walk() if each.text == name}
        yield with_texts(value, {each: f"({name} {added})" for each in places if isinstance(each, Identifier)})


def _variables(value: SyntaxNode, types: Types, scope: NameScope) -> list[str]:
    """Returns variables in an expression that have its type and are not constants."""
    kind, fixed = types.of(value), types.uniforms | types.constants | {*types.macros}
    known = {name for name, own in scope.variables(value) if own == kind} - fixed
    names = (each.text for leaf in leaves_of(value) for each in leaf.of_type(Identifier))
    return [name for name in dict.fromkeys(names) if name in known][:_MOST_SUMMANDS]


def _given(node: SyntaxNode, name: str) -> Iterator[SyntaxNode]:
    """Yields whole values that a variable is assigned before a node in its function."""
    function = function_around(node)
    for each in function.of_type(InitDeclarator, Assignment) if function is not None else ():
        target, value = target_of(each), value_of(each)
        if target is None or value is None:
            continue
        is_whole = isinstance(each, InitDeclarator) or each.operator == "="
        if is_whole and target.text == name and each.end_byte < node.start_byte:
            yield value


def _decides(value: SyntaxNode) -> bool:
    """Whether it is not a sum or product of its parts."""
    return any(isinstance(each, ConditionalExpression) or _is_of_values(each) for each in value.walk())


def _is_of_values(node: SyntaxNode) -> bool:
    return isinstance(node, FunctionCall) and scalar_of(function_called(node)) == "" and bool(arguments(node))


def _is_known(summand: SyntaxNode, at: SyntaxNode, scope: NameScope) -> bool:
    """Whether the summand can be written at another place, before."""
    known = {name for name, _ in scope.variables(at)}
    own = {name for name, _ in scope.variables(summand)}
    names = {each.text for leaf in leaves_of(summand) for each in leaf.of_type(Identifier)}
    return names & own <= known


def _is_nothing(value: SyntaxNode) -> bool:
    """Whether it is zero, of any type."""
    given = arguments(value) if isinstance(value, FunctionCall) else [value]
    is_made = (
        not isinstance(value, FunctionCall) or lanes_of(function_called(value)) > 0 or function_called(value) == "FLOAT"
    )
    return is_made and all(isinstance(each, NumberLiteral) and not each.text.strip("0.f") for each in given)


def _instead(node: SyntaxNode, new: str) -> tuple[SyntaxNode, Mutation]:
    return node, Mutation(node.start_byte, node.end_byte, node.text, new, "replaced", f"({new})")


def of_places(
    root: SyntaxNode,
    expressions: Iterable[SyntaxNode],
    types: Types,
    scope: NameScope,
    macros: Sequence[Macro],
    sizes: Sequence[float] = (),
) -> Iterator[Places]:
    """Yields those of a tree with mutable `expressions`, and of bodies of macros.

    `sizes` are those of tensors.
    """
    for node in expressions:
        yield from moved(node, types, scope)
    yield from repeated(root, types, scope)
    yield from copied_indices(root, types, scope)
    yield from copied_factors(root, types, scope)
    yield from decomposed(root, types, scope, sizes)
    yield from exchanged(root, types, scope)
    yield from exchanged_macros(macros, types, scope)
