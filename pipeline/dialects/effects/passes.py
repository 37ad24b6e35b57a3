"""Describes the passes of an effect as its reader needs them, and the plan that keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from texelscope.pipeline.dialects.mpv.passes import ShaderPlan
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.plan import Filter, Wrap


@dataclass(frozen=True)
class EffectTexture:
    """Describes a texture of an effect: its tensor `key`, its size in texels, and its channels, 1 to 4.

    `limits` are the least and the greatest number that its format holds; None for formats of floats.
    """

    key: str
    width: int
    height: int
    channels: int
    limits: tuple[float, float] | None = None

    @property
    def shape(self) -> Shape:
        """The shape of its tensor."""
        return (1, self.channels, self.height, self.width)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height


@dataclass(frozen=True)
class ReadTexture:
    """Describes what a sampler of the translated text shows, and how it reads between texels and beyond the edge."""

    texture: EffectTexture
    filter: Filter = "nearest"
    wrap: Wrap = "clamp_to_edge"


@dataclass(frozen=True)
class EffectPass:
    """Describes a pass to its reader.

    `reads` are textures by the name of their sampler, and `writes` are those that it writes, by the name of the image
    or of the output variable. `groups` and `threads` count work groups and the invocations of one, along x, y and z;
    both are empty for a pass that is drawn. `place` is a varying with the place in the picture, from 0 to 1.
    """

    name: str
    file: str
    line: int
    reads: Mapping[str, ReadTexture]
    writes: Mapping[str, EffectTexture]
    groups: tuple[int, ...] = ()
    threads: tuple[int, ...] = ()
    place: str = ""
    description: str = ""

    @property
    def is_drawn(self) -> bool:
        """Whether it draws each pixel on its own."""
        return not self.groups


@dataclass(frozen=True)
class EffectPlan(ShaderPlan):
    """This plan keeps what its passes are to their reader, by the name of the pass; it has no blocks of mpv's."""

    effect_passes: Mapping[str, EffectPass] = field(default_factory=lambda: MappingProxyType({}))
