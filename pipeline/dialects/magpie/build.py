"""Plans the passes of a Magpie effect, from INPUT to OUTPUT."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope import layouts
from texelscope.layouts import Layout
from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.effects.passes import EffectPass, EffectPlan, EffectTexture, ReadTexture
from texelscope.pipeline.dialects.effects.programs import EffectProgram, HlslPass, program_of, translate_together
from texelscope.pipeline.dialects.magpie.effect import INPUT, OUTPUT, DeclaredPass, DeclaredTexture, MagpieEffect
from texelscope.pipeline.dialects.magpie.hlsl_text import ENTRY, FRAME, STYLE_GROUP, hlsl_of, macros_of, uniforms_of
from texelscope.pipeline.dialects.magpie.texel_files import texels_of
from texelscope.pipeline.dialects.mpv.pictures import DEFAULT_SIDE, OPAQUE, default_values
from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.dialects.mpv.storage import FrameNumber
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.glsl.reserved_words import safe_name
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.pipeline_file.includes import with_includes
from texelscope.pipeline.plan import (
    Dispatch,
    ImageBinding,
    Pass,
    Role,
    Sampler,
    SourceFile,
    Storage,
    StoredTensor,
)
from texelscope.pipeline.unique_names import UniqueNames

# The output of an effect that leaves its size open, relative to the picture, as of mpv's window.
_SCALE = 2


def build(
    effect: MagpieEffect, folder: Path, shapes: Mapping[str, Shape], precision: Storage, limits: Limits
) -> EffectPlan:
    """Builds the plan of an effect. `shapes` may set INPUT's and OUTPUT's shape (only width and height of OUTPUT).

    Raises TexelscopeError, with the line, for errors in the file, and for shapes of anything else.
    """
    return _Building(effect, Folder(folder, "effect"), shapes, precision, limits).plan()


@dataclass(frozen=True)
class _ReadyPass:
    """A pass that is ready to be translated: its textures by the author's names, and its HLSL."""

    declared: DeclaredPass
    reads: Mapping[str, EffectTexture]
    writes: Mapping[str, EffectTexture]
    hlsl: HlslPass


