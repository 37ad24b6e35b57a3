"""The evidence about one wrong pass: `gather` reads it back from GL, rules see arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.diagnose.evidence.stored_values import StoredValues
from texelscope.pipeline.diagnose.probes.answers import Answers
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, Sampler
from texelscope.pipeline.read_trace.expected import ReadTrace

Texels = NDArray[np.float32]


@dataclass(frozen=True)
class ReadTensor:
    """A tensor that the pass reads, with the sampler uniform that it is bound to."""

    sampler: Sampler
    values: StoredValues

    @property
    def tensor(self) -> str:
        """Returns the oracle's name of the tensor."""
        return self.values.stored.tensor


@dataclass(frozen=True)
class Redrawn:
    """The pass drawn once more with one thing changed; `rows` are the texel rows that were drawn."""

    texels: Texels
    rows: slice


@dataclass(frozen=True)
class Evidence:
    """What is known about one wrong pass; `texels` are those of its output, of the same run as `capture`.

    `survivors` are lanes that a run over a sentinel did not write (bool, texture's shape). `reruns` holds the target
    after that run and, if it differed, after two more over the target's own content. `interventions` holds their
    results by name; interventions that do not apply are missing. `taps` belong to a sample of wrong and right elements;
    `taps_missing` says why they could not be recorded. `answers` are those to designed inputs. A run took `took_ms`.

    `facts` are `other_constants`, tensors that differ on the GPU from the model, and where it applies
    `before_sampling`, the redraw that replaces `clean` as the base of later ones; `own_sampler`, the uniform bound to
    the pass's own target; for a compute pass those of `pipeline.diagnose.evidence.of_dispatch`; `not NAME`, why the
    intervention NAME could not be drawn. `fresh` is the same pass on other inputs
    (`pipeline.diagnose.evidence.held_out_inputs`), without taps.
    """

    plan: Plan
    shader_pass: Pass
    program: ProgramSource
    vertex: str
    capture: Capture
    texels: Texels
    reads: tuple[ReadTensor, ...]
    survivors: NDArray[np.bool_] | None = None
    reruns: tuple[Texels, ...] = ()
    took_ms: float = 0.0
    interventions: Mapping[str, Redrawn] = field(default_factory=lambda: MappingProxyType({}))
    taps: tuple[ReadTrace, ...] = ()
    taps_missing: str = ""
    answers: Answers | None = None
    facts: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    fresh: tuple[Evidence, ...] = ()
