"""Translates shaders for WebGL 2: those of WebGL stay, desktop GLSL up to 3.30 gets another head."""

from __future__ import annotations

import re

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.embedded import AS_ES, as_page_text
from texelscope.pipeline.glsl.other_stages import default_vertex_shader
from texelscope.pipeline.glsl.source_text import version_of, without_comments
from texelscope.pipeline.plan import Pass

ES_VERSION = "#version 300 es"
# Features of newer versions that WebGL 2 lacks, in words.
_BEYOND = {
    "storage buffers": re.compile(r"\bbuffer\b"),
    "images": re.compile(r"\b[iu]?image[123]D\b"),
    "work groups": re.compile(r"\blocal_size_x\b"),
}


def webgl_shaders(shader_pass: Pass) -> tuple[str, str]:
    """Returns vertex and fragment shader of a pass for WebGL 2. Raises TexelscopeError for what it does not take."""
    program = shader_pass.program
    if program.refused is not None:
        raise TexelscopeError(program.refused.file, "a shader that may run", program.refused.reason, "Correct it.")
    where = program.files[0].path if program.files else shader_pass.name
    other = next((sampler for sampler in shader_pass.samplers if not sampler.kind.is_plain), None)
    if other is not None:
        raise TexelscopeError(
            f"pass '{shader_pass.name}' ({where})", "samplers of the type sampler2D, which a page can fill",
            f"{other.kind} '{other.uniform}'", "Run it here, or read the tensor through a sampler2D.",
        )  # fmt: skip
    fragment = _text(program.fragment, f"pass '{shader_pass.name}' ({where})")
    if program.vertex is None:
        return default_vertex_shader(fragment), fragment
    return _text(program.vertex, f"pass '{shader_pass.name}' (its vertex shader)"), fragment


def _text(text: str, who: str) -> str:
    version = version_of(text)
    if version is not None and version.is_es and version.number in (100, 300):
        return text
    if version is not None and version.number in AS_ES and not version.is_es:
        return as_page_text(text)
    said = version.directive if version is not None else "no #version"
    beyond = [what for what, words in _BEYOND.items() if words.search(without_comments(text))]
    raise TexelscopeError(
        who,
        "a shader that WebGL 2 takes, of GLSL ES 1.00, 3.00 or desktop GLSL up to 3.30",
        f"{said}{' with ' if beyond else ''}{' and '.join(beyond)}",
        "WebGL 2 has none of them." if beyond else "Lower its #version if it needs no more.",
    )
