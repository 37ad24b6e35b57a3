"""Finds the layers: every module of this folder that names some in `LAYERS`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import texelscope.pipeline.dialects.ncnn.layers
from texelscope.pipeline.dialects.ncnn.layers.base import NcnnLayer
from texelscope.pipeline.discovery import plugins


@cache
def all_layers() -> Mapping[str, NcnnLayer]:
    """Every layer by the family of its shaders."""
    found: dict[str, NcnnLayer] = {}
    for plugin in plugins(
        texelscope.pipeline.dialects.ncnn.layers,
        without=("base", "building", "meaning", "names", "opening", "registry"),
    ):
        layers = plugin.take("LAYERS", "layers in a tuple", "Define it at the end of the module.", _are_layers)
        found |= {family: layer for layer in layers for family in layer.families}
    return {family: found[family] for family in sorted(found)}


def _are_layers(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, NcnnLayer) for each in value)