@dataclass
class _Building:
    effect: MagpieEffect
    folder: Folder
    shapes: Mapping[str, Shape]
    precision: Storage
    limits: Limits
    stored: dict[str, StoredTensor] = field(default_factory=dict)
    present: dict[str, EffectTexture] = field(default_factory=dict)
    passes: list[Pass] = field(default_factory=list)
    effect_passes: dict[str, EffectPass] = field(default_factory=dict)
    constants: dict[str, NDArray[Any]] = field(default_factory=dict)
    files: dict[str, None] = field(default_factory=dict)
    keys: UniqueNames = field(default_factory=UniqueNames)

    def plan(self) -> EffectPlan:
        source, output = self._ends()
        self._store(source, "input")
        self.present[INPUT] = source
        sizes = {
            "INPUT_WIDTH": source.width, "INPUT_HEIGHT": source.height,
            "OUTPUT_WIDTH": output.width, "OUTPUT_HEIGHT": output.height,
        }  # fmt: skip
        declared = {
            name: self._declared(each, sizes)
            for name, each in self.effect.textures.items()
            if name not in (INPUT, OUTPUT)
        }
        declared[OUTPUT] = output
        ready = [self._ready(each, declared) for each in self.effect.passes]
        translate_together([each.hlsl for each in ready])
        for each in ready:
            self._add(each, source, output)
        return EffectPlan(
            name=Path(self.effect.path).stem,
            textures=MappingProxyType(self.stored),
            passes=tuple(self.passes),
            inputs=(source.key,),
            outputs=(self.present[OUTPUT].key,),
            constants=MappingProxyType(self.constants),
            initial_inputs=MappingProxyType({source.key: default_values(source.shape)}),
            files=tuple(self.folder.path.resolve() / each for each in self.files),
            parameters=self.effect.parameters,
            text=self.effect.text,
            former_text=self.effect.text,
            effect_passes=MappingProxyType(self.effect_passes),
        )

    # -- textures ----------------------------------------------------------------------------------------------

    def _ends(self) -> tuple[EffectTexture, EffectTexture]:
        """Returns INPUT and OUTPUT at their sizes."""
        for name, shape in self.shapes.items():
            if name not in (INPUT, OUTPUT):
                raise TexelscopeError(
                    f"--shape {name}", f"{INPUT} or {OUTPUT}", f"'{name}'", nearest(name, [INPUT, OUTPUT])
                )
            if len(shape) != 4 or min(shape) < 1 or (name == INPUT and shape[:2] != (1, 3)):
                raise TexelscopeError(f"--shape {name}", "1,3,HEIGHT,WIDTH", ",".join(map(str, shape)), "Correct it.")
        height, width = self.shapes.get(INPUT, (1, 3, DEFAULT_SIDE, DEFAULT_SIDE))[-2:]
        source = EffectTexture(INPUT, width, height, 3)
        self._check_size(source, self.effect.textures[INPUT].place)
        declared = self.effect.textures[OUTPUT]
        high, wide = self.shapes.get(OUTPUT, (1, 3, _SCALE * height, _SCALE * width))[-2:]
        if declared.width is not None and declared.height is not None:
            if OUTPUT in self.shapes:
                raise TexelscopeError(
                    f"--shape {OUTPUT}", "an effect that leaves the size of OUTPUT open",
                    f"one that sets it ({declared.place})", f"Leave it out, or give --shape {INPUT}=1,3,HEIGHT,WIDTH.",
                )  # fmt: skip
            sizes = {"INPUT_WIDTH": width, "INPUT_HEIGHT": height}
            for each in (declared.width, declared.height):
                if each.names - sizes.keys():
                    raise each.place.fault("a size of OUTPUT by that of INPUT", f"'{each.text}'", "Correct it.")
            wide, high = declared.width.value(sizes), declared.height.value(sizes)
        output = EffectTexture(OUTPUT, wide, high, 3)
        self._check_size(output, declared.place)
        return source, output

    def _declared(self, declared: DeclaredTexture, sizes: Mapping[str, int]) -> EffectTexture:
        """Returns a texture of the effect's at its size; one with texels in a file is stored with them."""
        if declared.source:
            return self._read(declared)
        assert declared.width is not None
        assert declared.height is not None
        assert declared.format is not None
        width, height = declared.width.value(sizes), declared.height.value(sizes)
        texture = EffectTexture(declared.name, width, height, declared.format.channels, declared.format.limits)
        self._check_size(texture, declared.width.place)
        return texture

    def _read(self, declared: DeclaredTexture) -> EffectTexture:
        try:
            path = self.folder.file(declared.source)
            texels = texels_of(path, declared.source, self.folder.path)
        except TexelscopeError as error:
            expected = f"a //!SOURCE file: {error.expected}"
            raise declared.place.fault(expected, error.got, error.do_next) from error
        height, width, channels = texels.shape
        texture = EffectTexture(declared.name, width, height, channels)
        self._check_size(texture, declared.place)
        self.files[declared.source] = None
        self._store(texture, "constant")
        self.constants[texture.key] = np.ascontiguousarray(np.moveaxis(texels, 2, 0)[None])
        self.present[declared.name] = texture
        return texture

    def _store(self, texture: EffectTexture, role: Role) -> None:
        self.keys.give(texture.key) if role != "activation" else None
        storage = self.precision if role == "activation" else "float32"
        layout = _layout(texture.channels)
        self.stored[texture.key] = StoredTensor(
            texture.key, texture.key, texture.shape, layout, storage, role, padding=OPAQUE
        )

    def _check_size(self, texture: EffectTexture, place: FileLine) -> None:
        limit = self.limits.max_texture_texels
        if not (1 <= texture.width <= limit and 1 <= texture.height <= limit):
            raise place.fault(
                f"a texture of 1 to {limit} texels along each side", f"{texture.width}x{texture.height}",
                f"Correct WIDTH and HEIGHT, or give --shape {INPUT}=1,3,HEIGHT,WIDTH.",
            )  # fmt: skip

    # -- passes ------------------------------------------------------------------------------------------------

    def _ready(self, declared: DeclaredPass, textures: Mapping[str, EffectTexture]) -> _ReadyPass:
        """Returns a pass with the textures that it reads and writes, whose present version that is."""
        reads = {name: self._present(name, declared) for name in declared.reads}
        writes = {name: replace(textures[name], key=self.keys.give(name)) for name in declared.writes}
        self.present.update(writes)
        return _ReadyPass(declared, reads, writes, self._hlsl(declared, reads, writes))

    def _add(self, ready: _ReadyPass, source: EffectTexture, output: EffectTexture) -> None:
        declared, reads, writes = ready.declared, ready.reads, ready.writes
        target = next(iter(writes.values()))
        program = program_of(ready.hlsl, self.precision)
        for each in writes.values():
            self._store(each, "activation")
        uniforms = uniforms_of(self.effect, source, output, target)
        samplers = self._samplers(program, reads)
        groups, threads = self._groups(declared, target)
        images = tuple(ImageBinding(safe_name(name), each.key) for name, each in writes.items())
        name = next(iter(writes.values())).key
        self.passes.append(
            Pass(
                name,
                "Shader",
                tuple(each.key for each in writes.values()),
                tuple(Sampler(uniform, each.texture.key, each.filter, each.wrap) for uniform, each in samplers.items()),
                program.source,
                MappingProxyType({name: value for name, value in uniforms.items() if name in program.uniforms}),
                dispatch=Dispatch(groups, images=images),
                by_frame=MappingProxyType({FRAME: FrameNumber()} if FRAME in program.uniforms else {}),
            )
        )
        self.effect_passes[name] = EffectPass(
            name=name,
            file=self.effect.path,
            line=declared.place.line,
            reads=MappingProxyType(samplers),
            writes=MappingProxyType({safe_name(name): each for name, each in writes.items()}),
            groups=groups,
            threads=threads,
            description=declared.description,
        )

    def _present(self, name: str, declared: DeclaredPass) -> EffectTexture:
        if name not in self.present:
            raise declared.place.fault(
                "textures that an earlier pass writes", f"'{name}', which none has written", "Write it before."
            )
        return self.present[name]

    def _hlsl(
        self, declared: DeclaredPass, reads: Mapping[str, EffectTexture], writes: Mapping[str, EffectTexture]
    ) -> HlslPass:
        files = [SourceFile(0, self.effect.path, self.effect.text)]
        sections = (*self.effect.common, declared.body)
        texts = [(each, with_includes(self.folder, files, each.text, each.line)) for each in sections]
        self.files.update(dict.fromkeys(each.path for each in files[1:]))
        return HlslPass(
            text=hlsl_of(self.effect, declared, reads, writes, texts),
            entry=ENTRY,
            stage="compute",
            files=tuple(files),
            place=declared.place,
            reads=tuple(reads),
            writes=writes,
            defines=macros_of(declared),
        )

    def _samplers(self, program: EffectProgram, reads: Mapping[str, EffectTexture]) -> dict[str, ReadTexture]:
        names = {safe_name(name): texture for name, texture in reads.items()}
        found: dict[str, ReadTexture] = {}
        for uniform, shown in program.samplers.items():
            sampler = self.effect.samplers.get(shown.sampler)
            texture = names[safe_name(shown.texture)]
            found[uniform] = (
                ReadTexture(texture) if sampler is None else ReadTexture(texture, sampler.filter, sampler.wrap)
            )
        return found

    def _groups(
        self, declared: DeclaredPass, target: EffectTexture
    ) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """Returns the work groups of a pass, and the invocations of one.

        Raises TexelscopeError for a device without compute shaders, or with smaller groups.
        """
        groups = self.limits.work_groups
        block, threads = declared.block or STYLE_GROUP[:2], declared.threads or STYLE_GROUP
        if groups is None:
            raise declared.place.fault(
                "a device with OpenGL 4.3, which has compute shaders", "an older one", "Open it on another."
            )
        if threads[0] * threads[1] * threads[2] > groups.invocations:
            raise declared.place.fault(
                f"at most {groups.invocations} invocations a work group on this device",
                " x ".join(map(str, threads)), "Give fewer behind //!NUM_THREADS.",
            )  # fmt: skip
        return (-(-target.width // block[0]), -(-target.height // block[1]), 1), threads


def _layout(channels: int) -> Layout:
    """Returns the layout: one number a texel for one channel, four for more."""
    return layouts.layout("channel_tiles" if channels == 1 else "channel_tiles_rgba")
