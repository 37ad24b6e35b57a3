"""Hints for the search for repairs, from the diagnosis."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.repair.programs.likely_edits import NOTHING, LikelyEdits
from texelscope.pipeline.repair.words.mutation import Kind


class Partnering(Protocol):
    """Provides numbered causes; see `pipeline.diagnose.cofault`."""

    def values_at(self, elements: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """Yields each number with the values of some elements of the first output under that cause."""

    def whole(self, number: int) -> NDArray[np.float64] | None:
        """Returns the first output under one cause, its elements in order; None if it does not apply."""


@dataclass(frozen=True)
class SearchHints:
    """Search hints: suspicious lines of the shader, and numbers expected somewhere; the likeliest first.

    For two faults `single_fault_outputs` are the first output without each, its elements in order. `bindings` are
    samplers with the tensors that belong to them. If `of_plan`, no text is searched. Mutation operators in `first` are
    the likeliest. One of `partners` may be the cause of everything that a mutation leaves. Values that are `is_rounded`
    have the digits of a lower precision. With `of_other_inputs` another tensor is read. Mutations with the words
    `asked` are tried first.
    """

    lines: tuple[Line, ...] = ()
    numbers: tuple[float, ...] = ()
    single_fault_outputs: tuple[NDArray[Any], ...] = ()
    bindings: tuple[tuple[str, str], ...] = ()
    of_plan: bool = False
    first: frozenset[Kind] = frozenset()
    partners: Partnering | None = None
    is_rounded: bool = False
    of_other_inputs: bool = False
    asked: LikelyEdits = NOTHING
