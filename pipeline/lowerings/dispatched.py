"""Builds the form of a generated pass that stores its texels as an image: one dispatch, or one draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from texelscope.layouts.grid import ceil_div
from texelscope.pipeline.glsl.other_stages import as_compute, as_drawn_image
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep
from texelscope.pipeline.plan import Pass, ProgramSource, Sampler, StoredTensor

# A work group's invocations are texels of a square, or of a line where the texture is one.
_SQUARE, _ACROSS, _DOWN = (16, 16), (64, 1), (1, 64)
_STORAGES = ("float32", "float16")


def dispatched(shader_pass: Pass, textures: Mapping[str, StoredTensor]) -> Lowering | None:
    """Returns the pass as one dispatch; None for a hand-written shader, or a texture that images cannot write."""
    if not _stores_an_image(shader_pass, textures):
        return None
    height, width = textures[shader_pass.output].texture_shape
    size = _ACROSS if height < _SQUARE[1] else _DOWN if width < _SQUARE[0] else _SQUARE
    text = as_compute(shader_pass.program.fragment, [sampler.uniform for sampler in shader_pass.samplers], size)
    return _form(shader_pass, text, (ceil_div(width, size[0]), ceil_div(height, size[1]), 1), "compute")


def drawn(shader_pass: Pass, textures: Mapping[str, StoredTensor]) -> Lowering | None:
    """Returns the pass, as `dispatched`, as one draw without a framebuffer of its textures.

    An NVIDIA H200 takes 60 µs, and waits for earlier work, to draw into a texture for the first time, but none of
    that to store into it: this cost applies to each texture that a fused run frees and creates again.
    """
    if not _stores_an_image(shader_pass, textures):
        return None
    height, width = textures[shader_pass.output].texture_shape
    text = as_drawn_image(shader_pass.program.fragment, [sampler.uniform for sampler in shader_pass.samplers])
    return _form(shader_pass, text, (width, height, 1), "fragment")


def _stores_an_image(shader_pass: Pass, textures: Mapping[str, StoredTensor]) -> bool:
    plain = all(sampler == Sampler(sampler.uniform, sampler.key) for sampler in shader_pass.samplers)
    is_one = len(shader_pass.outputs) == 1 and textures[shader_pass.output].storage in _STORAGES
    return is_one and plain and not shader_pass.uniforms and shader_pass.program.refused is None


def _form(
    shader_pass: Pass, text: str | None, size: tuple[int, int, int], kind: Literal["fragment", "compute"]
) -> Lowering | None:
    if text is None:
        return None
    reads = tuple(sampler.key for sampler in shader_pass.samplers)
    step = LoweringStep(ProgramSource(text, shader_pass.program.files), size, reads, (shader_pass.output,), kind=kind)
    return Lowering((shader_pass.name,), tuple(dict.fromkeys(reads)), (shader_pass.output,), (step,))
