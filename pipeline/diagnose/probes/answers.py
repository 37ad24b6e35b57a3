"""The raw answers of a pass to designed inputs: they are decoded elsewhere."""

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
    """The answers about one tensor: `draws` float32 [4, elements] with it all 0, all 1, its codes and its check codes.

    `is_alone`: all other inputs held their own values.
    """

    lanes: ProbeLanes
    draws: Array
    is_alone: bool = False

    @property
    def key(self) -> str:
        """Returns the key of its texture."""
        return self.lanes.stored[0].key


@dataclass(frozen=True)
class AskedSum:
    """The answers about a sum of products with few lanes of its `sources` lit, bool [turns, lanes], all others 0.

    `draws` float32 [turns, 4, elements] are with the lit ones 1, their codes, 1 and their checks; the weights are 1, 1,
    their codes and their checks; None if they are in the shader's text. `nothing` [elements] is with no lane lit.
    `by_weights` is the same with few weights lit, sources and weights exchanged. If other nodes read the sum's textures
    too, `draws` are what both factors give together less what each gives alone, and `nothing` is 0; in a texture of
    both, the weights are the lanes that are not lit.
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
    """All answers for those `elements` of a pass's output (linear indices); `filled` is the content of textures."""

    wiring: Wiring
    elements: Indices
    filled: Mapping[str, float]
    tensors: tuple[AskedTensor, ...] = ()
    totals: tuple[AskedSum, ...] = ()
