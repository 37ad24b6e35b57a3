"""What a pass answered to designed inputs, as it came out: nothing is concluded here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.probes.designs import ProbeLanes
from texelscope.pipeline.diagnose.probes.wiring import SumWiring, Wiring

Array = NDArray[np.float32]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class AskedTensor:
    """One tensor asked for: `draws` float32 [4, elements] with it 0, 1, its codes and its check codes all over.

    `is_alone`: all else that the pass reads held what it holds.
    """

    lanes: ProbeLanes
    draws: Array
    is_alone: bool = False

    @property
    def key(self) -> str:
        """Of its texture."""
        return self.lanes.stored[0].key


@dataclass(frozen=True)
class AskedSum:
    """A sum of products asked for, with few lanes of its `sources` lit, bool [turns, lanes], all others 0.

    `draws` float32 [turns, 4, elements] are with the lit ones 1, their codes, 1 and their checks; the weights are
    1, 1, their codes and their checks; None where they are in the shader's text. `nothing` [elements] is with no
    lane lit. `by_weights` is the same with few weights lit, sources and weights exchanged. Of a sum whose textures
    something else reads too, `draws` are what the two together add to what each alone makes, and `nothing` is 0;
    weights in the texture of the sources are the lanes that are not lit.
    """

    wiring: SumWiring
    sources: ProbeLanes
    weights: ProbeLanes | None
    lit: NDArray[np.bool_]
    draws: Array
    nothing: Array
    by_weights: AskedSum | None = None


@dataclass(frozen=True)
class Answers:
    """Of the `elements` of a pass's output (linear indices) that were drawn. `filled` is by key what textures held."""

    wiring: Wiring
    elements: Indices
    filled: Mapping[str, float]
    tensors: tuple[AskedTensor, ...] = ()
    totals: tuple[AskedSum, ...] = ()
