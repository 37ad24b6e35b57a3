"""Says what is translated."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from texelscope.pipeline.glsl.old_words import Stage


@dataclass(frozen=True)
class TranslationRequest:
    """Asks for the GLSL of one entry point of a text whose includes are in place.

    Without `entry` it is the only one of the stage. `defines` are macros. `bound` are the textures, images and buffers
    that the pipeline file binds: others that the entry point does not use are left out.
    """

    text: str
    stage: Stage
    entry: str = ""
    defines: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    bound: Collection[str] = ()
