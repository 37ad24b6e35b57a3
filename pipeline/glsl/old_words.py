"""Renews old words of GLSL (`varying`, `gl_FragColor`, `texture2D`) for a version that has them no more.

Every replacement has the length of what it replaces, so that columns stay; what is added belongs behind the head.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from texelscope.pipeline.glsl.source_text import without_comments

Stage = Literal["vertex", "fragment", "compute"]

_WORD = re.compile(r"\b[A-Za-z_]\w*")
_FRAGMENT_DATA = re.compile(r"\bgl_FragData\s*\[\s*(?P<number>[0-9]{1,2}(?=\s*\])|.)")
# The most outputs that `gl_FragData` may have: gl_MaxDrawBuffers is at least so much (GLSL 3.30, 7.4).
_MOST_OUTPUTS = 8
# A text may have functions of its own by the names that came later.
_DEFINED = re.compile(
    r"\b[A-Za-z_]\w*[ \t]+(?P<name>[A-Za-z_]\w*)\s*\([^();]{0,999}\)\s*\{|^[ \t]*#[ \t]*define[ \t]+(?P<macro>\w+)",
    re.MULTILINE,
)

# Old words with those of 3.30, by stage; each is replaced where it stands.
_WORDS: Mapping[Stage, Mapping[str, str]] = {
    "vertex": {"attribute": "in", "varying": "out"},
    "fragment": {
        "varying": "in", "gl_FragColor": "es_FragColor", "gl_FragData": "es_FragData",
        "gl_FragDepthEXT": "gl_FragDepth",
    },
    "compute": {},
}  # fmt: skip
# Old reads become functions of other names, as a text may have a variable called `texture`, and some drivers keep the
# old names for themselves; by name, their parameters and bodies.
_READS = {
    "texture2D": (("sampler2D s, vec2 p", "texture(s, p)"), ("sampler2D s, vec2 p, float b", "texture(s, p, b)")),
    "texture2DProj": (
        ("sampler2D s, vec3 p", "textureProj(s, p)"), ("sampler2D s, vec4 p", "textureProj(s, p)"),
        ("sampler2D s, vec3 p, float b", "textureProj(s, p, b)"),
        ("sampler2D s, vec4 p, float b", "textureProj(s, p, b)"),
    ),
    "textureCube": (("samplerCube s, vec3 p", "texture(s, p)"), ("samplerCube s, vec3 p, float b", "texture(s, p, b)")),
    "texture2DLod": (("sampler2D s, vec2 p, float l", "textureLod(s, p, l)"),),
    "texture2DProjLod": (
        ("sampler2D s, vec3 p, float l", "textureProjLod(s, p, l)"),
        ("sampler2D s, vec4 p, float l", "textureProjLod(s, p, l)"),
    ),
    "textureCubeLod": (("samplerCube s, vec3 p, float l", "textureLod(s, p, l)"),),
    "texture2DLodEXT": (("sampler2D s, vec2 p, float l", "textureLod(s, p, l)"),),
    "textureCubeLodEXT": (("samplerCube s, vec3 p, float l", "textureLod(s, p, l)"),),
    "texture2DGradEXT": (("sampler2D s, vec2 p, vec2 x, vec2 y", "textureGrad(s, p, x, y)"),),
    "textureCubeGradEXT": (("samplerCube s, vec3 p, vec3 x, vec3 y", "textureGrad(s, p, x, y)"),),
}  # fmt: skip
# The word of later versions as a name that is not called.
_TYPE = re.compile(r"(?=\b(?:float|vec[234]|sampler\w+) )")
_OWN_TEXTURE = re.compile(r"\btexture\b(?!\s*\()")


# Names of GLSL ES 1.00 that later versions reserve and give no meaning (GLSL ES 3.00, 3.7).
_RESERVED_NOW = frozenset({"active", "common", "filter", "partition", "resource"})
_INTERFACE = re.compile(r"\b(?:uniform|varying|attribute)\b([^;{}]{0,500})[;{]")


@dataclass
class TextCopy:
    """Holds a text and the same one without comments; replacements keep lengths, so that both stay alike."""

    text: str
    bare: str

    @classmethod
    def of(cls, text: str) -> TextCopy:
        return cls(text, without_comments(text))

    def replace(self, pattern: re.Pattern[str], made: Callable[[re.Match[str]], str]) -> None:
        """Replaces matches outside comments, each padded to the length of what it replaces."""
        text, bare, last = [], [], 0
        for match in pattern.finditer(self.bare):
            new = made(match)
            if new == match[0]:
                continue
            padded = new.ljust(len(match[0]))
            text += [self.text[last : match.start()], padded]
            bare += [self.bare[last : match.start()], padded]
            last = match.end()
        if last:
            self.text = "".join([*text, self.text[last:]])
            self.bare = "".join([*bare, self.bare[last:]])


def own_names(bare: str) -> frozenset[str]:
    """Returns the functions and macros that a text without comments defines."""
    return frozenset(match["name"] or match["macro"] for match in _DEFINED.finditer(bare))


@lru_cache(maxsize=16)
def has_old_words(text: str, stage: Stage) -> bool:
    """Whether a text uses words that only old versions have, and does not define them itself."""
    bare = without_comments(text)
    own = own_names(bare)
    return not own.issuperset({*_WORD.findall(bare)} & (_READS.keys() | _WORDS[stage].keys()))


def renew(copy: TextCopy, stage: Stage, *, is_es: bool = False) -> list[str]:
    """Replaces the old words of a text; returns the declarations that it needs then.

    In ES an old read becomes a call of the new one, so that the precisions of what it reads stay.
    """
    added = _output(copy.bare, "highp " if is_es else "") if stage == "fragment" else []
    own = own_names(copy.bare)
    used = [name for name in _READS if name in {*_WORD.findall(copy.bare)} - own]
    if is_es and not _OWN_TEXTURE.search(copy.bare):
        reads = {name: _READS[name][0][1].partition("(")[0] for name in used}
    else:
        reads = {name: _renewed_read(name) for name in used}
        highp = "highp " if is_es else ""
        added += [
            f"{highp}vec4 {reads[name]}({_TYPE.sub(highp, parameters)}) {{ return {body}; }}"
            for name in used
            for parameters, body in _READS[name]
            if stage == "fragment" or not parameters.endswith(" b")
        ]
    renamed = {old: new for old, new in {**_WORDS[stage], **reads}.items() if old not in own} | _names_now(copy.bare)
    copy.replace(_WORD, lambda match: renamed.get(match[0], match[0]))
    return added


def _names_now(bare: str) -> dict[str, str]:
    """Returns other names, as long, for names of a text that are reserved words now.

    A name that a program outside knows, of a uniform or a varying, stays.
    """
    used = {*_WORD.findall(bare)}
    known = {name for declaration in _INTERFACE.findall(bare) for name in _WORD.findall(declaration)}
    found = {name: f"{name[:-1]}_" for name in _RESERVED_NOW & used - known}
    return {name: new for name, new in found.items() if new not in used}


def _renewed_read(name: str) -> str:
    """Returns the name, as long, of the function in place of an old read."""
    return f"es_{name[3:]}"


def _output(bare: str, precision: str) -> list[str]:
    """Returns the declaration of the output that old fragment shaders have built in."""
    numbers = [match["number"].strip() for match in _FRAGMENT_DATA.finditer(bare)]
    if numbers:
        known = all(number.isdigit() for number in numbers)
        count = max(map(int, numbers)) + 1 if known else _MOST_OUTPUTS
        return [f"out {precision}vec4 es_FragData[{count}];"]
    return [f"out {precision}vec4 es_FragColor;"] if re.search(r"\bgl_FragColor\b", bare) else []
