"""Names what has no meaning in a pass: other stages, other languages, inputs that a drawn triangle has not."""

from __future__ import annotations

import re

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.macros import without_inactive_branches
from texelscope.pipeline.glsl.old_words import Stage
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.glsl.unused_macros import without_unused_macros

_OTHER_STAGE = "A pass has a fragment shader, a vertex shader if you like, or a compute shader."
_TRANSLATE = "Translate it to GLSL first, for example with SPIRV-Cross."
# What it is, and what to do instead; by words.
_NO_MEANING: tuple[tuple[str, str, str], ...] = (
    (r"\bEmit(?:Stream)?Vertex\b|\bEndPrimitive\b|\bmax_vertices\b", "a geometry shader", _OTHER_STAGE),
    (r"\bgl_Tess(?:Coord|LevelInner|LevelOuter)\b|\bgl_InvocationID\b", "a tessellation shader", _OTHER_STAGE),
    (r"\b(?:rayPayload|hitAttribute|callableData)(?:In)?EXT\b|\btraceRayEXT\b", "a ray-tracing shader", _OTHER_STAGE),
    (r"\bSetMeshOutputsEXT\b|\btaskPayloadSharedEXT\b", "a mesh shader", _OTHER_STAGE),
    (r"\bgl_PointCoord\b", "gl_PointCoord, which only points have: a pass draws a triangle",
     "Use the place in the target: declare an `in vec2`."),
    (r"\bu?i?subpass(?:Input|Load)\w*", "a subpass input of Vulkan",
     "Read a sampler2D by texelFetch at ivec2(gl_FragCoord.xy)."),
    (r"\bgl_(?:TexCoord|Color|SecondaryColor|FogFragCoord)\b|\bftransform\b|\bgl_(?:ModelView|Projection)\w*Matrix\w*",
     "a built-in of OpenGL's fixed pipeline", "Declare a `varying vec2` or a uniform of your own."),
    (r"\bshader_type\s+\w+\s*;|\brender_mode\s+\w", "Godot's shading language",
     "Translate it to GLSL, or open the GLSL that Godot compiles of it."),
    (r"\bcbuffer\b|:\s*SV_\w+|\bTexture2D\s*<|\[numthreads\b", "HLSL", "Name the file .hlsl, and it is translated."),
    (r"@(?:fragment|vertex|compute)\b|\bvar<(?:uniform|storage)", "WGSL", "Name the file .wgsl, and it is translated."),
    (r"#\s*include\s*<metal_stdlib>|\[\[(?:stage_in|buffer|texture|position)\b", "Metal's shading language",
     _TRANSLATE),
)  # fmt: skip
_ALL = re.compile("|".join(f"(?P<n{number}>{words})" for number, (words, _, _) in enumerate(_NO_MEANING)))
# Entries of ShaderToy that are no pictures.
_TOY = re.compile(r"\bvoid\s+main(?P<what>Sound|Cubemap|VR)\s*\(|\bvec2\s+main(?P<sound>Sound)\s*\(")
_OWN_MAIN = re.compile(r"\bvoid\s+main(?:Image)?\s*\(")
# Not among them is `.fx`, by which people call GLSL as well as HLSL: its text says what it is.
_SUFFIXES = {
    "geom": "a geometry shader", "tesc": "a tessellation shader", "tese": "a tessellation shader",
    "rgen": "a ray-tracing shader", "rchit": "a ray-tracing shader", "rmiss": "a ray-tracing shader",
    "mesh": "a mesh shader", "task": "a mesh shader", "gdshader": "Godot's shading language",
    "metal": "Metal's shading language",
}  # fmt: skip


class AuthorTextError(TexelscopeError):
    """A text is not what a pass can run; `row` is its 0-based line that says so."""

    def __init__(self, row: int, expected: str, got: str, do_next: str) -> None:
        super().__init__("a shader", expected, got, do_next)
        self.row = row


def check_meaning(text: str, stage: Stage) -> None:
    """Raises AuthorTextError for a text of another stage or language, or with an input that no pass has.

    What conditions of the text leave out, and macros that nothing uses, do not count.
    """
    bare = without_comments(text)
    if (found := _ALL.search(bare)) is not None:
        bare = without_unused_macros(without_inactive_branches(text))
        found = _ALL.search(bare)
    expected = f"a {stage} shader in GLSL"
    if found is not None:
        _, what, do_next = next(
            each for number, each in enumerate(_NO_MEANING) if found.group(f"n{number}") is not None
        )
        raise AuthorTextError(bare.count("\n", 0, found.start()), expected, what, do_next)
    toy = _TOY.search(bare)
    if toy is not None and _OWN_MAIN.search(bare) is None:
        name = f"main{toy['what'] or toy['sound']}"
        raise AuthorTextError(
            bare.count("\n", 0, toy.start()), "ShaderToy's mainImage, or a main", f"{name} alone", "Add mainImage."
        )


def check_suffix(name: str, stage: Stage) -> None:
    """Raises TexelscopeError for a file whose name says that it is of another stage or language."""
    what = _SUFFIXES.get(name.rpartition(".")[2].lower())
    if what is not None:
        do_next = _OTHER_STAGE if "shader" in what else _TRANSLATE
        raise TexelscopeError(f"'{name}'", f"a {stage} shader in GLSL", what, do_next)
