"""The blocks of an mpv user shader → plan: each block a pass, in the order in which mpv's renderer comes to them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.mpv.block_directives import HOOK_POINTS
from texelscope.pipeline.dialects.mpv.blocks import UserShader
from texelscope.pipeline.dialects.mpv.made import ShaderPlan
from texelscope.pipeline.dialects.mpv.passes import PassMaker
from texelscope.pipeline.dialects.mpv.pictures import DEFAULT_SIDE, default_values, source_of
from texelscope.pipeline.dialects.mpv.rendering import Rendering
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.plan import Storage

# What the file calls the size of the window; a shape of that name sets it.
OUTPUT = "OUTPUT"
# How much larger than the picture the window is where nobody says: the first at which a block runs.
_SCALES = (2.0, 1.5, 4.0, 3.0, 1.0, 0.5)


def build(shader: UserShader, shapes: Mapping[str, Shape], precision: Storage, limits: Limits) -> ShaderPlan:
    """The plan of a file. `shapes` may give that of its input and of OUTPUT; only width and height of OUTPUT count.

    Raises TexelscopeError for what the file says wrongly, with the line, and for shapes of something else.
    """
    source, channels = input_of(shader)
    height, width = _sizes(shader, shapes, source, channels)
    scales = _SCALES if OUTPUT not in shapes else (None,)
    reasons: tuple[str, ...] = ()
    for scale in scales:
        window = shapes[OUTPUT][-2:] if scale is None else (round(height * scale), round(width * scale))
        maker = PassMaker(shader, precision, limits, (window[1], window[0]))
        rendering = Rendering(maker, source, channels, (width, height))
        for stage in HOOK_POINTS:
            rendering.come_to(stage)
        if maker.blocks_run:
            return _plan(shader, rendering, maker, scale)
        reasons = reasons or tuple(maker.skipped)
    raise TexelscopeError(
        shader.path, "a block that runs", f"none: {reasons[0]}", f"Give --shape {OUTPUT}=1,3,HEIGHT,WIDTH."
    )


def input_of(shader: UserShader) -> tuple[str, int]:
    """Key and channels of the input that a file has."""
    return source_of(_pictures_of(shader))


def _plan(shader: UserShader, rendering: Rendering, maker: PassMaker, scale: float | None) -> ShaderPlan:
    final = rendering.finish()
    source = rendering.source
    notes = list(maker.skipped)
    if scale is not None:
        width, height = maker.window
        asked = any(OUTPUT in each.names for each in maker.expressions())
        usual = scale == _SCALES[0]
        if asked and not usual:
            notes.append(
                f"{shader.path}: OUTPUT is {width}x{height}, at which blocks run; --shape {OUTPUT}=1,3,HEIGHT,WIDTH "
                "gives another."
            )
    return ShaderPlan(
        name=Path(shader.path).stem,
        textures=MappingProxyType(maker.textures),
        passes=tuple(maker.passes),
        inputs=(source.key,),
        outputs=(final.key,),
        constants=MappingProxyType(_constants(shader)),
        initial_inputs=MappingProxyType({source.key: default_values(source.shape)}),
        warnings=tuple(notes),
        blocks=tuple(maker.blocks),
        parameters=shader.parameters,
    )


def _constants(shader: UserShader) -> dict[str, NDArray[np.float32]]:
    return {each.name: np.ascontiguousarray(np.moveaxis(each.texels, 3, 1)) for each in shader.textures}


def _pictures_of(shader: UserShader) -> set[str]:
    """The planes and pictures of mpv's that the file hooks or reads."""
    named = {hook.name for block in shader.blocks for hook in block.hooks}
    named |= {bind.name for block in shader.blocks for bind in block.binds}
    return named & set(HOOK_POINTS)


def _sizes(shader: UserShader, shapes: Mapping[str, Shape], source: str, channels: int) -> tuple[int, int]:
    """Height and width of the input."""
    for name, shape in shapes.items():
        if name not in (source, OUTPUT):
            raise TexelscopeError(
                f"--shape {name}", f"{source} or {OUTPUT}, which {shader.path} has", f"'{name}'",
                nearest(name, [source, OUTPUT]),
            )  # fmt: skip
        wrong = len(shape) != 4 or min(shape) < 1 or (name == source and shape[:2] != (1, channels))
        if wrong:
            raise TexelscopeError(
                f"--shape {name}", f"1,{channels},HEIGHT,WIDTH", ",".join(map(str, shape)), "Correct it."
            )
    height, width = shapes.get(source, (1, channels, DEFAULT_SIDE, DEFAULT_SIDE))[-2:]
    return height, width
