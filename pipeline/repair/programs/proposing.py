"""Proposes all mutations of one place of a shader's text, operator by operator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

from pipeline.glsl.versions import version_of
from pipeline.repair.edits.factors import factors
from pipeline.repair.edits.forgotten import Forgotten
from pipeline.repair.edits.gathered import gathered
from pipeline.repair.edits.guards import guards
from pipeline.repair.edits.operands import operands, without_one
from pipeline.repair.edits.packed import Packed
from pipeline.repair.edits.proposals import proposals
from pipeline.repair.edits.regrouped import regrouped
from pipeline.repair.edits.rewritten import rewritten
from pipeline.repair.edits.terms import bounded, put_in, swapped
from pipeline.repair.edits.turns import turns
from pipeline.repair.indices.addresses import Addresses
from pipeline.repair.indices.every import Indices
from pipeline.repair.indices.index_terms import index_terms
from pipeline.repair.indices.named_sizes import named_sizes
from pipeline.repair.places.axes import Axes
from pipeline.repair.words.macros import Macro
from pipeline.repair.words.proposal import Proposal
from pipeline.repair.words.scope import Scope
from pipeline.repair.words.types import Types

# Before this version GLSL has no integer remainder.
_REMAINDERS = 130


class Proposing:
    """The context of a text in which mutations are proposed."""

    def __init__(
        self, source: str, root: tree_sitter.Node, macros: Sequence[Macro], types: Types, scope: Scope
    ) -> None:
        self._types, self._scope = types, scope
        self._axes = Axes(root, types, scope)
        self._forgotten = Forgotten(root, types, scope)
        self._packed = Packed(source)
        version = version_of(source)
        self._addresses = Addresses((root, *(macro.expression for macro in macros)), types)
        has_remainders = version is not None and version.number >= _REMAINDERS
        self._indices = Indices(types, scope, self._addresses, has_remainders=has_remainders)

    def is_address(self, node: tree_sitter.Node) -> bool:
        """Whether an expression is an address, or a part of one."""
        return self._addresses.has(node)

    def of(
        self, node: tree_sitter.Node, numbers: tuple[float, ...], sizes: tuple[float, ...], scalars: tuple[float, ...]
    ) -> Iterator[Proposal]:
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
