"""Makes the programs of a recording's passes: the page's texts, with its vertices as one triangle.

Text of WebGL 2 in full precision runs as it is. Where the page's device computed in full precision whatever a text
declared, as those of desktops do, a text that declares less runs as desktop GLSL, and so does text of WebGL 1: drivers
that take GLSL ES compute in half precision then. A phone's lower precision is kept as the text declares it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from texelscope.pipeline.dialects.recordings.files import Files, text_of
from texelscope.pipeline.dialects.webgl.geometry import Triangle, covering
from texelscope.pipeline.dialects.webgl.manifest import Draw, WebglRecording
from texelscope.pipeline.glsl.desktop import as_desktop
from texelscope.pipeline.glsl.handing_over import renewed_es
from texelscope.pipeline.glsl.lines import line_directive, numbered
from texelscope.pipeline.glsl.old_words import Stage
from texelscope.pipeline.glsl.source_text import version_of, with_directive, without_comments
from texelscope.pipeline.pipeline_file.declarations import Uniform, lowp_samplers, uniforms_of
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.quotas import present

_ES, _ES_3, _FIRST_AS_IT_IS, _DESKTOP = "#version 100", "#version 300 es", 300, 330
# WebGL 1's words, kept as they are in the text by macros; and those that macros are not enough for.
_READS = "#define texture2D texture\n#define textureCube texture"
_OLD_WORDS: Mapping[Stage, str] = MappingProxyType(
    {
        "fragment": f"#version {_DESKTOP}\n#define varying in\n{_READS}",
        "vertex": f"#version {_DESKTOP}\n#define attribute in\n#define varying out\n{_READS}",
    }
)
_RARE = re.compile(
    r"\b(?:texture2D\w+|textureCube\w+|gl_FragDepthEXT|texture)\b|^[ \t]*#[ \t]*extension\b", re.MULTILINE
)
_LESS = re.compile(r"\b(?:lowp|mediump)\b")
_STAGES: tuple[Stage, Stage] = ("fragment", "vertex")


class Programs:
    """Reads each text of a recording once, and makes the program of each draw."""

    def __init__(self, files: Files, recording: WebglRecording) -> None:
        self._files = files
        self._recording = recording
        self._texts: dict[str, str] = {}

    def source(self, draw: Draw, triangle: Triangle) -> ProgramSource:
        """Returns the program of a draw, with the triangle that stands for its vertices.

        Raises TexelscopeError for a missing or oversized file, ValueError, in words, for vertices that it cannot have.
        """
        program, is_full = self._recording.programs[draw.program], self._recording.is_full[draw.context]
        assert program.fragment is not None
        assert program.vertex is not None
        target = self._recording.textures[draw.outputs[0]]
        files = tuple(
            SourceFile(i, path, self._text(path)) for i, path in enumerate((program.fragment, program.vertex))
        )
        # Both stages in one language, as a program needs it.
        is_desktop = is_full and any(map(_needs_desktop, files))
        fragment, vertex = (_for_driver(*each, is_desktop=is_desktop) for each in zip(files, _STAGES, strict=True))
        return ProgramSource(fragment, files, covering(vertex, triangle, draw.viewport, (target.width, target.height)))

    def declared(self, draw: Draw) -> Mapping[str, Uniform]:
        """Returns the uniforms that a draw's fragment shader declares, samplers too, by name."""
        path = self._recording.programs[draw.program].fragment
        assert path is not None
        return uniforms_of(self._text(path))

    def _text(self, path: str) -> str:
        if path not in self._texts:
            self._texts[path] = text_of(self._files, path, present().shader_bytes)
        return self._texts[path]


def _needs_desktop(file: SourceFile) -> bool:
    """Reports whether a driver with GLSL ES may compute a text in less than full precision."""
    version = version_of(file.text)
    is_old = version is None or version.number < _FIRST_AS_IT_IS
    return is_old or bool(lowp_samplers(file.text)) or _LESS.search(without_comments(file.text)) is not None


def _for_driver(file: SourceFile, stage: Stage, *, is_desktop: bool) -> str:
    """Returns a file's text with its number in `#line`, as desktop GLSL or as it is; lines and columns stay."""
    is_told = version_of(file.text) is not None
    here = line_directive(file.number, 1)
    if is_desktop and not is_told and not _RARE.search(without_comments(file.text)):
        return f"{_OLD_WORDS[stage]}\n{here}\n{file.text}"
    text = numbered(file.text, file.number) if is_told else f"{_ES}\n{here}\n{file.text}"
    if is_desktop:
        return as_desktop(text, stage, _DESKTOP)
    written = version_of(text)
    assert written is not None
    return text if written.number >= _FIRST_AS_IT_IS else renewed_es(with_directive(text, _ES_3), stage)
