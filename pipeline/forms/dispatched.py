"""The form of a generated pass as a dispatch: each invocation computes one texel, as each fragment did."""

from __future__ import annotations

from collections.abc import Mapping

from layouts.grid import ceil_div
from pipeline.forms.form import Form, Step
from pipeline.glsl.as_compute import as_compute
from pipeline.plan import Pass, ProgramSource, Sampler, StoredTensor

# Invocations of a work group, which are texels of a square, or of a line where the texture is one.
_SQUARE, _ACROSS, _DOWN = (16, 16), (64, 1), (1, 64)
_STORAGES = ("float32", "float16")


def dispatched(each: Pass, textures: Mapping[str, StoredTensor]) -> Form | None:
    """The pass as one dispatch; None for a shader that is not generated, or a texture that images do not write."""
    output = textures[each.output]
    plain = all(sampler == Sampler(sampler.uniform, sampler.key) for sampler in each.samplers)
    if len(each.outputs) > 1 or each.uniforms or not plain or output.storage not in _STORAGES:
        return None
    height, width = output.texture_shape
    size = _ACROSS if height < _SQUARE[1] else _DOWN if width < _SQUARE[0] else _SQUARE
    text = as_compute(each.program.fragment, [sampler.uniform for sampler in each.samplers], size)
    if text is None or each.program.refused is not None:
        return None
    step = Step(
        program=ProgramSource(text, each.program.files),
        size=(ceil_div(width, size[0]), ceil_div(height, size[1]), 1),
        textures=tuple(sampler.key for sampler in each.samplers),
        images=(each.output,),
        kind="compute",
    )
    reads = tuple(dict.fromkeys(sampler.key for sampler in each.samplers))
    return Form((each.name,), reads, (each.output,), (step,))
