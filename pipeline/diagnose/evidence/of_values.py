"""Evidence of values alone, for a pass that ran where nothing can be drawn again: no redraws, no recorded reads."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.diagnose.evidence.evidence import Evidence, ReadTensor
from texelscope.pipeline.diagnose.evidence.held_constants import other_constants
from texelscope.pipeline.diagnose.evidence.stored_values import StoredValues
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, Sampler

Texels = NDArray[np.float32]
NOT_DRAWN = "It ran on another device, where reads cannot be recorded."


def evidence_of_values(
    plan: Plan,
    each: Pass,
    capture: Capture,
    *,
    program: ProgramSource | None = None,
    texels: Mapping[str, Texels] = MappingProxyType({}),
) -> Evidence:
    """What the values of `capture` tell about a pass: `plan` has the layouts that its tensors were stored in.

    `program` is the shader that made them, None where it is not known. `texels` are those of tensors that were read
    back as textures, float32 [height, width, lanes]; of the others only their elements are known, and padding is 0.
    Every tensor that the pass reads, constants aside, has to be in `capture`.
    """

    def held(key: str) -> Texels:
        if key in texels:
            return texels[key]
        stored = plan.textures[key]
        value = capture.tensors.get(key) if stored.role != "constant" else plan.constant(stored.tensor)
        assert value is not None
        return stored.layout.encode(np.asarray(value).reshape(stored.shape))

    def read(sampler: Sampler) -> ReadTensor:
        return ReadTensor(sampler, StoredValues(plan.textures[sampler.key], held(sampler.key), sampler.wrap))

    reads = tuple(map(read, each.readers))
    return Evidence(
        plan=plan,
        each=each,
        program=program or ProgramSource("", ()),
        vertex="",
        capture=capture,
        texels=held(each.output),
        reads=reads,
        taps_missing=NOT_DRAWN,
        facts={"other_constants": other_constants(plan, reads)},
    )
