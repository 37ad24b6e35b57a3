"""Proposes all changes of an address, one at a time: mirrored, another axis, another step, unclamped.

Few proposals of a place have the kind `index`, many the kind `moved`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.indices.added import added
from texelscope.pipeline.repair.indices.addresses import Addresses
from texelscope.pipeline.repair.indices.divided import divided
from texelscope.pipeline.repair.indices.held import about_centres, held, sized
from texelscope.pipeline.repair.indices.index import Index
from texelscope.pipeline.repair.indices.mirrored import mirrored
from texelscope.pipeline.repair.indices.places import folded, other_tables, placed
from texelscope.pipeline.repair.indices.strides import strided
from texelscope.pipeline.repair.words.mutation import Mutation, is_target

# Lanes, taps and group sizes that no size names; at most so many steps, and none larger.
_COUNTS, _MOST_STEPS, _LARGEST = (2.0, 3.0, 4.0), 12, 1 << 16
_LONGEST = 120
_FAMILIES = (mirrored, placed, folded, strided, added, divided, held, about_centres)


class Indices:
    """Makes the proposals for addresses of one parsed shader."""

    def __init__(self, types: Types, scope: NameScope, addresses: Addresses, *, has_remainders: bool) -> None:
        """`has_remainders`: whether this version of GLSL has an operator for remainders."""
        self._types, self._scope, self._addresses = types, scope, addresses
        self._has_remainders = has_remainders

    def proposals(self, node: SyntaxNode, numbers: tuple[float, ...], sizes: tuple[float, ...]) -> Iterator[Mutation]:
        """Proposes changes of one node; `numbers` are expected by a finding, `sizes` are those of tensors."""
        text, kind = node.text, self._types.of(node)
        if len(text) > _LONGEST or "#" in text or "//" in text or is_target(node) or is_matrix(kind):
            return
        steps = [int(each) for each in (*numbers, *_COUNTS, *sizes) if each.is_integer() and 1 < each < _LARGEST]
        some = (*dict.fromkeys(steps),)[:_MOST_STEPS]
        index = Index(node, self._types, self._scope, self._addresses, some, self._has_remainders)
        made: Iterator[Mutation] = itertools.chain(other_tables(node, index), sized(node, index))
        is_number = scalar_of(kind) in ("int", "uint", "float") and lanes_of(kind) <= 3
        if is_number and not is_in_a_table(node) and self._addresses.has(node):
            made = itertools.chain(made, *(family(index) for family in _FAMILIES))
        seen = set[tuple[str, float]]()
        for each in made:
            if (each.new, each.values[0]) not in seen and each.new != text:
                seen.add((each.new, each.values[0]))
                yield each
