"""What points at a fault, for the search for its repairs."""

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
    """Causes that are numbered; see `pipeline.diagnose.cofault`."""

    def values_at(self, elements: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """The number of each with what some elements of the first output are under it."""

    def whole(self, number: int) -> NDArray[np.float64] | None:
        """The first output under one, its elements in order; None where it does not apply."""


@dataclass(frozen=True)
class SearchHints:
    """What points at the fault: lines of the shader, and numbers that are expected somewhere; the likeliest first.

    Of two faults `halves` are what the first output is without each, its elements in order.
    `bindings` are samplers with the tensors that belong to them. Where it is `of_plan`, no text is searched.
    Edits of the kinds `first` are the likeliest. One of `partners` may be the cause of all that an edit leaves. What
    `is_rounded` has the digits of a lower precision. With `of_other_inputs` another tensor is read. What is `asked`
    of an edit is tried first.
    """

    lines: tuple[Line, ...] = ()
    numbers: tuple[float, ...] = ()
    halves: tuple[NDArray[Any], ...] = ()
    bindings: tuple[tuple[str, str], ...] = ()
    of_plan: bool = False
    first: frozenset[Kind] = frozenset()
    partners: Partnering | None = None
    is_rounded: bool = False
    of_other_inputs: bool = False
    asked: LikelyEdits = NOTHING
