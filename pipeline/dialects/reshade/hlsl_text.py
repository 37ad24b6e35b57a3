"""Writes the HLSL of one pass of a ReShade effect: the author's text, and around it what ReShade supplies.

Names and meanings are those of ReShade's "Shader Reference". Every pass runs as a compute shader here, one invocation a
pixel: a pixel shader is called with its position and place. A sampler is a texture that is read as it says.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.dialects.mpv.blocks import HookParameter
from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.front_ends.rows import Row, with_directives

ENTRY = "ReshadePass"
PASS_SIZE = "reshade_pass_size"
GROUP = (8, 8, 1)
TYPES: Mapping[str, str] = {
    **dict.fromkeys(("sampler", "sampler2D"), "Texture2D<float4>"),
    **dict.fromkeys(("storage", "storage2D"), "RWTexture2D<float4>"),
}
_SUPPLIED = """
SamplerState reshade_sampler;
#define tex2D(s, p) (s).SampleLevel(reshade_sampler, (p), 0)
#define tex2Dlod(s, p) (s).SampleLevel(reshade_sampler, (p).xy, (p).w)
#define tex2Dlodoffset(s, p, o) (s).SampleLevel(reshade_sampler, (p).xy, (p).w, o)
#define tex2Doffset(s, p, o) (s).SampleLevel(reshade_sampler, (p), 0, o)
#define tex2DgatherR(s, p) (s).GatherRed(reshade_sampler, (p))
#define tex2DgatherG(s, p) (s).GatherGreen(reshade_sampler, (p))
#define tex2DgatherB(s, p) (s).GatherBlue(reshade_sampler, (p))
#define tex2DgatherA(s, p) (s).GatherAlpha(reshade_sampler, (p))
#define tex2Dstore(s, p, v) (s)[p] = (v)
#define __RESHADE__ 50901
#define __RENDERER__ 0xb000
float4 tex2Dfetch(Texture2D<float4> s, int2 p) { return s.Load(int3(p, 0)); }
float4 tex2Dfetch(Texture2D<float4> s, int2 p, int level) { return s.Load(int3(p, level)); }
float4 tex2Dfetch(Texture2D<float4> s, int4 p) { return s.Load(int3(p.xy, p.w)); }
int2 tex2Dsize(Texture2D<float4> s) { uint w, h; s.GetDimensions(w, h); return int2(w, h); }
int2 tex2Dsize(Texture2D<float4> s, int level) { return tex2Dsize(s); }
namespace ReShade {
    static const float AspectRatio = BUFFER_ASPECT_RATIO;
    static const float2 PixelSize = BUFFER_PIXEL_SIZE;
    static const float2 ScreenSize = BUFFER_SCREEN_SIZE;
    float GetAspectRatio() { return AspectRatio; }
    float2 GetPixelSize() { return PixelSize; }
    float2 GetScreenSize() { return ScreenSize; }
}
"""
_FORMATTED = (
    r"(?P<result>\w+)\s+{name}\s*\((?P<parameters>[^(){{}};]*(?:\([^()]*\)[^(){{}};]*)*)\)\s*(?::\s*\w+\s*)?\{{"
)
_PARAMETER = re.compile(
    r"(?P<words>(?:(?:in|out|inout|nointerpolation|linear|const)\s+)*)(?P<type>\w+)\s+(?P<name>\w+)\s*(?::\s*(?P<semantic>\w+))?"
)
_POSITIONS, _PLACES = ("SV_POSITION", "POSITION", "VPOS"), ("TEXCOORD", "TEXCOORD0")
_TARGET = re.compile(r"(?:SV_TARGET|COLOR)(?P<number>[0-7]?)$")
# What a texture holds of a result with fewer lanes.
_AS_COLOR: Mapping[str, str] = {
    "float4": "c", "float3": "float4(c, 1)", "float2": "float4(c, 0, 1)", "float": "float4(c, 0, 0, 1)",
}  # fmt: skip
_INVOCATION = ("SV_DISPATCHTHREADID", "SV_GROUPTHREADID", "SV_GROUPID", "SV_GROUPINDEX")


@dataclass(frozen=True)
class ShaderFunction:
    """A function of the code that a pass runs: its head and body, and the row where it begins."""

    name: str
    result: str
    parameters: str
    body: str
    row: int


def function_of(code: str, name: str, place: FileLine) -> ShaderFunction:
    """Returns a function by its name. Raises TexelscopeError if the code has none."""
    plain = name.rpartition("::")[2].strip()
    match = re.search(rf"\b{_FORMATTED.format(name=re.escape(plain))}", code)
    if match is None:
        raise place.fault("a function of the effect", f"'{name}'", "Check its name.")
    depth, at = 1, match.end()
    while at < len(code) and depth:
        depth += (code[at] == "{") - (code[at] == "}")
        at += 1
    row = code.count("\n", 0, match.start())
    return ShaderFunction(name.replace(" ", ""), match["result"], match["parameters"], code[match.end() : at], row)


def macros_of(width: int, height: int) -> dict[str, str]:
    """Returns ReShade's macros of the size of the picture."""
    return {
        "BUFFER_WIDTH": f"{width}",
        "BUFFER_HEIGHT": f"{height}",
        "BUFFER_RCP_WIDTH": f"(1.0 / {width})",
        "BUFFER_RCP_HEIGHT": f"(1.0 / {height})",
        "BUFFER_ASPECT_RATIO": f"({width} * (1.0 / {height}))",
        "BUFFER_PIXEL_SIZE": f"float2(1.0 / {width}, 1.0 / {height})",
        "BUFFER_SCREEN_SIZE": f"float2({width}, {height})",
        "BUFFER_COLOR_BIT_DEPTH": "8",
    }


