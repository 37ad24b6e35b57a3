"""Rows of the model's constants in place of rows that a shader has written out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import tree_sitter

from pipeline.glsl.syntax import arguments, function_called, text_of, walk
from pipeline.repair.words.proposal import Proposal, swap

# A row is written to about so many digits.
_NEAR = 2e-3
# So many rows are tried in one place, those that are most like what stands there.
_MOST = 8
_VECTOR = re.compile(r"vec[234]")


class Tables:
    """Of one parsed shader: the rows of numbers that it has, and which of the model's stand nowhere in it."""

    def __init__(self, root: tree_sitter.Node, rows: Sequence[tuple[float, ...]]) -> None:
        written = [row for node in walk(root) if (row := _row(node))] if rows else []
        self._missing = [row for row in rows if not any(_is_like(row, other) for other in written)]

    def proposals(self, node: tree_sitter.Node) -> Iterator[Proposal]:
        """Rows that stand nowhere, in place of a node that is one."""
        row = _row(node) if self._missing else ()
        alike = [each for each in self._missing if row and len(each) == len(row)]
        for each in sorted(alike, key=lambda other: float(np.abs(np.subtract(other, row)).sum()))[:_MOST]:
            yield swap(node, f"{function_called(node)}({', '.join(_shown(number) for number in each)})")


def _row(node: tree_sitter.Node) -> tuple[float, ...]:
    """The numbers of a vector that is written out; empty of anything else."""
    if node.type != "call_expression" or not _VECTOR.fullmatch(function_called(node)):
        return ()
    try:
        row = tuple(float(text_of(each).replace(" ", "").rstrip("fF")) for each in arguments(node))
    except ValueError:
        return ()
    return row if len(row) > 1 else ()


def _is_like(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and bool(np.allclose(one, other, rtol=_NEAR, atol=1e-6))


def _shown(number: float) -> str:
    """A number as one writes it, to the digits that tell it from its float32 neighbours."""
    text = str(np.float32(number))
    return text if set(text) & set(".en") else f"{text}.0"
