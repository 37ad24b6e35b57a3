"""Supplies what ShaderToy puts around `mainImage`: its uniforms in front of the author's text, a main behind it.

The author's lines keep their numbers. `fragCoord` is gl_FragCoord, as there: row 0 is the first in memory, which
ShaderToy shows at the bottom.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from texelscope.pipeline.glsl.old_words import own_names
from texelscope.pipeline.glsl.source_text import Version

OUTPUT = "shadertoy_color"
_ENTRY = re.compile(r"\bvoid\s+mainImage\s*\(")
_MAIN = re.compile(r"\bvoid\s+main\s*\(")
_WORD = re.compile(r"[A-Za-z_]\w*")
# Uniforms in their order: name, type, length of the array.
_UNIFORMS = (
    ("iResolution", "vec3", 1), ("iTime", "float", 1), ("iGlobalTime", "float", 1), ("iTimeDelta", "float", 1),
    ("iFrameRate", "float", 1), ("iFrame", "int", 1), ("iChannelTime", "float", 4),
    ("iChannelResolution", "vec3", 4), ("iMouse", "vec4", 1), ("iDate", "vec4", 1), ("iSampleRate", "float", 1),
)  # fmt: skip
_CHANNELS = tuple(f"iChannel{number}" for number in range(4))
# A read at three coordinates, which only slices have.
_OF_SLICES = r"\b(?:texture\w*|texelFetch)\s*\(\s*{channel}\s*,\s*(?:i?vec3\s*\(|\w+\.(?:xyz|rgb|stp)\b)"
# Lines of ShaderToy's offline players, which say what a channel is; the pipeline file says it here.
_PLAYER = re.compile(r"^[ \t]*#[ \t]*i(?:Channel\d\w*|Keyboard|Uniform|Vertex)\b[^\n]*", re.MULTILINE)
_PRECISIONS = ("precision highp float;", "precision highp int;", "precision highp sampler2D;")
# Before these versions the output is gl_FragColor.
_FIRST_WITH_OUT, _FIRST_ES_WITH_OUT = 130, 300


@dataclass(frozen=True)
class SuppliedUniform:
    """Describes a uniform that no author declared: its name, its type, and the length of its array (1 for none)."""

    name: str
    type: str
    count: int = 1

    @property
    def declaration(self) -> str:
        """The line that declares it."""
        return f"uniform {self.type} {self.name}{f'[{self.count}]' if self.count > 1 else ''};"


def has_main_image(bare: str) -> bool:
    """Whether a text without comments is written for ShaderToy: with `mainImage` and without a main."""
    return _ENTRY.search(bare) is not None and _MAIN.search(bare) is None


def without_player_lines(text: str) -> str:
    """Returns a text without the directives of ShaderToy's offline players; lines stay."""
    return _PLAYER.sub("", text)


def uniforms_for(bare: str) -> tuple[SuppliedUniform, ...]:
    """Returns the uniforms and channels that a text mentions and does not declare."""
    words = {*_WORD.findall(bare)} - {each[1] for each in re.findall(r"\buniform\s+(\w+\s+){1,2}(\w+)", bare)}
    plain = [SuppliedUniform(*each) for each in _UNIFORMS if each[0] in words]
    channels = [
        SuppliedUniform(name, "sampler3D" if re.search(_OF_SLICES.replace("{channel}", name), bare) else "sampler2D")
        for name in _CHANNELS
        if name in words
    ]
    return (*plain, *channels)


def declarations(bare: str, version: Version, uniforms: tuple[SuppliedUniform, ...]) -> tuple[str, ...]:
    """Returns the lines that ShaderToy puts in front of a text."""
    has_slices = any(each.type == "sampler3D" for each in uniforms)
    precisions = (*_PRECISIONS, *(["precision highp sampler3D;"] if has_slices else []))
    switch = "HW_PERFORMANCE"  # ShaderToy's macro for fast machines
    is_asked = switch in _WORD.findall(bare) and switch not in own_names(bare)
    return (
        *(precisions if version.is_es else ()),
        *([f"#define {switch} 1"] if is_asked else []),
        *(each.declaration for each in uniforms),
        *([f"out {'highp ' if version.is_es else ''}vec4 {OUTPUT};"] if _has_out(version) else []),
    )


def main_for(version: Version) -> tuple[str, ...]:
    """Returns the lines of the main that ShaderToy puts behind a text; alpha stays as the text writes it."""
    output = OUTPUT if _has_out(version) else "gl_FragColor"
    return ("void main() {", f"    mainImage({output}, gl_FragCoord.xy);", "}")


def _has_out(version: Version) -> bool:
    return version.number >= (_FIRST_ES_WITH_OUT if version.is_es else _FIRST_WITH_OUT)
