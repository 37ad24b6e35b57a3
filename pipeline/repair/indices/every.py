"""What may be wrong with where something is read, each alone: mirrored, another axis, another step, not held within.

Of few of a place each is one of kind `index`, of many each of kind `moved`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import text_of
from texelscope.pipeline.repair.indices.added import added
from texelscope.pipeline.repair.indices.addresses import Addresses
from texelscope.pipeline.repair.indices.divided import divided
from texelscope.pipeline.repair.indices.held import about_centres, held, sized
from texelscope.pipeline.repair.indices.index import Index
from texelscope.pipeline.repair.indices.mirrored import mirrored
from texelscope.pipeline.repair.indices.places import folded, other_tables, placed
from texelscope.pipeline.repair.indices.strides import strided
from texelscope.pipeline.repair.words.mutation import Mutation, is_target
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of

# Lanes, taps and members of groups, where no size says how many; at most so many steps in all, and none larger.
_COUNTS, _MOST_STEPS, _LARGEST = (2.0, 3.0, 4.0), 12, 1 << 16
_LONGEST = 120
_FAMILIES = (mirrored, placed, folded, strided, added, divided, held, about_centres)


class Indices:
    """Of one parsed shader: what may stand in place of what says where it reads."""

    def __init__(self, types: Types, scope: NameScope, addresses: Addresses, *, has_remainders: bool) -> None:
        """`has_remainders`: whether the version of GLSL has an operator for them."""
        self._types, self._scope, self._addresses = types, scope, addresses
        self._has_remainders = has_remainders

    def proposals(
        self, node: tree_sitter.Node, numbers: tuple[float, ...], sizes: tuple[float, ...]
    ) -> Iterator[Mutation]:
        """Of one node; `numbers` are expected somewhere, `sizes` those of tensors."""
        text, kind = text_of(node), self._types.of(node)
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
