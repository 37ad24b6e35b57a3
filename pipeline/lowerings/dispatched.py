"""The form of a generated pass that stores its texels as an image: a dispatch of one invocation each, or a draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from texelscope.layouts.grid import ceil_div
from texelscope.pipeline.glsl.as_compute import as_compute, as_drawn_image
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep
from texelscope.pipeline.plan import Pass, ProgramSource, Sampler, StoredTensor

# Invocations of a work group, which are texels of a square, or of a line where the texture is one.
_SQUARE, _ACROSS, _DOWN = (16, 16), (64, 1), (1, 64)
_STORAGES = ("float32", "float16")


def dispatched(each: Pass, textures: Mapping[str, StoredTensor]) -> Lowering | None:
    """The pass as one dispatch; None for a shader that is not generated, or a texture that images do not write."""
    if not _stores_an_image(each, textures):
        return None
    height, width = textures[each.output].texture_shape
    size = _ACROSS if height < _SQUARE[1] else _DOWN if width < _SQUARE[0] else _SQUARE
    text = as_compute(each.program.fragment, [sampler.uniform for sampler in each.samplers], size)
    return _form(each, text, (ceil_div(width, size[0]), ceil_div(height, size[1]), 1), "compute")


def drawn(each: Pass, textures: Mapping[str, StoredTensor]) -> Lowering | None:
    """As `dispatched`, the pass as one draw without a framebuffer of its textures.

    An NVIDIA H200 takes 60 µs, and waits for what runs before, to draw into a texture for the first time, and none of
    that to store into it: so much does each texture cost that a fused run frees and makes again.
    """
    if not _stores_an_image(each, textures):
        return None
    height, width = textures[each.output].texture_shape
    text = as_drawn_image(each.program.fragment, [sampler.uniform for sampler in each.samplers])
    return _form(each, text, (width, height, 1), "fragment")


def _stores_an_image(each: Pass, textures: Mapping[str, StoredTensor]) -> bool:
    plain = all(sampler == Sampler(sampler.uniform, sampler.key) for sampler in each.samplers)
    is_one = len(each.outputs) == 1 and textures[each.output].storage in _STORAGES
    return is_one and plain and not each.uniforms and each.program.refused is None


def _form(
    each: Pass, text: str | None, size: tuple[int, int, int], kind: Literal["fragment", "compute"]
) -> Lowering | None:
    if text is None:
        return None
    reads = tuple(sampler.key for sampler in each.samplers)
    step = LoweringStep(ProgramSource(text, each.program.files), size, reads, (each.output,), kind=kind)
    return Lowering((each.name,), tuple(dict.fromkeys(reads)), (each.output,), (step,))
