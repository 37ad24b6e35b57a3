"""Collects all mutations of several places of a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import tree_sitter

from texelscope.pipeline.repair.places.decomposed import decomposed
from texelscope.pipeline.repair.places.exchanged import exchanged, exchanged_macros
from texelscope.pipeline.repair.places.moved import moved
from texelscope.pipeline.repair.places.repeated import repeated
from texelscope.pipeline.repair.words.macros import Macro
from texelscope.pipeline.repair.words.mutation import Places
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types


def of_places(
    root: tree_sitter.Node,
    expressions: Iterable[tree_sitter.Node],
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
    yield from decomposed(root, types, scope, sizes)
    yield from exchanged(root, types, scope)
    yield from exchanged_macros(macros, types, scope)
