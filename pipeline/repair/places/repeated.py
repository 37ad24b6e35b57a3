"""Proposes a computed variable in all places of an expression that a function repeats."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import BinaryExpression, FunctionCall, Subscript
from texelscope.pipeline.glsl.semantics.questions import function_around
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_matrix, scalar_of
from texelscope.pipeline.repair.places.leaves import leaves_of
from texelscope.pipeline.repair.words.mutation import Places, is_target, swap

# The most places that are replaced at once, and the nearest so many variables.
_MOST_PLACES, _MOST = 12, 6
_LONGEST = 120
_REPEATED = (BinaryExpression, FunctionCall, Subscript)


def repeated(root: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Places]:
    """Proposes all places of each repeated expression, with one variable there."""
    places: dict[tuple[int, str], list[SyntaxNode]] = {}
    for node in root.walk():
        function = function_around(node) if isinstance(node, _REPEATED) else None
        if function is not None and node.end_byte - node.start_byte <= _LONGEST and not is_target(node):
            places.setdefault((function.start_byte, node.text), []).append(node)
    for (_, text), nodes in places.items():
        kind = types.of(nodes[0])
        if not 1 < len(nodes) <= _MOST_PLACES or not scalar_of(kind) or is_matrix(kind) or "#" in text or "//" in text:
            continue
        own = {leaf.text for leaf in leaves_of(nodes[0])}
        known = [{name for name, _ in scope.variables(node)} for node in nodes]
        names = [each for each in scope.of_type(nodes[0], kind) if each not in own]
        for name in names[:_MOST]:
            if all(name.partition(".")[0] in there for there in known):
                yield tuple((node, swap(node, name)) for node in nodes)
