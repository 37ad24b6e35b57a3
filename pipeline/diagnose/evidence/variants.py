"""Variants of a shader for interventions: reads moved by a part of a texel, everything in full precision."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.lines import behind_head
from texelscope.pipeline.glsl.syntax import parse, text_of, walk
from texelscope.pipeline.glsl.versions import is_es, renamed_words, version_of, with_directive
from texelscope.pipeline.plan import ProgramSource

# Reads whose coordinates can be moved; texelFetch has whole numbers.
_MOVED = ("texture", "textureLod", "textureOffset", "textureLodOffset")
# What they were called before, and one of the first versions that has them.
_OLD = ("texture2D", "texture2DLod")
_OLDEST, _SIZED = 130, "#version 330 core"
# By how many texels, (x, y), under the names of the redraws.
MOVES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "unmoved": (0.0, 0.0),
        "moved_half": (0.5, 0.5),
        "moved_half_back": (-0.5, -0.5),
        "moved_forth": (0.25, 0.25),
        "moved_back": (-0.25, -0.25),
    }
)


def samples(program: ProgramSource) -> bool:
    """Whether the shader reads anything at coordinates rather than at whole texels."""
    return any(word in _MOVED or word in _OLD for word in _identifiers(program.fragment))


def moved_reads(program: ProgramSource) -> ProgramSource | None:
    """The shader with every sampled coordinate moved by `u_moved` texels; None where it does not say its version.

    One of GLSL 1.20 or ES 1.00 becomes one of a version that asks a texture for its size.
    """
    version = version_of(program.fragment)
    if version is None:
        return None
    names = [f"#define {name} moved_{name}" for name in _MOVED]
    is_old = version.number < _OLDEST
    text = with_directive(program.fragment, _SIZED) if is_old else program.fragment
    text = behind_head(text, *renamed_words(program.fragment, "fragment"), read_shader("taps/moved.glsl"), *names)
    return dataclasses.replace(program, fragment=text)


def in_full_precision(program: ProgramSource) -> ProgramSource | None:
    """A GLSL ES shader with every precision qualifier highp, samplers included; None where that changes nothing."""
    if not is_es(program.fragment):
        return None
    source = program.fragment.encode()
    parts, last = [], 0
    for node in walk(parse(source)):
        if not node.children and node.text in (b"lowp", b"mediump"):
            parts.append(source[last : node.start_byte].decode() + "highp")
            last = node.end_byte
    text = "".join([*parts, source[last:].decode()])
    declared = ["precision highp float;", "precision highp int;", "precision highp sampler2D;"]
    return dataclasses.replace(program, fragment=behind_head(text, *declared))


def _identifiers(text: str) -> set[str]:
    found = set()
    for node in walk(parse(text.encode())):
        if node.type == "identifier":
            found.add(text_of(node))
        elif node.type == "preproc_arg":  # a macro's body is not parsed
            found.update(_identifiers(f"void f() {{ {text_of(node)}; }}"))
    return found
