"""Rows of the model's constants in place of rows that a shader has written out, and added where one was left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, function_called, text_of, walk
from texelscope.pipeline.repair.words.mutation import Mutation, is_target, swap
from texelscope.pipeline.repair.words.types import Types

# A row is written to about so many digits.
_NEAR = 2e-3
# So many rows are tried in one place, those that are most like what stands there.
_MOST = 8
_LONGEST = 400
_VALUES = frozenset({"init_declarator", "assignment_expression", "return_statement"})
_TABLE = re.compile(r"vec[234]|mat[234]")
_VECTOR = re.compile(r"vec[234]")


class Tables:
    """Of one parsed shader: the rows of numbers that it has, and which of the model's stand nowhere in it."""

    def __init__(self, root: tree_sitter.Node, rows: Sequence[tuple[float, ...]]) -> None:
        written = [row for node in walk(root) if (row := _row(node))] if rows else []
        self._missing = [row for row in rows if not any(_is_like(row, other) for other in written)]
        # Of a text that writes numbers out; where many are missing it has them of somewhere else.
        lanes: dict[str, list[tuple[float, ...]]] = {}
        for row in self._missing if any(_is_written_out(node) for node in walk(root)) else ():
            lanes.setdefault(f"vec{len(row)}", []).append(row)
        self._left_out = {kind: some for kind, some in lanes.items() if len(some) <= _MOST}

    def proposals(self, node: tree_sitter.Node, types: Types) -> Iterator[Mutation]:
        """Rows that stand nowhere, in place of a node that is one, and added to a whole value."""
        parent = node.parent
        if self._left_out and parent is not None and parent.type in _VALUES and not is_target(node):
            text = text_of(node)
            for each in self._left_out.get(types.of(node), ()) if len(text) <= _LONGEST and "#" not in text else ():
                yield swap(node, f"({text} + {_written(types.of(node), each)})")
        row = _row(node) if self._missing else ()
        alike = [each for each in self._missing if row and len(each) == len(row)]
        for each in sorted(alike, key=lambda other: float(np.abs(np.subtract(other, row)).sum()))[:_MOST]:
            yield swap(node, _written(function_called(node), each))


def _written(vector: str, row: Sequence[float]) -> str:
    return f"{vector}({', '.join(_shown(number) for number in row)})"


def _is_written_out(node: tree_sitter.Node) -> bool:
    """Whether it is a vector or a matrix of numbers alone."""
    if node.type != "call_expression" or not _TABLE.fullmatch(function_called(node)):
        return False
    given = arguments(node)
    return len(given) > 1 and all(each.type in ("number_literal", "unary_expression") for each in given)


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
