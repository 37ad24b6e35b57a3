"""Plans the passes of a ReShade effect, from the picture in the back buffer to the one that the last pass leaves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from texelscope import layouts
from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.effects.passes import EffectPass, EffectPlan, EffectTexture, ReadTexture
from texelscope.pipeline.dialects.effects.programs import HlslPass, program_of, translate_together
from texelscope.pipeline.dialects.magpie.sizes import size_expression
from texelscope.pipeline.dialects.mpv.pictures import OPAQUE, default_values
from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.dialects.reshade.effect import BACK_BUFFER, DeclaredObject, Property, ReshadeEffect
from texelscope.pipeline.dialects.reshade.hlsl_text import (
    ENTRY,
    GROUP,
    PASS_SIZE,
    TYPES,
    ShaderFunction,
    dispatched_entry,
    drawn_entry,
    function_of,
    hlsl_of,
    macros_of,
)
from texelscope.pipeline.errors import nearest
from texelscope.pipeline.front_ends.rows import Row
from texelscope.pipeline.glsl.reserved_words import safe_name
from texelscope.pipeline.plan import (
    Dispatch,
    Filter,
    ImageBinding,
    Pass,
    Role,
    Sampler,
    SourceFile,
    Storage,
    StoredTensor,
    Wrap,
)
from texelscope.pipeline.unique_names import UniqueNames

_SIZES = ("BUFFER_WIDTH", "BUFFER_HEIGHT")
_UNSIGNED = (0.0, 1.0)
# Channels of the formats, and their limits.
_FORMATS: Mapping[str, tuple[int, tuple[float, float] | None]] = {
    "R8": (1, _UNSIGNED), "R16": (1, _UNSIGNED), "R16F": (1, None), "R32F": (1, None),
    "RG8": (2, _UNSIGNED), "RG16": (2, _UNSIGNED), "RG16F": (2, None), "RG32F": (2, None),
    "RGBA8": (4, _UNSIGNED), "RGBA16": (4, _UNSIGNED), "RGB10A2": (4, _UNSIGNED),
    "RGBA16F": (4, None), "RGBA32F": (4, None),
}  # fmt: skip
_FILTERS: Mapping[str, Filter] = {"LINEAR": "linear", "POINT": "nearest"}
_WRAPS: Mapping[str, Wrap] = {"CLAMP": "clamp_to_edge", "REPEAT": "repeat", "WRAP": "repeat"}
_OF_TEXTURES = ("Width", "Height", "Format", "MipLevels")
_OF_SAMPLERS = (
    "Texture", "MagFilter", "MinFilter", "MipFilter", "AddressU", "AddressV", "AddressW", "MinLOD", "MaxLOD",
    "MipLODBias", "SRGBTexture",
)  # fmt: skip
_OF_PASSES = (
    "VertexShader", "PixelShader", "ComputeShader", "DispatchSizeX", "DispatchSizeY", "DispatchSizeZ",
    *("RenderTarget", *(f"RenderTarget{number}" for number in range(8))), "ClearRenderTargets", "BlendEnable",
    "SRGBWriteEnable", "StencilEnable", "PrimitiveTopology", "VertexCount", "GenerateMipmaps", "RenderTargetWriteMask",
)  # fmt: skip
# What a property has to say where it changes what a pass makes in a way that is not followed here.
_PLAIN: Mapping[str, tuple[str, ...]] = {
    "MipLevels": ("1",), "SRGBTexture": ("false", "0"), "ClearRenderTargets": ("false", "0"),
    "BlendEnable": ("false", "0"), "SRGBWriteEnable": ("false", "0"), "StencilEnable": ("false", "0"),
    "PrimitiveTopology": ("TRIANGLELIST",), "VertexCount": ("3",), "VertexShader": ("PostProcessVS",),
}  # fmt: skip
_COMPUTE = re.compile(r"(?P<name>[\w: ]+?)\s*<\s*(?P<threads>[0-9]+(?:\s*,\s*[0-9]+){0,2})\s*>$")
Named = TypeVar("Named", Filter, Wrap)
_OF_FRAGMENTS = re.compile(r"\b(?:ddx|ddy|fwidth|discard|clip)\b")


def build(
    effect: ReshadeEffect, files: Sequence[SourceFile], size: tuple[int, int], precision: Storage, limits: Limits
) -> EffectPlan:
    """Builds the plan of an effect for a picture of height and width `size`.

    Raises TexelscopeError, with the line, for what is not supported.
    """
    return _Building(effect, tuple(files), size, precision, limits).plan()


@dataclass(frozen=True)
class _ReadyPass:
    declared: DeclaredObject
    reads: Mapping[str, ReadTexture]
    writes: Mapping[str, EffectTexture]
    hlsl: HlslPass
    groups: tuple[int, int, int]
    threads: tuple[int, int, int]


@dataclass
class _Building:
    effect: ReshadeEffect
    files: tuple[SourceFile, ...]
    size: tuple[int, int]
    precision: Storage
    limits: Limits
    textures: dict[str, EffectTexture] = field(default_factory=dict)
    present: dict[str, EffectTexture] = field(default_factory=dict)
    stored: dict[str, StoredTensor] = field(default_factory=dict)
    passes: list[Pass] = field(default_factory=list)
    effect_passes: dict[str, EffectPass] = field(default_factory=dict)
    keys: UniqueNames = field(default_factory=UniqueNames)

    def plan(self) -> EffectPlan:
        height, width = self.size
        source = EffectTexture(self.keys.give(BACK_BUFFER), width, height, 3)
        self._store(source, "input")
        for name, each in self.effect.textures.items():
            self._declare(name, each, source)
        self.present.setdefault(BACK_BUFFER, source)
        self.textures.setdefault(BACK_BUFFER, source)
        ready = [self._ready(each) for each in self.effect.passes]
        translate_together([each.hlsl for each in ready])
        for ready_pass in ready:
            self._add(ready_pass)
        return EffectPlan(
            name=Path(self.effect.path).stem,
            textures=MappingProxyType(self.stored),
            passes=tuple(self.passes),
            inputs=(source.key,),
            outputs=(self.passes[-1].outputs[0],),
            initial_inputs=MappingProxyType({source.key: default_values(source.shape)}),
            parameters=self.effect.parameters,
            text=self.effect.text,
            former_text=self.effect.text,
            effect_passes=MappingProxyType(self.effect_passes),
        )

    # -- textures ----------------------------------------------------------------------------------------------

    def _declare(self, name: str, declared: DeclaredObject, source: EffectTexture) -> None:
        if declared.semantic in ("COLOR", "SV_TARGET"):
            self.textures[name] = self.present[name] = source
            return
        if declared.semantic:
            raise declared.place.fault("a texture of the effect's own, or COLOR", declared.semantic, "Remove it.")
        _check(declared, _OF_TEXTURES)
        sides = []
        for word in ("Width", "Height"):
            own = declared.properties.get(word)
            # Without a size it is one texel in ReShade.
            sides.append(1 if own is None else self._number(own))
        form = declared.properties.get("Format")
        value = form.value if form is not None else "RGBA8"
        if value not in _FORMATS:
            assert form is not None
            raise form.place.fault("a format of textures", f"'{value}'", nearest(value, _FORMATS))
        channels, limits = _FORMATS[value]
        limit = self.limits.max_texture_texels
        if not all(1 <= each <= limit for each in sides):
            got = f"{sides[0]}x{sides[1]}"
            raise declared.place.fault(f"a texture of 1 to {limit} texels along each side", got, "Correct its size.")
        self.textures[name] = EffectTexture(name, sides[0], sides[1], channels, limits)

    def _number(self, own: Property) -> int:
        height, width = self.size
        return size_expression(own.value, own.place, _SIZES).whole({"BUFFER_WIDTH": width, "BUFFER_HEIGHT": height})

    def _store(self, texture: EffectTexture, role: Role) -> None:
        storage = self.precision if role == "activation" else "float32"
        layout = layouts.layout("channel_tiles" if texture.channels == 1 else "channel_tiles_rgba")
        self.stored[texture.key] = StoredTensor(
            texture.key, texture.key, texture.shape, layout, storage, role, padding=OPAQUE
        )

    def _sampler(self, name: str) -> ReadTexture:
        if name == BACK_BUFFER:
            return ReadTexture(self.present[BACK_BUFFER], "linear")
        declared = self.effect.samplers[name]
        _check(declared, _OF_SAMPLERS)
        texture = declared.properties.get("Texture")
        if texture is None:
            raise declared.place.fault("a Texture of the sampler", "none", "Name one: Texture = …;")
        shown = texture.value.rpartition(":")[2].strip()
        shown = BACK_BUFFER if shown == "BackBufferTex" and shown not in self.textures else shown
        if shown not in self.textures:
            raise texture.place.fault("a texture of the effect", f"'{shown}'", nearest(shown, self.textures))
        if shown not in self.present:
            raise texture.place.fault("a texture that an earlier pass writes", f"'{shown}'", "Write it before.")
        filters = {_named(declared, word, _FILTERS, "LINEAR") for word in ("MagFilter", "MinFilter")}
        wraps = {_named(declared, word, _WRAPS, "CLAMP") for word in ("AddressU", "AddressV")}
        if len(filters) > 1 or len(wraps) > 1:
            raise declared.place.fault("one filter and one address for all", "several", "Give both the same.")
        return ReadTexture(self.present[shown], filters.pop(), wraps.pop())

    # -- passes ------------------------------------------------------------------------------------------------

    def _ready(self, declared: DeclaredObject) -> _ReadyPass:
        _check(declared, _OF_PASSES)
        place = declared.place
        compute, pixel = (declared.properties.get(word) for word in ("ComputeShader", "PixelShader"))
        used = self._words_used
        if compute is not None:
            match = _COMPUTE.match(compute.value)
            if match is None:
                raise compute.place.fault("ComputeShader = NAME<X, Y>", f"'{compute.value}'", "Give its invocations.")
            function = function_of(self.effect.code, match["name"].replace(" ", ""), compute.place)
            counts = (*map(int, match["threads"].split(",")), 1, 1)
            threads = (counts[0], counts[1], counts[2])
            sizes = [self._dispatched(declared, axis) for axis in "XYZ"]
            groups = (sizes[0], sizes[1], sizes[2])
            targets = [name for name in self.effect.storages if name in used(function)]
            writes = {name: self._written(self._texture_of(self.effect.storages[name])) for name in targets}
            entry = dispatched_entry(function, threads, compute.place, self.effect.places[function.row])
        elif pixel is not None:
            function = function_of(self.effect.code, pixel.value.replace(" ", ""), pixel.place)
            found = _OF_FRAGMENTS.search(function.body)
            if found is not None:
                raise pixel.place.fault("a pixel shader without derivatives and discard", found[0], "Write it without.")
            names = self._targets(declared)
            threads = GROUP
            writes = {f"{name}_target" if name in used(function) else name: self._written(name) for name in names}
            entry = drawn_entry(function, list(writes), pixel.place, self.effect.places[function.row])
            target = next(iter(writes.values()))
            groups = (-(-target.width // GROUP[0]), -(-target.height // GROUP[1]), 1)
        else:
            raise place.fault("a PixelShader or a ComputeShader", "none", "Name a function.")
        if not writes:
            raise place.fault("a pass that writes a texture", "none", "Store to one with tex2Dstore.")
        self._check_groups(threads, declared)
        samplers = [name for name in (*self.effect.samplers, BACK_BUFFER) if name in used(function)]
        reads = {name: self._sampler(name) for name in dict.fromkeys(samplers)}
        self.present.update({self._name_of(each.key): each for each in writes.values()})
        hlsl = self._hlsl(declared, list(reads), writes, entry)
        return _ReadyPass(declared, reads, writes, hlsl, groups, threads)

    def _words_used(self, function: ShaderFunction) -> set[str]:
        """Returns the words of a function, and of those that it may call."""
        found: set[str] = set()
        waiting = [function.body]
        while waiting:
            for word in set(re.findall(r"[A-Za-z_]\w*", waiting.pop())) - found:
                found.add(word)
                for match in re.finditer(rf"\b\w+\s+{word}\s*\([^;{{}}]*\)\s*(?::\s*\w+\s*)?\{{", self.effect.code):
                    rest = self.effect.code[match.start() :]
                    waiting.append(function_of(rest, word, FileLine(self.effect.path, 1)).body)
        return found

    def _targets(self, declared: DeclaredObject) -> list[str]:
        names: list[str] = []
        for number in range(8):
            own = declared.properties.get(f"RenderTarget{number}")
            own = own or (declared.properties.get("RenderTarget") if number == 0 else None)
            if own is None:
                continue
            name = own.value.rpartition(":")[2].strip()
            if name not in self.textures:
                raise own.place.fault("a texture of the effect", f"'{name}'", nearest(name, self.textures))
            if number != len(names):
                raise own.place.fault(f"RenderTarget{len(names)} before it", "none", "Number the targets from 0 on.")
            names.append(name)
        if len({self.textures[name].size for name in names}) > 1:
            raise declared.place.fault("targets of one size", "several sizes", "Give them the same size.")
        return names or [BACK_BUFFER]

    def _written(self, name: str) -> EffectTexture:
        """Returns the next version of a texture."""
        own = self.textures[name]
        return replace(own, key=self.keys.give(own.key))

    def _name_of(self, key: str) -> str:
        return key.partition("#")[0]

    def _texture_of(self, storage: DeclaredObject) -> str:
        own = storage.properties.get("Texture")
        name = own.value.rpartition(":")[2].strip() if own is not None else ""
        if name not in self.textures:
            place = own.place if own is not None else storage.place
            raise place.fault("a texture of the effect", f"'{name}'", nearest(name, self.textures))
        return name

    def _dispatched(self, declared: DeclaredObject, axis: str) -> int:
        own = declared.properties.get(f"DispatchSize{axis}")
        if own is None and axis != "Z":
            raise declared.place.fault(f"DispatchSize{axis} of a compute shader", "none", "Give its work groups.")
        count = 1 if own is None else self._number(own)
        if not 1 <= count <= (1 << 15):
            raise declared.place.fault("1 to 32768 work groups along each side", f"{count}", "Correct DispatchSize.")
        return count

    def _check_groups(self, threads: tuple[int, int, int], declared: DeclaredObject) -> None:
        groups = self.limits.work_groups
        if groups is None:
            raise declared.place.fault(
                "a device with OpenGL 4.3, which has compute shaders", "an older one", "Open it on another."
            )
        if not 0 < threads[0] * threads[1] * threads[2] <= groups.invocations:
            got = " x ".join(map(str, threads))
            raise declared.place.fault(f"1 to {groups.invocations} invocations a work group", got, "Give fewer.")

    def _hlsl(
        self, declared: DeclaredObject, reads: Sequence[str], writes: Mapping[str, EffectTexture], entry: Sequence[Row]
    ) -> HlslPass:
        lines = self.effect.code.split("\n")
        code = [Row(text, place) for text, place in zip(lines, self.effect.places, strict=True)]
        samplers = dict.fromkeys((*self.effect.samplers, BACK_BUFFER))
        images = dict.fromkeys((*self.effect.storages, *writes))
        return HlslPass(
            text=hlsl_of(code, self.effect.parameters, samplers, images, entry),
            entry=ENTRY,
            stage="compute",
            files=self.files,
            place=declared.place,
            reads=tuple(reads),
            writes=writes,
            defines={**TYPES, **macros_of(self.size[1], self.size[0])},
        )

    def _add(self, ready: _ReadyPass) -> None:
        program = program_of(ready.hlsl, self.precision)
        for each in ready.writes.values():
            self._store(each, "activation")
        own = {safe_name(name): each for name, each in ready.reads.items()}
        reads = {uniform: own[safe_name(shown.texture)] for uniform, shown in program.samplers.items()}
        target = next(iter(ready.writes.values()))
        values = {
            each.name: each.initial if each.type == "float" else int(each.initial) for each in self.effect.parameters
        }
        uniforms = {PASS_SIZE: target.size, **values}
        images = tuple(ImageBinding(safe_name(name), each.key) for name, each in ready.writes.items())
        name = target.key
        self.passes.append(
            Pass(
                name,
                "Shader",
                tuple(each.key for each in ready.writes.values()),
                tuple(Sampler(uniform, each.texture.key, each.filter, each.wrap) for uniform, each in reads.items()),
                program.source,
                MappingProxyType({key: value for key, value in uniforms.items() if key in program.uniforms}),
                dispatch=Dispatch(ready.groups, images=images),
            )
        )
        self.effect_passes[name] = EffectPass(
            name=name,
            file=self.effect.path,
            line=ready.declared.place.line,
            reads=MappingProxyType(reads),
            writes=MappingProxyType({safe_name(name): each for name, each in ready.writes.items()}),
            groups=ready.groups,
            threads=ready.threads,
            description=ready.declared.name,
        )


def _check(declared: DeclaredObject, known: Sequence[str]) -> None:
    """Raises TexelscopeError for a property that is unknown, or that asks for what is not followed here."""
    for name, each in declared.properties.items():
        if name not in known:
            raise each.place.fault(f"a property of a {declared.kind}", f"'{name}'", nearest(name, known))
        value = each.value.rpartition(":")[2].strip()
        if name in _PLAIN and value not in _PLAIN[name]:
            expected = f"{name} = {' or '.join(_PLAIN[name])}"
            raise each.place.fault(expected, f"'{each.value}'", "Such passes do not run here: write it without.")


def _named(declared: DeclaredObject, word: str, known: Mapping[str, Named], usual: str) -> Named:
    own = declared.properties.get(word)
    value = own.value if own is not None else usual
    if value not in known:
        assert own is not None
        raise own.place.fault(f"{word} = {' or '.join(known)}", f"'{value}'", "Take one of them.")
    return known[value]
