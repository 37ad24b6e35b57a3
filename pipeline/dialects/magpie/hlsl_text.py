"""Writes the HLSL of one pass of a Magpie effect: the author's unchanged text, and around it what Magpie supplies.

Names and meanings are those of Magpie's page "MagpieFX". `MF`, which Magpie makes a half or a float, is a float here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from texelscope.pipeline.dialects.effects.passes import EffectTexture
from texelscope.pipeline.dialects.magpie.effect import DeclaredPass, EffectSection, MagpieEffect
from texelscope.pipeline.front_ends.rows import NOBODYS
from texelscope.pipeline.glsl.lines import line_directive
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.plan import UniformValue

ENTRY = "MagpiePass"
FRAME = "magpie_frame"
_INPUT_SIZE, _INPUT_TEXEL = "magpie_input_size", "magpie_input_texel"
_OUTPUT_SIZE, _OUTPUT_TEXEL = "magpie_output_size", "magpie_output_texel"
_SCALE, _PASS_SIZE = "magpie_scale", "magpie_pass_size"
# The work group of a pass in the style of a pixel shader.
STYLE_GROUP = (8, 8, 1)
# What such a pass says of its own size to macros of the text.
_STYLE_BLOCK, _STYLE_THREADS = (16, 16), (64, 1, 1)
_SIDES = (1, 2, 3, 4)
# The place of an invocation in a group of 64, so that four in a row are a square of 2x2 (rows go by eight in all).
_SUPPLIED = f"""
uint2 Rmp8x8(uint a) {{ return uint2((a >> 1) & 7, ((a >> 3) & 6) | (a & 1)); }}
uint2 GetInputSize() {{ return {_INPUT_SIZE}; }}
float2 GetInputPt() {{ return {_INPUT_TEXEL}; }}
uint2 GetOutputSize() {{ return {_OUTPUT_SIZE}; }}
float2 GetOutputPt() {{ return {_OUTPUT_TEXEL}; }}
float2 GetScale() {{ return {_SCALE}; }}
"""
_KINDS = {1: "float", 2: "float2", 3: "float3", 4: "float4"}


def uniforms_of(
    effect: MagpieEffect, source: EffectTexture, output: EffectTexture, target: EffectTexture
) -> Mapping[str, UniformValue]:
    """Returns the values of all uniforms that a pass may have, by name; `target` is what it writes."""
    (width, height), (wide, high) = source.size, output.size
    return {
        _INPUT_SIZE: (width, height),
        _INPUT_TEXEL: (1.0 / width, 1.0 / height),
        _OUTPUT_SIZE: (wide, high),
        _OUTPUT_TEXEL: (1.0 / wide, 1.0 / high),
        _SCALE: (wide / width, high / height),
        _PASS_SIZE: target.size,
        FRAME: 0,
        **{each.name: each.initial if each.type == "float" else int(each.initial) for each in effect.parameters},
    }


def hlsl_of(
    effect: MagpieEffect,
    declared: DeclaredPass,
    reads: Mapping[str, EffectTexture],
    writes: Mapping[str, EffectTexture],
    texts: Sequence[tuple[EffectSection, str]],
) -> str:
    """Returns the HLSL of a pass with `#line`s, the effect's own file being 0.

    `reads` and `writes` are textures by the author's names; `texts` has the author's sections with what they include.
    """
    parts = [*_declarations(effect, reads, writes), _SUPPLIED.strip()]
    if effect.has_multiply_add:
        parts += [_multiply_add(rows, columns) for rows in _SIDES[1:] for columns in _SIDES[1:]]
    if effect.has_frames:
        parts.append(f"uint GetFrameCount() {{ return {FRAME}; }}")
    for section, text in texts:
        parts += [line_directive(0, section.line), text.rstrip("\n")]
    head, call, tail = _entry(declared, writes)
    nobodys = line_directive(NOBODYS, 1)
    return "\n".join([*parts, nobodys, head, line_directive(0, _called(declared)), call, nobodys, tail]) + "\n"


def macros_of(declared: DeclaredPass) -> Mapping[str, str]:
    """Returns the macros that Magpie defines for a pass."""
    block, threads = declared.block or _STYLE_BLOCK, declared.threads or _STYLE_THREADS
    macros = {
        "MP_BLOCK_WIDTH": f"{block[0]}",
        "MP_BLOCK_HEIGHT": f"{block[1]}",
        **{f"MP_NUM_THREADS_{axis}": f"{count}" for axis, count in zip("XYZ", threads, strict=True)},
        "MF": "float",
        **{f"MF{count}": f"float{count}" for count in _SIDES},
        **{f"MF{rows}x{columns}": f"float{rows}x{columns}" for rows in _SIDES for columns in _SIDES},
    }
    return macros if declared.block is not None else {**macros, "MP_PS_STYLE": "1"}


def _declarations(
    effect: MagpieEffect, reads: Mapping[str, EffectTexture], writes: Mapping[str, EffectTexture]
) -> list[str]:
    parts = [
        f"uint2 {_INPUT_SIZE}; float2 {_INPUT_TEXEL}; uint2 {_OUTPUT_SIZE}; float2 {_OUTPUT_TEXEL}; float2 {_SCALE};",
        f"uint2 {_PASS_SIZE};",
    ]
    parts += [f"uint {FRAME};"] if effect.has_frames else []
    parts += [f"{each.type} {each.name};" for each in effect.parameters]
    # What the picture has no channel for is still read: its fourth lane is 1.
    parts += [f"Texture2D<{_kind(each)}> {name};" for name, each in reads.items()]
    parts += [f"RWTexture2D<{_kind(each)}> {name};" for name, each in writes.items()]
    return [*parts, *(f"SamplerState {name};" for name in effect.samplers)]


def _kind(texture: EffectTexture) -> str:
    return _KINDS[4 if texture.channels == 3 else texture.channels]


def _multiply_add(rows: int, columns: int) -> str:
    return (
        f"float{columns} MulAdd(float{rows} x, float{rows}x{columns} y, float{columns} a) {{ return mul(x, y) + a; }}"
    )


def _entry(declared: DeclaredPass, writes: Mapping[str, EffectTexture]) -> tuple[str, str, str]:
    """Returns the entry point: what comes before the call of the author's function, the call, and what comes after."""
    name = f"Pass{declared.number}"
    if declared.block is not None and declared.threads is not None:
        x, y, z = declared.threads
        parameters = "uint3 thread_ : SV_GroupThreadID, uint3 group_ : SV_GroupID"
        head = f"[numthreads({x}, {y}, {z})]\nvoid {ENTRY}({parameters})\n{{"
        return head, f"    {name}(group_.xy * uint2({declared.block[0]}, {declared.block[1]}), thread_);", "}"
    x, y, z = STYLE_GROUP
    head = (
        f"[numthreads({x}, {y}, {z})]\nvoid {ENTRY}(uint3 id_ : SV_DispatchThreadID)\n{{\n"
        f"    if (id_.x >= {_PASS_SIZE}.x || id_.y >= {_PASS_SIZE}.y) return;\n"
        f"    float2 pos_ = (id_.xy + 0.5) / {_PASS_SIZE};"
    )
    if len(writes) == 1:
        return head, f"    {next(iter(writes))}[id_.xy] = {name}(pos_);", "}"
    colours = [f"color{number}_" for number in range(len(writes))]
    kinds = [_kind(each) for each in writes.values()]
    head += "".join(f"\n    {kind} {colour};" for kind, colour in zip(kinds, colours, strict=True))
    stores = "".join(f"    {name}[id_.xy] = {colour};\n" for name, colour in zip(writes, colours, strict=True))
    return head, f"    {name}(pos_, {', '.join(colours)});", f"{stores}}}"


def _called(declared: DeclaredPass) -> int:
    """Returns the line of the author's function: what is wrong with the call is wrong there."""
    bare = without_comments(declared.body.text)
    found = re.search(rf"\bPass{declared.number}\s*\(", bare)
    return declared.place.line if found is None else declared.body.line + bare.count("\n", 0, found.start())
