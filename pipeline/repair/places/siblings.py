"""Proposes what sibling statements have: a shader often reads the same arrays in two loops.

An index by the function that another read of the same array or sampler has: at one place, and at all of a statement.
Arguments that both functions have stay: `w[at_x(c + 1, row, col)]` beside `w[at_w(c, o, i, j)]` becomes
`w[at_w(c + 1, o, i, j)]`. And a factor that a sum in a loop lacks: `sum += x[k]` beside `w[k]` becomes
`sum += x[k] * w[k]`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import (
    OTHER_READS,
    READS,
    arguments,
    declared_name,
    function_around,
    function_called,
)
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import (
    Declaration,
    DoWhileLoop,
    ExpressionStatement,
    ForLoop,
    FunctionDefinition,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, scalar_of
from texelscope.pipeline.repair.text.mutation import Mutation, Places, around, is_target, leaves_of, with_texts

# The most reads in a function, copies to one place, and places changed at once.
_MOST_READS, _MOST_COPIED, _MOST_PLACES = 16, 4, 12
# The first so many assignments of a text are looked at: a long unrolled shader has no sums in loops.
_MOST_SUMS = 200
_LONGEST = 200
_STATEMENTS, _LOOPS = (ExpressionStatement, Declaration), (ForLoop, WhileLoop, DoWhileLoop)


def copied_indices(root: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Places]:
    """Proposes the index of another read of the same array or sampler, at one place and at all of a statement."""
    parameters = {
        node.name: [declared_name(each) for each in node.parameters] for node in root.of_type(FunctionDefinition)
    }
    for indices in _indices(root, types).values():
        seen = set[tuple[int, tuple[str, ...]]]()
        calls = [each for each in indices if isinstance(each, FunctionCall) and each.name in parameters]
        if len({each.name for each in calls}) < 2 or len(calls) > _MOST_READS:
            continue
        for sibling in calls:
            for places in _copies(sibling, calls, parameters, types, scope):
                key = places[0][1].start, tuple(each.new for _, each in places)
                if key not in seen:
                    seen.add(key)
                    yield places


def copied_factors(root: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Places]:
    """Proposes for a sum of reads in a loop a factor that its function reads elsewhere, of another array or sampler."""
    reads = dict[SyntaxNode | None, list[SyntaxNode]]()
    for node in itertools.islice(root.of_type(Assignment), _MOST_SUMS):
        value = node.right
        if node.operator != "+=" or node.enclosing(*_LOOPS) is None or len(value.text) > _LONGEST:
            continue
        own = {read[0].text for each in value.of_type(Subscript, FunctionCall) if (read := _read(each, types))}
        if not own or {"#", "\n"} & {*value.text} or scalar_of(types.of(value)) != "float":
            continue
        function = function_around(node)
        if function not in reads and function is not None:
            every = function.of_type(Subscript, FunctionCall)
            reads[function] = [*itertools.islice((each for each in every if _read(each, types)), _MOST_READS)]
        others = _factors(node, own, reads.get(function, ()), types, scope)
        for new in itertools.islice(dict.fromkeys(others), _MOST_COPIED):
            yield (_instead(value, f"{around(value)} * {new}"),)


def _factors(
    node: Assignment, own: set[str], reads: Sequence[SyntaxNode], types: Types, scope: NameScope
) -> Iterator[str]:
    """Yields those `reads` of other arrays and samplers that can be written at a statement."""
    known = {name for name, _ in (*scope.variables(node), *types.visible(""))} | {*types.macros}
    for each in reads:
        read = _read(each, types)
        if read is None or read[0].text in own or read[0].text in types.written:
            continue
        whole = each.parent if isinstance(each.parent, FieldAccess) else each
        if types.of(whole) == types.of(node.right) and (text := _of_known(whole, known)):
            yield text


def _of_known(node: SyntaxNode, known: set[str]) -> str:
    """Returns an expression without unknown variables that are added to something, as if they were 0.

    Empty if it uses unknown variables otherwise.
    """
    functions = {each.callee for each in node.of_type(FunctionCall)}
    unknown = [each for each in node.of_type(Identifier) if each not in functions and each.text not in known]
    sums: dict[SyntaxNode, str] = {
        parent: parent.left.text for each in unknown if (parent := _sum_of(each)) is not None
    }
    are_apart = not any(inner in sums for each in sums for inner in each.ancestors())
    return with_texts(node, sums) if len(sums) == len(unknown) and are_apart else ""


def _sum_of(summand: SyntaxNode) -> BinaryExpression | None:
    """Returns the sum that something is added to another expression in."""
    parent = summand.parent
    is_sum = isinstance(parent, BinaryExpression) and parent.operator == "+" and parent.right == summand
    return parent if isinstance(parent, BinaryExpression) and is_sum else None


def _indices(root: SyntaxNode, types: Types) -> dict[tuple[int, str], list[SyntaxNode]]:
    """Returns the indices of reads in each function, by the function's place and what is read."""
    found: dict[tuple[int, str], list[SyntaxNode]] = {}
    for node in root.of_type(Subscript, FunctionCall):
        function = function_around(node)
        read = _read(node, types)
        if function is None or read is None or is_target(node):
            continue
        base, index = read
        if len(index.text) <= _LONGEST and not {"#", "\n"} & {*index.text}:
            found.setdefault((function.start_byte, base.text), []).append(index)
    return found


