"""Proposes all mutations of one place of a shader's text, operator by operator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from texelscope.pipeline.glsl.semantics.macro_bodies import Macro
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types
from texelscope.pipeline.glsl.source_text import version_of
from texelscope.pipeline.repair.edits.forgotten import UnusedNames
from texelscope.pipeline.repair.edits.guards import guards
from texelscope.pipeline.repair.edits.operands import operands, without_one
from texelscope.pipeline.repair.edits.proposals import proposals
from texelscope.pipeline.repair.edits.regrouped import factors, gathered, regrouped, turns
from texelscope.pipeline.repair.edits.rewritten import rewritten
from texelscope.pipeline.repair.edits.terms import bounded, put_in, swapped
from texelscope.pipeline.repair.indices.every import Indices
from texelscope.pipeline.repair.indices.index import Addresses
from texelscope.pipeline.repair.indices.index_terms import index_terms
from texelscope.pipeline.repair.indices.lanes import LaneLetters
from texelscope.pipeline.repair.indices.named_sizes import named_sizes
from texelscope.pipeline.repair.places.axes import Axes
from texelscope.pipeline.repair.text.mutation import Mutation

# Before this version GLSL has no integer remainder.
_REMAINDERS = 130


class ProposalContext:
    """The context of a text in which mutations are proposed."""

    def __init__(self, source: str, root: SyntaxNode, macros: Sequence[Macro], types: Types, scope: NameScope) -> None:
        self._types, self._scope = types, scope
        self._axes = Axes(root, types, scope)
        self._forgotten = UnusedNames(root, types, scope)
        self._packed = LaneLetters(source)
        version = version_of(source)
        self._addresses = Addresses((root, *(macro.expression for macro in macros)), types)
        has_remainders = version is not None and version.number >= _REMAINDERS
        self._indices = Indices(types, scope, self._addresses, has_remainders=has_remainders)

    def is_address(self, node: SyntaxNode) -> bool:
        """Whether an expression is an address, or a part of one."""
        return self._addresses.has(node)

    def of(
        self, node: SyntaxNode, numbers: tuple[float, ...], sizes: tuple[float, ...], scalars: tuple[float, ...]
    ) -> Iterator[Mutation]:
        """Proposes mutations of an expression that is computed as the shader runs."""
        types, scope = self._types, self._scope
        yield from proposals(node, types, numbers, (*sizes, *scalars))
        yield from swapped(node, types, scope)
        yield from self._forgotten.proposals(node)
        yield from regrouped(node, types, scope)
        yield from without_one(node, types)
        yield from operands(node, types, scope)
        yield from guards(node, types, scope)
        yield from gathered(node, types)
        yield from self._packed.proposals(node, types)
        yield from bounded(node, types, scope)
        yield from put_in(node, types, scope, numbers, sizes)
        yield from index_terms(node, types, scope, numbers, sizes)
        yield from named_sizes(node, types, scope)
        yield from rewritten(node, types, scope)
        yield from factors(node, types, scope)
        yield from turns(node, types, scope)
        yield from self._axes.proposals(node)
        yield from self._indices.proposals(node, numbers, sizes)
