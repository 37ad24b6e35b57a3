"""The formats and state of a draw, as data: a driver compiles a shader's machine code for exactly these.

A program drawn with the same formats in another process fills the driver's cache on disk, so that it starts at once in
this process.
"""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.plan import Filter, Pass, Plan, Storage, Wrap


@dataclass(frozen=True)
class SampledTexture:
    """A texture bound to a sampler has a unit, width and height in texels, lanes, and a sampling mode."""

    uniform: str
    unit: int
    size: tuple[int, int]
    lanes: int
    storage: Storage
    filter: Filter
    wrap: Wrap


@dataclass(frozen=True)
class PassTextures:
    """The inputs of a pass, and width, height and lanes of each of its float32 targets."""

    reads: tuple[SampledTexture, ...] = ()
    targets: tuple[tuple[int, int, int], ...] = ((1, 1, 4),)


def stage_of(plan: Plan, shader_pass: Pass) -> PassTextures:
    """Returns the stage of a pass that is drawn."""
    reads = []
    for unit, sampler in enumerate(shader_pass.samplers):
        stored = plan.textures[sampler.key]
        height, width = stored.texture_shape
        lanes = stored.layout.lanes
        reads.append(
            SampledTexture(sampler.uniform, unit, (width, height), lanes, stored.storage, sampler.filter, sampler.wrap)
        )
    made = (plan.textures[key] for key in shader_pass.outputs)
    return PassTextures(tuple(reads), tuple((*each.texture_shape[::-1], each.layout.lanes) for each in made))
