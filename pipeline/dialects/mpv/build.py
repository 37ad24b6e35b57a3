"""Plans the blocks of an mpv user shader as passes: from planes to the window, hook point after hook point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.mpv.blocks import UserShader
from texelscope.pipeline.dialects.mpv.directives import HOOK_POINTS
from texelscope.pipeline.dialects.mpv.passes import PassMaker, ShaderPlan
from texelscope.pipeline.dialects.mpv.pictures import (
    DEFAULT_SIDE,
    PLANES,
    SOURCE,
    StoredPicture,
    default_values,
    plane_size,
    source_of,
)
from texelscope.pipeline.dialects.mpv.rpn import Expression
from texelscope.pipeline.dialects.mpv.settings import how_to_set
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.frames import Frames
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.plan import Storage

_RGB = ("RGB", "NATIVE", "MAINPRESUB", "MAIN", "PREKERNEL")
_SCALED = ("POSTKERNEL", "SCALED", "PREOUTPUT", "OUTPUT")
# The first stage behind those that see linear light, if a block hooks LINEAR.
_BEHIND_LINEAR = "PREOUTPUT"
# A picture without alpha that is not scaled never reaches these hook points.
_NEVER = {
    "ALPHA": "the picture has no alpha",
    "ALPHA_SCALED": "the picture has no alpha",
    "XYZ": "the picture is no XYZ video",
    "SIGMOID": "pictures are scaled without a sigmoid curve here",
}


class Rendering:
    """Visits the hook points in order; `maker` creates the passes."""

    def __init__(self, maker: PassMaker, source: str, channels: int, size: tuple[int, int]) -> None:
        self._maker = maker
        self.source = maker.store_input(StoredPicture(source, size[0], size[1], channels))
        self._rgb: StoredPicture | None = self.source if source == "MAIN" else None
        self._planes: dict[str, StoredPicture] = {}
        if source == "LUMA":
            self._planes["LUMA"] = self.source
        elif source == SOURCE:
            maker.names[SOURCE] = self.source
            luma = StoredPicture("LUMA", size[0], size[1], 1)
            half = StoredPicture("CHROMA", *plane_size("CHROMA", size), 2)
            self._planes = {"LUMA": maker.own("LUMA", "luma", (SOURCE,), luma)}
            self._planes["CHROMA"] = maker.own("CHROMA", "chroma", (SOURCE,), half)
        self._scaled: StoredPicture | None = None
        self._is_linear = False

    def come_to(self, stage: str) -> None:
        """Runs the blocks that hook in at `stage`."""
        if stage in _NEVER:
            self._maker.skip_stage(stage, _NEVER[stage])
        elif stage in PLANES:
            if stage in self._planes:
                self._planes[stage] = self._hooked(stage, self._planes[stage])
        elif stage == "CHROMA_SCALED" and self._maker.hooks(stage):
            self._planes["CHROMA"] = self._hooked(stage, self._chroma_scaled())
        elif stage == "LINEAR" and self._maker.hooks(stage):
            self._rgb = self._hooked(stage, self._converted("LINEAR", "to_linear", self._merged()))
            self._is_linear = True
        elif stage == "RGB" and self._rgb is None:
            self._maker.skip_stage(
                stage, "the picture is taken for a video of luma and chroma, which other blocks read"
            )
        elif stage in _RGB:
            if len(self._planes) != 1:  # luma alone never becomes a picture of three colours
                self._rgb = self._hooked(stage, self._merged())
        elif stage in _SCALED and self._maker.hooks(stage):
            picture = self._scaled or self._window()
            if HOOK_POINTS.index(stage) >= HOOK_POINTS.index(_BEHIND_LINEAR):
                picture = self._gamma_light(picture)
            self._scaled = self._hooked(stage, picture)

    def finish(self) -> StoredPicture:
        """Returns the last picture."""
        if len(self._planes) == 1:
            return self._scaled or self._planes["LUMA"]
        return self._gamma_light(self._scaled or self._merged())

    def copy(self) -> None:
        """Adds a pass that leaves the picture as it is."""
        picture = self._planes["LUMA"] if len(self._planes) == 1 else self._merged()
        self._maker.names["MAIN"] = picture
        copied = self._maker.own(picture.key, "unchanged", ("MAIN",), picture)
        if len(self._planes) == 1:
            self._planes["LUMA"] = copied
        else:
            self._rgb = copied

    def _hooked(self, stage: str, picture: StoredPicture) -> StoredPicture:
        self._maker.names[stage] = picture
        if stage == "MAINPRESUB":  # libplacebo's other name for the same moment
            self._maker.names["MAIN"] = picture
        return self._maker.run_stage(stage)

    def _merged(self) -> StoredPicture:
        if self._rgb is None:
            luma, chroma = self._planes["LUMA"], self._planes["CHROMA"]
            self._maker.names.update(LUMA=luma, CHROMA=chroma)
            target = StoredPicture("MAIN", luma.width, luma.height, 3)
            self._rgb = self._maker.own("MAIN", "merge", PLANES, target)
        return self._rgb

    def _chroma_scaled(self) -> StoredPicture:
        """Returns chroma at the size of luma, sampled linearly."""
        luma = self._planes["LUMA"]
        self._maker.names["CHROMA"] = self._planes["CHROMA"]
        target = StoredPicture("CHROMA_SCALED", luma.width, luma.height, 2)
        return self._maker.own("CHROMA_SCALED", "chroma_scaled", ("CHROMA",), target)

    def _gamma_light(self, picture: StoredPicture) -> StoredPicture:
        """Returns the picture as video has it, if it is in linear light."""
        if not self._is_linear:
            return picture
        self._is_linear = False
        return self._converted("MAIN", "from_linear", picture)

    def _converted(self, key: str, shader: str, picture: StoredPicture) -> StoredPicture:
        """Returns the picture in another light, by a shader that reads MAIN or LINEAR."""
        read = "LINEAR" if key == "MAIN" else "MAIN"
        self._maker.names[read] = picture
        return self._maker.own(key, shader, (read,), replace(picture, key=key))

    def _window(self) -> StoredPicture:
        """Returns the picture at the window's size, sampled linearly."""
        self._maker.names["PREKERNEL"] = self._merged()
        width, height = self._maker.window
        return self._maker.own("POSTKERNEL", "scale", ("PREKERNEL",), StoredPicture("POSTKERNEL", width, height, 3))


