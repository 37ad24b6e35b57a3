"""Supplies what three.js declares in front of a material's shaders, where a text uses it and does not declare it."""

from __future__ import annotations

import re

from texelscope.pipeline.glsl.authored.shadertoy import SuppliedUniform
from texelscope.pipeline.glsl.old_words import Stage, own_names
from texelscope.pipeline.glsl.source_text import Version

_ATTRIBUTES = {"position": "vec3", "normal": "vec3", "uv": "vec2"}
_UNIFORMS = {
    "modelMatrix": "mat4", "modelViewMatrix": "mat4", "projectionMatrix": "mat4", "viewMatrix": "mat4",
    "normalMatrix": "mat3", "cameraPosition": "vec3",
}  # fmt: skip
_WORD = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
_DECLARED = re.compile(r"\b(?:float|int|bool|[iub]?vec[234]|mat[234])\s+(?P<names>[A-Za-z_][^;(){}=]{0,300})")
_FIRST_WITH_IN = 300


def declarations(bare: str, stage: Stage, version: Version) -> tuple[tuple[str, ...], tuple[SuppliedUniform, ...]]:
    """Returns the lines that three.js puts in front of a text without comments, and the uniforms among them."""
    own = own_names(bare)
    declared = {name for match in _DECLARED.finditer(bare) for name in _WORD.findall(match["names"])}
    words = {*_WORD.findall(bare)} - declared - own
    uniforms = tuple(SuppliedUniform(name, kind) for name, kind in _UNIFORMS.items() if name in words)
    word = "in" if version.number >= _FIRST_WITH_IN else "attribute"
    attributes = [
        f"{word} highp {kind} {name};" for name, kind in _ATTRIBUTES.items() if stage == "vertex" and name in words
    ]
    lines = [each.declaration.replace("uniform ", "uniform highp ") for each in uniforms]
    return (*lines, *attributes), uniforms
