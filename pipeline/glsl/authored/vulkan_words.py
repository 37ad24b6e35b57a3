"""Replaces Vulkan's words that OpenGL lacks, each in its place: separate textures and samplers, numbers of vertices.

`uniform texture2D t; uniform sampler s;` with `texture(sampler2D(t, s), uv)` becomes `uniform sampler2D t;` with
`texture(t, uv)`. How it filters the pipeline file says. What `pipeline.glsl.vulkan` rewrites, push constants and
specialization constants, stays.
"""

from __future__ import annotations

import re

from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.glsl.old_words import TextCopy

_VULKAN = re.compile(
    r"\blayout\s*\([^()]*\b(?:push_constant|constant_id|set\s*=)|\bgl_(?:Vertex|Instance)Index\b"
    r"|\buniform\s+(?:(?:highp|mediump|lowp)\s+)?[iu]?texture(?:1D|2D|3D|Cube)\w*\s+\w"
    r"|\buniform\s+sampler(?:Shadow)?\s+\w"
)
_SPACE = r"[ \t\n]{0,99}"
# A sampler that is made where it is used: its type, the texture (an element of an array too), the sampler.
_MADE = re.compile(
    rf"\b[iu]?sampler(?:2D|3D|2DArray)(?P<open>{_SPACE}\({_SPACE})(?P<texture>\w{{1,99}}(?:{_SPACE}\[[^\[\]]{{0,99}}\])?)"
    rf"(?P<sampler>{_SPACE},{_SPACE}\w{{1,99}}(?:{_SPACE}\[[^\[\]]{{0,99}}\])?{_SPACE}\))"
)
_TEXTURE = re.compile(r"\b(?P<prefix>[iu]?)texture(?P<form>1D|2D|3D|Cube|2DArray|Buffer)(?=[ \t\n]+\w)")
_SAMPLER = re.compile(
    r"(?:\blayout[ \t]*\([^()]{0,300}\)[ \t]*)?\buniform[ \t]+sampler[ \t]+(?P<name>\w{1,99})[ \t]*"
    r"(?:\[[^\[\]]{0,99}\][ \t]*)?;"
)
_PARAMETER = re.compile(r"\bsampler(?=[ \t]+\w)")
_SHADOW = re.compile(r"\bsamplerShadow\b|\bsampler\w*Shadow[ \t]*\(")
# Words of memory behind `buffer`, which some compilers know before it alone.
_MEMORY = re.compile(
    r"\bbuffer(?P<blank>[ \t]{1,99})(?P<words>(?:(?:readonly|writeonly|coherent|volatile|restrict)[ \t]{1,99}){1,5})"
    r"(?=\w{1,99}\s{0,99}\{)"
)
_NUMBERS = re.compile(r"\bgl_(?P<of>Vertex|Instance)Index\b")
# Extensions for a compiler of Vulkan's text: what they allow is written otherwise here, or read before.
_EXTENSION = re.compile(
    r"^[ \t]*#[ \t]*extension[ \t]+GL_(?:KHR_vulkan_glsl|GOOGLE_include_directive|GOOGLE_cpp_style_line_directive"
    r"|EXT_samplerless_texture_functions)[ \t]*:[^\n]*",
    re.MULTILINE,
)


def is_vulkan(bare: str) -> bool:
    """Whether a text without comments has words of Vulkan's GLSL."""
    return _VULKAN.search(bare) is not None


def with_memory_in_front(text: str) -> str:
    """Returns a text with `readonly buffer X {` for `buffer readonly X {`; lines and columns behind stay."""
    if "buffer" not in text:
        return text
    copy = TextCopy.of(text)
    copy.replace(_MEMORY, lambda match: f"{match['words']}buffer{match['blank']}")
    return copy.text


def without_vulkan_extensions(text: str) -> str:
    """Returns a text without the extensions that only a compiler for Vulkan needs; lines stay."""
    copy = TextCopy.of(text)
    copy.replace(_EXTENSION, lambda match: "")
    return copy.text


def with_combined_samplers(text: str) -> str:
    """Returns a text of Vulkan's GLSL with each texture as a sampler of its name, and OpenGL's numbers of vertices.

    Lines and columns stay, but for the line of a sampler that functions get. Raises AuthorTextError for a sampler that
    compares depths.
    """
    copy = TextCopy.of(text)
    copy.replace(_NUMBERS, lambda match: f"gl_{match['of']}ID")
    shadow = _SHADOW.search(copy.bare)
    if shadow is not None:
        row = copy.bare.count("\n", 0, shadow.start())
        do_next = "Compare the depth in the shader."
        raise AuthorTextError(row, "samplers of values", f"{shadow[0].rstrip('( ')}, which compares depths", do_next)
    if _SAMPLER.search(copy.bare) is None and _TEXTURE.search(copy.bare) is None:
        return copy.text
    copy.replace(_MADE, _texture_alone)
    copy.replace(_TEXTURE, lambda match: f"{match['prefix']}sampler{match['form']}")
    handed_over = {
        match["name"]
        for match in _SAMPLER.finditer(copy.bare)
        if len(re.findall(rf"\b{match['name']}\b", copy.bare)) > 1
    }
    parts, last = [], 0
    for match in _SAMPLER.finditer(copy.bare):
        parts += [copy.text[last : match.start()], _constant(match, handed_over)]
        last = match.end()
    # A function's parameter, which nothing reads any more.
    rest = TextCopy.of("".join([*parts, copy.text[last:]]))
    rest.replace(_PARAMETER, lambda match: "int")
    return rest.text


def _texture_alone(match: re.Match[str]) -> str:
    """Returns the texture's name where it stands, with blanks around it; line ends stay."""
    start, stop = match.start("texture") - match.start(), match.end("texture") - match.start()
    blank = re.compile(r"[^\n]")
    return blank.sub(" ", match[0][:start]) + match[0][start:stop] + blank.sub(" ", match[0][stop:])


def _constant(match: re.Match[str], handed_over: set[str]) -> str:
    """Returns blanks for a sampler's declaration, or a constant for functions that still get it."""
    made = f"const int {match['name']} = 0;" if match["name"] in handed_over else ""
    return made.ljust(len(match[0])) if "\n" not in match[0] else made + "\n" * match[0].count("\n")