# The file's name for the size of the window; a shape of that name sets it.
OUTPUT = "OUTPUT"
# The default size of the window relative to the picture: the first at which a block runs.
_SCALES = (2.0, 1.5, 4.0, 3.0, 1.0, 0.5)


def build(shader: UserShader, shapes: Mapping[str, Shape], precision: Storage, limits: Limits) -> ShaderPlan:
    """Builds the plan of a file. `shapes` may set its input's and OUTPUT's shape (only width and height of OUTPUT).

    Raises TexelscopeError for errors in the file, with the line, and for shapes of anything else.
    """
    source, channels = input_of(shader)
    height, width = _sizes(shader, shapes, source, channels)
    scales = _SCALES if OUTPUT not in shapes else (None,)
    first: tuple[Rendering, PassMaker, float | None] | None = None
    for scale in scales:
        window = shapes[OUTPUT][-2:] if scale is None else (round(height * scale), round(width * scale))
        maker = PassMaker(shader, precision, limits, (window[1], window[0]))
        rendering = Rendering(maker, source, channels, (width, height))
        for stage in HOOK_POINTS:
            rendering.come_to(stage)
        if maker.blocks_run:
            return _plan(shader, rendering, maker, scale)
        first = first or (rendering, maker, scale)
    assert first is not None
    rendering, maker, scale = first
    asked = {name for condition in maker.turned_off for name in condition.variables}
    switches = [how_to_set(each) for each in shader.parameters if each.name in asked]
    got, advice = f"none: {maker.skipped[0]}", _advice(maker.turned_off, switches, f"{source}=1,{channels}")
    if not switches:
        raise TexelscopeError(shader.path, "a block that runs", got, advice)
    # As in mpv the picture stays as it is, until its user sets a parameter.
    rendering.copy()
    maker.notes.insert(0, f"{shader.path}: no block runs. {advice}")
    return _plan(shader, rendering, maker, scale)


def _advice(turned_off: Sequence[Expression], switches: Sequence[str], source: str) -> str:
    """Returns how to make a block run whose condition is 0: by its parameters, and by the sizes that it asks for."""
    if not turned_off:
        return "Hook a plane that is reached, such as MAIN."
    asked = {name for condition in turned_off for name in condition.names}
    settings = [*switches, f"--shape {OUTPUT}=1,3,HEIGHT,WIDTH"] if OUTPUT in asked else [*switches]
    if asked - {OUTPUT}:
        settings.append(f"--shape {source},HEIGHT,WIDTH")
    return f"Give {', or '.join(settings)}." if settings else "Correct the condition behind //!WHEN."


def input_of(shader: UserShader) -> tuple[str, int]:
    """Returns key and channels of a file's input."""
    return source_of(_pictures_of(shader))


def _plan(shader: UserShader, rendering: Rendering, maker: PassMaker, scale: float | None) -> ShaderPlan:
    final = rendering.finish()
    carried, images = maker.images.finish()
    source = rendering.source
    notes = [*maker.skipped, *maker.notes]
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
        constants=MappingProxyType(_constants(shader) | images),
        initial_inputs=MappingProxyType({source.key: default_values(source.shape)}),
        warnings=tuple(notes),
        frames=Frames(carried=carried),
        blocks=tuple(maker.blocks),
        parameters=shader.parameters,
        text=shader.text,
        former_text=shader.text,
    )


def _constants(shader: UserShader) -> dict[str, NDArray[np.float32]]:
    return {each.name: each.values for each in shader.textures if not each.is_storage}


def _pictures_of(shader: UserShader) -> set[str]:
    """Returns the planes and pictures of mpv that the file hooks or reads."""
    named = {hook.name for block in shader.blocks for hook in block.hooks}
    named |= {bind.name for block in shader.blocks for bind in block.binds}
    return named & set(HOOK_POINTS)


def _sizes(shader: UserShader, shapes: Mapping[str, Shape], source: str, channels: int) -> tuple[int, int]:
    """Returns height and width of the input."""
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
