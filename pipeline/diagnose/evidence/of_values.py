"""Evidence from values alone, for a pass that ran where nothing can be redrawn: no interventions, no taps."""

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
    shader_pass: Pass,
    capture: Capture,
    *,
    program: ProgramSource | None = None,
    texels: Mapping[str, Texels] = MappingProxyType({}),
) -> Evidence:
    """Returns the evidence in the values of `capture`; `plan` has the layouts in which its tensors were stored.

    `program` is the shader that made them, None if unknown. `texels` are those of tensors that were read back as
    textures, float32 [height, width, lanes]; of the others only the elements are known, and padding is 0. `capture`
    must have every tensor that the pass reads, constants aside.
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

    reads = tuple(map(read, shader_pass.readers))
    return Evidence(
        plan=plan,
        shader_pass=shader_pass,
        program=program or ProgramSource("", ()),
        vertex="",
        capture=capture,
        texels=held(shader_pass.output),
        reads=reads,
        taps_missing=NOT_DRAWN,
        facts={"other_constants": other_constants(plan, reads)},
    )
