"""Prepares a recorded program for GL: the exact text that TensorFlow.js compiled, with its file and line.

WebGL 2 text begins with its own `#version 300 es`. WebGL 1 text has none and means GLSL ES 1.00; as in browsers, it
is compiled as desktop GLSL, with the names that this uses: drivers that accept 1.00 directly may
compute in half precision what TensorFlow.js needs in full.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from texelscope.pipeline.dialects.tfjs.recording.files import Files, text_of
from texelscope.pipeline.glsl.assemble import MAX_SHADER_BYTES
from texelscope.pipeline.glsl.lines import line_directive, numbered
from texelscope.pipeline.glsl.source_text import version_of, without_comments
from texelscope.pipeline.pipeline_file.declarations import uniforms_of
from texelscope.pipeline.plan import ProgramSource, SourceFile

_SAMPLES = "#define texture2D texture\n#define textureCube texture"
_WEBGL_1_FRAGMENT = f"#version 330\n#define varying in\n{_SAMPLES}"
_WEBGL_1_VERTEX = f"#version 330\n#define attribute in\n#define varying out\n{_SAMPLES}"


# TensorFlow.js puts functions like these before a program's own code, and others named after its variables.
_SUPPLIED = frozenset({"getOutputCoords", "setOutput", "sampleTexture", "getChannel"})
_FUNCTION = r"^[ \t]*(?:\w+[ \t]+)*(?P<name>\w+)\s*\([^;{}]*\)\s*\{"


def program_source(files: Files, fragment: str, vertex: str | None, variables: Sequence[str]) -> ProgramSource:
    """Returns the program of two files of a recording. Raises TexelscopeError for a missing or oversized file."""
    paths = [fragment] if vertex is None else [fragment, vertex]
    found = tuple(SourceFile(number, path, text_of(files, path, MAX_SHADER_BYTES)) for number, path in enumerate(paths))
    texts = [_numbered(file) for file in found]
    supplied = supplied_lines(found[0].text, variables)
    return ProgramSource(texts[0], found, texts[1] if vertex is not None else None, supplied_lines=supplied)


def supplied_lines(text: str, variables: Sequence[str]) -> int:
    """Counts TensorFlow.js's lines before the program's own: up to its last function that reads or writes."""
    named = {f"get{name[:1].upper()}{name[1:]}" for name in variables}
    bare, last = without_comments(text), 0
    for match in re.finditer(_FUNCTION, bare, re.MULTILINE):
        if match["name"] in named or match["name"] in _SUPPLIED or match["name"].endswith("AtOutCoords"):
            last = match.end()
    depth, at = 1, last
    while last and depth and at < len(bare):
        depth += (bare[at] == "{") - (bare[at] == "}")
        at += 1
    return bare.count("\n", 0, at) + 1 if last else 0


def sampler_names(source: ProgramSource) -> tuple[str, ...]:
    """Returns the samplers that the fragment shader declares and uses."""
    return tuple(
        name for name, uniform in uniforms_of(source.fragment).items() if uniform.is_sampler and uniform.mentions > 1
    )


def _numbered(file: SourceFile) -> str:
    """Adds the file's number after the text's `#version`, and changes nothing else."""
    if version_of(file.text) is not None:
        return numbered(file.text, file.number)
    head = _WEBGL_1_VERTEX if file.number else _WEBGL_1_FRAGMENT
    return f"{head}\n{line_directive(file.number, 1)}\n{file.text}"
