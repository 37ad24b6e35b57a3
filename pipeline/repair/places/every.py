"""Every edit of more than one place of a text that is proposed from its tree."""

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
    """Of a tree, of which `expressions` may be written otherwise, and of what stands behind `#define`.

    `sizes` are those of tensors.
    """
    for node in expressions:
        yield from moved(node, types, scope)
    yield from repeated(root, types, scope)
    yield from decomposed(root, types, scope, sizes)
    yield from exchanged(root, types, scope)
    yield from exchanged_macros(macros, types, scope)
