"""What is known of one wrong pass before anything is concluded: read back from GL, plain arrays from here on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.compare.capture import Capture
from pipeline.diagnose.evidence.stored_values import StoredValues
from pipeline.plan import Pass, Plan, ProgramSource, Sampler
from pipeline.taps.expected import Taps

Texels = NDArray[np.float32]


@dataclass(frozen=True)
class ReadTensor:
    """A tensor that the pass reads, with the sampler uniform that it is bound to."""

    sampler: Sampler
    values: StoredValues

    @property
    def tensor(self) -> str:
        """The name that the oracle knows it by."""
        return self.values.stored.tensor


@dataclass(frozen=True)
class Redrawn:
    """The pass drawn once more with one thing made different; `rows` are the texel rows that were drawn."""

    texels: Texels
    rows: slice


@dataclass(frozen=True)
class Evidence:
    """`texels` are those of the pass's first target as the comparison saw them.

    `survivors` are lanes that a run did not write (bool, texture's shape); `reruns` the target after two more
    runs on the same inputs; `redrawn` the results of interventions by name (see `probes`). `interventions`
    left out were without object or impossible. `taps` are of a sample of wrong and right elements.
    """

    plan: Plan
    each: Pass
    program: ProgramSource
    vertex: str
    capture: Capture
    texels: Texels
    reads: tuple[ReadTensor, ...]
    survivors: NDArray[np.bool_] | None = None
    reruns: tuple[Texels, ...] = ()
    redrawn: Mapping[str, Redrawn] = field(default_factory=lambda: MappingProxyType({}))
    taps: tuple[Taps, ...] = ()
    taps_missing: str = ""
    facts: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
