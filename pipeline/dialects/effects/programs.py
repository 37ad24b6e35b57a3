"""Translates the HLSL of one pass of an effect to a program for OpenGL, and says what its uniforms show."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from texelscope.pipeline.dialects.effects.passes import EffectTexture
from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.front_ends.hlsl import translate_ahead, translated_with_samplers
from texelscope.pipeline.front_ends.request import TranslationRequest
from texelscope.pipeline.front_ends.slang_samplers import SampledWith
from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.glsl.lines import GENERATED, line_map
from texelscope.pipeline.glsl.reserved_words import safe_name
from texelscope.pipeline.plan import ProgramSource, SourceFile, Stage, Storage

_TEXTURE = re.compile(r"\buniform[ \t]+texture2D[ \t]+(?P<name>\w+);")
_IMAGE = re.compile(r"layout\((?P<format>\w+)\)(?P<between>[ \t]+uniform[ \t]+image2D[ \t]+(?P<name>\w+);)")
_BLOCK = re.compile(r"^layout\(std140\) uniform \w+ \{(?P<members>[^{}]*)\};$", re.MULTILINE)
_MEMBER = re.compile(r"(?P<name>\w+)(?:[ \t]*\[[^\[\]]*\])*[ \t]*$")
_STORE = re.compile(r"\bimageStore\((?P<name>\w+),")
_FORMATS: Mapping[tuple[int, Storage], str] = {
    (1, "float32"): "r32f", (2, "float32"): "rgba32f", (3, "float32"): "rgba32f", (4, "float32"): "rgba32f",
    (1, "float16"): "r16f", (2, "float16"): "rgba16f", (3, "float16"): "rgba16f", (4, "float16"): "rgba16f",
}  # fmt: skip


@dataclass(frozen=True)
class HlslPass:
    """Holds the HLSL of a pass with `#line`s of `files`, and its entry point. `place` is where its author begins it.

    The textures that it `reads` and `writes` are bound, whether its text uses them or not.
    """

    text: str
    entry: str
    stage: Stage
    files: tuple[SourceFile, ...]
    place: FileLine
    reads: Collection[str]
    writes: Mapping[str, EffectTexture]
    defines: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class EffectProgram:
    """A program, by sampler the texture that it shows and the author's sampler (empty where texels are fetched), and
    the names of its uniforms in blocks."""

    source: ProgramSource
    samplers: Mapping[str, SampledWith]
    uniforms: Collection[str]


def translate_together(passes: Sequence[HlslPass]) -> None:
    """Has all passes of an effect translated at once, which is quicker; what is wrong `program_of` says of each."""
    translate_ahead([_request(each) for each in passes])


def _request(hlsl: HlslPass) -> TranslationRequest:
    bound = frozenset(map(safe_name, (*hlsl.reads, *hlsl.writes)))
    return TranslationRequest(hlsl.text, hlsl.stage, hlsl.entry, hlsl.defines, bound)


def program_of(hlsl: HlslPass, precision: Storage) -> EffectProgram:
    """Translates a pass. Textures that it writes are stored as `precision`, and those with limits keep to them.

    Raises TexelscopeError with the author's line for what Slang refuses or OpenGL has not.
    """
    names = {safe_name(name): texture for name, texture in hlsl.writes.items()}
    try:
        made = translated_with_samplers(_request(hlsl))
    except AuthorTextError as error:
        raise _at_its_line(error, hlsl) from error
    text = _TEXTURE.sub(lambda match: f"uniform sampler2D {match['name']};", made.text)
    shown = [match["name"] for match in _TEXTURE.finditer(made.text)]

    def image(match: re.Match[str]) -> str:
        texture = names.get(match["name"])
        form = match["format"] if texture is None else _FORMATS[texture.channels, precision]
        return f"layout({form}){match['between']}"

    text = _IMAGE.sub(image, text)
    limited = {name: each.limits for name, each in names.items() if each.limits is not None}
    text = _limited(text, limited) if limited else text
    blocks = (match["members"].split(";") for match in _BLOCK.finditer(text))
    uniforms = {found["name"] for members in blocks for each in members if (found := _MEMBER.search(each)) is not None}
    samplers = {name: made.sampled.get(name, SampledWith(name, "")) for name in shown}
    return EffectProgram(ProgramSource(text, hlsl.files, stage=hlsl.stage), samplers, uniforms)


def _at_its_line(error: AuthorTextError, hlsl: HlslPass) -> TexelscopeError:
    path, line = line_map(ProgramSource(hlsl.text, hlsl.files))[error.row]
    place = hlsl.place if path == GENERATED or not error.row else FileLine(path, line)
    return place.fault(error.expected, error.got, error.do_next)


def _limited(text: str, limits: Mapping[str, tuple[float, float]]) -> str:
    """Returns text in which what is stored to textures keeps to the limits of their formats."""
    parts: list[str] = []
    last = 0
    for match in _STORE.finditer(text):
        own = limits.get(match["name"])
        if own is None or match.start() < last:
            continue
        place = _end_of_argument(text, match.end())
        end = _end_of_argument(text, place + 1)
        value = text[place + 1 : end].strip()
        parts += [text[last : place + 1], f" clamp({value}, {own[0]}, {own[1]})"]
        last = end
    return "".join([*parts, text[last:]])


def _end_of_argument(text: str, start: int) -> int:
    """Returns where an argument of a call ends: at the next comma or parenthesis of the call itself."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in "([":
            depth += 1
        elif text[at] in ")]" and depth:
            depth -= 1
        elif text[at] in ")," and not depth:
            return at
    return len(text)
