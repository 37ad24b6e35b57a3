"""An expression that stands in a function several times: in place of each the variable that was worked out for it."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import function_around, text_of, walk
from texelscope.pipeline.repair.places.leaves import leaves_of
from texelscope.pipeline.repair.words.mutation import Places, is_target, swap
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, is_matrix, scalar_of

# Places that are written otherwise at once, and variables that may stand there, the nearest so many.
_MOST_PLACES, _MOST = 12, 6
_LONGEST = 120
_REPEATED = frozenset({"binary_expression", "call_expression", "subscript_expression"})


def repeated(root: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[Places]:
    """Of each expression that stands in a function more than once all places, with one variable there."""
    places: dict[tuple[int, str], list[tree_sitter.Node]] = {}
    for node in walk(root):
        function = function_around(node) if node.type in _REPEATED else None
        if function is not None and node.end_byte - node.start_byte <= _LONGEST and not is_target(node):
            places.setdefault((function.start_byte, text_of(node)), []).append(node)
    for (_, text), nodes in places.items():
        kind = types.of(nodes[0])
        if not 1 < len(nodes) <= _MOST_PLACES or not scalar_of(kind) or is_matrix(kind) or "#" in text or "//" in text:
            continue
        own = {text_of(leaf) for leaf in leaves_of(nodes[0])}
        known = [{name for name, _ in scope.variables(node)} for node in nodes]
        names = [each for each in scope.of_type(nodes[0], kind) if each not in own]
        for name in names[:_MOST]:
            if all(name.partition(".")[0] in there for there in known):
                yield tuple((node, swap(node, name)) for node in nodes)
