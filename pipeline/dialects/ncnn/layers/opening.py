"""Opens a .comp file of ncnn as a plan: finds its layer, mode, pack and parameters.

Every module of this folder that lists layers in `LAYERS` adds them.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import texelscope.pipeline.dialects.ncnn.layers
from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.ncnn.layers.base import PACKS, LayerParameters, NcnnLayer, ShaderName, named, sibling
from texelscope.pipeline.dialects.ncnn.layers.building import LayerPlan
from texelscope.pipeline.discovery import plugins
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.glsl.ncnn.modes import mode_called
from texelscope.pipeline.glsl.ncnn.translation import packs_singles, speaks_ncnn
from texelscope.pipeline.pipeline_file.build import file_folder
from texelscope.pipeline.plan import Plan

# Options that are no parameters of a layer: the storage of numbers, the pack of the file, its layer, and whether
# sizes are constants of the shader or push constants.
_GENERAL = ("mode", "pack", "layer", "sizes")
_IN_A_FILE = "Describe it in a pipeline.toml with a compute pass."
# A layer whose tensor has more elements than this only tests memory.
_MOST_ELEMENTS = 1 << 24


@cache
def all_layers() -> Mapping[str, NcnnLayer]:
    """Returns every layer by the family of its shaders."""
    found: dict[str, NcnnLayer] = {}
    for plugin in plugins(texelscope.pipeline.dialects.ncnn.layers, without=("base", "building", "opening")):
        layers = plugin.take("LAYERS", "layers in a tuple", "Define it at the end of the module.", _are_layers)
        found |= {family: layer for layer in layers for family in layer.families}
    return {family: found[family] for family in sorted(found)}


def _are_layers(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, NcnnLayer) for each in value)


def open_shader(path: Path, said: Mapping[str, str], limits: Limits | None) -> Plan:
    """Plans a shader file; `said` are `mode`, `pack`, `layer`, `sizes` and the layer's parameters, as text.
    Without `limits` no device is checked.

    Raises TexelscopeError for a file in another dialect, an unknown layer, mode, pack or parameter,
    and for names in the shader that the layer lacks.
    """
    folder = file_folder(path)
    folder.file(path.name)
    layer, path, name = _layer(path, said)
    text = folder.text(folder.file(path.name))
    if not speaks_ncnn(text):
        raise TexelscopeError(path.name, "a shader with ncnn's types or functions", "none of them", _IN_A_FILE)
    mode = dataclasses.replace(mode_called(said.get("mode", "fp32")), packs_singles=packs_singles(text))
    if mode.has_images and mode.packs_singles:
        raise TexelscopeError(
            path.name, "a shader with a branch for NCNN_image_shader", "none", "Open it in a mode without images."
        )
    values = _values(name, layer, said)
    case = layer.case(name, LayerParameters(values))
    for key, blob in case.blobs.items():
        if min(blob.shape) < 1 or math.prod(blob.shape) > _MOST_ELEMENTS:
            got = f"'{key}' of {' x '.join(map(str, blob.shape))}"
            raise TexelscopeError(path.name, f"tensors of 1 to {_MOST_ELEMENTS} elements", got, "Set other sizes.")
    return LayerPlan(path, folder, name, case, mode, limits, said.get("sizes") == "pushed").plan()


def packs_of(path: Path) -> tuple[int, ...]:
    """Returns the packs for which the same layer has a file beside that one, and its own."""
    return tuple(pack for pack in PACKS if sibling(path, pack).is_file())


def _layer(path: Path, said: Mapping[str, str]) -> tuple[NcnnLayer, Path, ShaderName]:
    """Returns the layer, the file of the requested pack, and its parsed name."""
    if "pack" in said and said["pack"] not in map(str, PACKS):
        raise TexelscopeError("--pack", "1, 4 or 8", f"'{said['pack']}'", "ncnn has no other elempack.")
    if "pack" in said and int(said["pack"]) != named(path).pack:
        wanted = sibling(path, int(said["pack"]))
        if not wanted.is_file():
            raise TexelscopeError(
                f"--pack {said['pack']}", f"'{wanted.name}' beside '{path.name}'", "no such file", "Open another pack."
            )
        path = wanted
    name, layers = named(path), all_layers()
    family = said.get("layer", name.family)
    if family not in layers:
        likely = nearest(family, layers)
        raise TexelscopeError(
            path.name, f"a shader of ncnn, named after a layer that is known ({', '.join(layers)})", f"'{family}'",
            f"{f'{likely} ' if likely.startswith('Did') else ''}Say whose it is with --param layer=NAME. A compute "
            "shader of another kind is a pass of a pipeline.toml, which names it as its 'shader'.",
        )  # fmt: skip
    return layers[family], path, dataclasses.replace(name, family=family)


def _values(name: ShaderName, layer: NcnnLayer, said: Mapping[str, str]) -> dict[str, float]:
    values = dict(layer.defaults)
    for parameter, text in said.items():
        if parameter in _GENERAL:
            continue
        if parameter not in values:
            raise TexelscopeError(
                f"{name.stem}.comp", f"a parameter of '{name.family}' ({', '.join(values)})", f"'{parameter}'",
                nearest(parameter, values),
            )  # fmt: skip
        try:
            values[parameter] = float(text)
        except ValueError:
            values[parameter] = math.nan
        if not abs(values[parameter]) < 2**31:
            raise TexelscopeError(f"{name.stem}.comp {parameter}", "a number", f"'{text}'", "Write it in digits.")
        if _counts(parameter) and values[parameter] < 1:
            raise TexelscopeError(f"{name.stem}.comp {parameter}", "1 or more", f"'{text}'", "Set another number.")
    return values


def _counts(parameter: str) -> bool:
    """Whether the parameter is a count of which at least one is needed."""
    stems = ("channels", "height", "width", "kernel", "stride", "dilation", "outw", "outh", "group", "upscale")
    return any(stem in parameter for stem in stems)
