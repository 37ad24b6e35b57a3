"""Proposes what sibling statements have: a shader often reads the same arrays in two loops.

An index by the function that another read of the same array or sampler has: at one place, and at all of a statement.
Arguments that both functions have stay: `w[at_x(c + 1, row, col)]` beside `w[at_w(c, o, i, j)]` becomes
`w[at_w(c + 1, o, i, j)]`. And a factor that a sum in a loop lacks: `sum += x[k]` beside `w[k]` becomes
`sum += x[k] * w[k]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from texelscope.pipeline.glsl.semantics.expressions import Assignment, FunctionCall, Identifier, Subscript
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
from texelscope.pipeline.repair.text.mutation import Mutation, Places, around, is_target, leaves_of

# The most reads of one array in a function, copies to one place, and places changed at once.
_MOST_READS, _MOST_COPIED, _MOST_PLACES = 16, 4, 12
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
    for node in root.of_type(Assignment):
        value = node.right
        if node.operator != "+=" or node.enclosing(*_LOOPS) is None or len(value.text) > _LONGEST:
            continue
        own = {read[0].text for each in value.of_type(Subscript, FunctionCall) if (read := _read(each, types))}
        if not own or {"#", "\n"} & {*value.text} or scalar_of(types.of(value)) != "float":
            continue
        every = ((each, _read(each, types)) for each in (*scope.elements(node), *scope.reads(node)))
        others = [each.text for each, read in every if read is not None and read[0].text not in own
                  and types.of(each) == types.of(value)]  # fmt: skip
        for new in [*dict.fromkeys(others)][:_MOST_COPIED]:
            yield (_instead(value, f"{around(value)} * {new}"),)


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