def hlsl_of(
    code: Sequence[Row],
    parameters: Sequence[HookParameter],
    samplers: Collection[str],
    images: Collection[str],
    entry: Sequence[Row],
) -> str:
    """Returns the HLSL of a pass with `#line`s.

    `samplers` are all of the effect's, and `images` its storages and the targets of the pass.
    """
    parts = [f"uint2 {PASS_SIZE};"]
    parts += [f"{each.type} {each.name};" for each in parameters]
    parts += [f"Texture2D<float4> {name};" for name in samplers]
    parts += [f"RWTexture2D<float4> {name};" for name in images]
    supplied = [Row(text, None) for text in (*parts, *_SUPPLIED.strip().split("\n"))]
    return with_directives([*supplied, *code, *entry])


def drawn_entry(
    function: ShaderFunction, targets: Sequence[str], place: FileLine, at: tuple[int, int] | None
) -> list[Row]:
    """Returns the entry point that calls a pixel shader for each pixel of its targets, by their names.

    Raises TexelscopeError for a parameter that a pixel has not.
    """
    colours = {number: f"color{number}_" for number in range(len(targets))}
    arguments = []
    for each in _parameters(function, place):
        semantic = (each["semantic"] or "").upper()
        target = _TARGET.match(semantic)
        if target is not None and "out" in each["words"]:
            arguments.append(colours.get(int(target["number"] or 0), "color_"))
        elif semantic in _POSITIONS:
            arguments.append("position_")
        elif semantic in _PLACES:
            arguments.append("place_")
        else:
            got = f"'{each['name']}'{f' : {semantic}' if semantic else ''}"
            raise place.fault(
                "SV_Position, TEXCOORD and SV_Target in a pixel shader", got, "Compute it in the function."
            )
    call = f"{function.name}({', '.join(arguments)});"
    call = f"    {call}" if function.result == "void" else f"    {colours[0]} = to_color_({call[:-1]});"
    x, y, z = GROUP
    head = [
        *(f"float4 to_color_({kind} c) {{ return {made}; }}" for kind, made in _AS_COLOR.items()),
        f"[numthreads({x}, {y}, {z})]",
        f"void {ENTRY}(uint3 id_ : SV_DispatchThreadID) {{",
        f"    if (id_.x >= {PASS_SIZE}.x || id_.y >= {PASS_SIZE}.y) return;",
        "    float4 position_ = float4(id_.xy + 0.5, 0, 1);",
        f"    float2 place_ = (id_.xy + 0.5) / {PASS_SIZE};",
        *(f"    float4 {colour} = 0;" for colour in colours.values()),
    ]  # fmt: skip
    stores = [f"    {name}[id_.xy] = {colours[number]};" for number, name in enumerate(targets)]
    return [*(Row(text, None) for text in head), Row(call, at), *(Row(text, None) for text in (*stores, "}"))]


def dispatched_entry(
    function: ShaderFunction, threads: tuple[int, int, int], place: FileLine, at: tuple[int, int] | None
) -> list[Row]:
    """Returns the entry point that calls a compute shader.

    Raises TexelscopeError for a parameter that it cannot have.
    """
    found = _parameters(function, place)
    for each in found:
        if (each["semantic"] or "").upper() not in _INVOCATION:
            raise place.fault("indices of invocations in a compute shader", f"'{each['name']}'", "Remove it.")
    parameters = ", ".join(f"{each['type']} {each['name']} : {each['semantic']}" for each in found)
    head = [f"[numthreads({', '.join(map(str, threads))})]", f"void {ENTRY}({parameters}) {{"]
    call = f"    {function.name}({', '.join(each['name'] for each in found)});"
    return [*(Row(text, None) for text in head), Row(call, at), Row("}", None)]


def _parameters(function: ShaderFunction, place: FileLine) -> list[re.Match[str]]:
    found = []
    for text in filter(None, (each.strip() for each in function.parameters.split(","))):
        match = _PARAMETER.fullmatch(text)
        if match is None:
            raise place.fault("parameters with a type, a name and a semantic", f"'{text}'", "Write them out.")
        found.append(match)
    return found
