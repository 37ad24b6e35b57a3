"""What a pass is drawn with, as data: a driver makes machine code of a shader for just those formats and that state.

Whoever draws a program with the same formats in another process first fills the driver's cache on disk: the next one
to draw it there need not wait for the driver.
"""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.plan import Filter, Pass, Plan, Storage, Wrap


@dataclass(frozen=True)
class SampledTexture:
    """A texture that a sampler shows: its unit, width and height in texels, lanes, and how it is sampled."""

    uniform: str
    unit: int
    size: tuple[int, int]
    lanes: int
    storage: Storage
    filter: Filter
    wrap: Wrap


@dataclass(frozen=True)
class PassTextures:
    """What a pass reads, and width, height and lanes of each of its targets, which are of float32."""

    reads: tuple[SampledTexture, ...] = ()
    targets: tuple[tuple[int, int, int], ...] = ((1, 1, 4),)


def stage_of(plan: Plan, each: Pass) -> PassTextures:
    """Of a pass that is drawn."""
    reads = []
    for unit, sampler in enumerate(each.samplers):
        stored = plan.textures[sampler.key]
        height, width = stored.texture_shape
        lanes = stored.layout.lanes
        reads.append(
            SampledTexture(sampler.uniform, unit, (width, height), lanes, stored.storage, sampler.filter, sampler.wrap)
        )
    made = (plan.textures[key] for key in each.outputs)
    return PassTextures(tuple(reads), tuple((*each.texture_shape[::-1], each.layout.lanes) for each in made))
