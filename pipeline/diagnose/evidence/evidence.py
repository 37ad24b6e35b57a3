"""What is known of one wrong pass before anything is concluded: `gather` reads it back from GL, rules see arrays."""

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
        """The name that the oracle knows it by."""
        return self.values.stored.tensor


@dataclass(frozen=True)
class Redrawn:
    """The pass drawn once more with one thing made different; `rows` are the texel rows that were drawn."""

    texels: Texels
    rows: slice


@dataclass(frozen=True)
class Evidence:
    """`texels` are those that the pass's output holds: of the run that `capture` is of.

    `survivors` are lanes that a run over a sentinel did not write (bool, texture's shape). `reruns` is the target after
    that run and, if it came out otherwise, after two more over what was there. `redrawn` holds what the interventions
    of `gather` drew, by their names; those without object are not among them. `taps` are of a sample of wrong and right
    elements; where they cannot be recorded `taps_missing` says why. `answers` are those to designed inputs. A run
    took `took_ms`.

    `facts` are `other_constants`, tensors that the GPU holds otherwise than the model has them, and where it applies
    `before_sampling`, the redraw that those after it start from in place of `clean`; `own_sampler`, the uniform that
    shows the pass's own target; of a compute pass those of `pipeline.diagnose.evidence.of_dispatch`; `not NAME`, why
    the intervention NAME could not be drawn. `fresh` is the same pass on other inputs
    (`pipeline.diagnose.evidence.held_out_inputs`): no taps are recorded there anew.
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
    took_ms: float = 0.0
    redrawn: Mapping[str, Redrawn] = field(default_factory=lambda: MappingProxyType({}))
    taps: tuple[ReadTrace, ...] = ()
    taps_missing: str = ""
    answers: Answers | None = None
    facts: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    fresh: tuple[Evidence, ...] = ()
