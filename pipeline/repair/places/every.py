"""Collects all mutations of several places of a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from texelscope.pipeline.glsl.semantics.macro_bodies import Macro
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types
from texelscope.pipeline.repair.places.decomposed import decomposed
from texelscope.pipeline.repair.places.exchanged import exchanged, exchanged_macros
from texelscope.pipeline.repair.places.moved import moved
from texelscope.pipeline.repair.places.repeated import repeated
from texelscope.pipeline.repair.words.mutation import Places


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
    yield from decomposed(root, types, scope, sizes)
    yield from exchanged(root, types, scope)
    yield from exchanged_macros(macros, types, scope)