def _read(node: SyntaxNode, types: Types) -> tuple[SyntaxNode, SyntaxNode] | None:
    """Returns array and index of a read, or sampler and coordinate; None for anything else."""
    if isinstance(node, Subscript):
        is_array = isinstance(node.argument, Identifier) and types.of(node.argument).endswith("]")
        return (node.argument, node.index) if is_array else None
    given = arguments(node)
    is_read = function_called(node) in READS | OTHER_READS and len(given) > 1 and isinstance(given[0], Identifier)
    return (given[0], given[1]) if is_read else None


def _copies(
    sibling: FunctionCall,
    indices: Sequence[SyntaxNode],
    parameters: dict[str, list[str]],
    types: Types,
    scope: NameScope,
) -> Iterator[Places]:
    statements: dict[SyntaxNode | None, list[FunctionCall]] = {}
    for each in indices:
        is_other = isinstance(each, FunctionCall) and each.name != sibling.name and types.of(each) == types.of(sibling)
        if isinstance(each, FunctionCall) and is_other and _is_known(sibling, each, scope):
            statements.setdefault(each.enclosing(*_STATEMENTS), []).append(each)
    for some in statements.values():
        adapted = tuple(_instead(each, _adapted(sibling, each, parameters)) for each in some)
        if 1 < len(adapted) <= _MOST_PLACES:
            yield adapted
        yield from ((each,) for each in adapted[:_MOST_COPIED])


def _adapted(sibling: FunctionCall, own: FunctionCall, parameters: dict[str, list[str]]) -> str:
    """Returns the sibling's call with the own arguments of parameters that both functions have."""
    names, given = parameters.get(own.name, []), own.arguments
    kept = {name: each.text for name, each in zip(names, given, strict=False)}
    every = zip(parameters.get(sibling.name, []), sibling.arguments, strict=False)
    return f"{sibling.name}({', '.join(kept.get(name, each.text) for name, each in every)})"


def _is_known(sibling: SyntaxNode, at: SyntaxNode, scope: NameScope) -> bool:
    """Whether all variables of an index are in scope at another place."""
    own = {name for name, _ in scope.variables(sibling)}
    known = {name for name, _ in scope.variables(at)}
    names = {each.text for leaf in leaves_of(sibling) for each in leaf.of_type(Identifier)}
    return names & own <= known


def _instead(node: SyntaxNode, new: str) -> tuple[SyntaxNode, Mutation]:
    return node, Mutation(node.start_byte, node.end_byte, node.text, new, "copied", f"({new})")
