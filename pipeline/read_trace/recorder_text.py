"""Adds the recorder to a shader's text: its version, its log of reads, and the wrappers of reads."""

from __future__ import annotations

from collections.abc import Collection

from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.lines import behind_head
from texelscope.pipeline.glsl.source_text import renamed_words, version_of, with_directive

# Least versions of GLSL, and of GLSL ES, by whether storage buffers are used.
_LEAST = {True: (430, 310), False: (330, 300)}


def with_recorder(text: str, *, buffers: bool, log: tuple[str, ...] = (), old_outputs: Collection[str] = ()) -> str:
    """Returns `text` (rewritten) with the recorder after its version and extensions.

    With `buffers` reads go to a storage buffer; without, to colours, and the recorder's main calls the author's. `log`
    are the files under `shaders/` that write the log, where they differ. `old_outputs` are built-in ones that the text
    has with `tap_` before their names.
    """
    version, renamed = version_of(text), renamed_words(text, "fragment")
    if version is not None:
        core, es = _LEAST[buffers]
        # GLSL ES 1.00's gl_FragColor is unknown to later versions of ES, but not to desktop GLSL.
        keeps_es = version.is_es and version.number > 100
        wanted = f"{max(version.number, es)} es" if keeps_es else f"{max(version.number, core)} core"
        text = with_directive(text, f"#version {wanted}")
    log = log or ("taps/log.glsl" if buffers else "taps/scan.glsl", "taps/reads.glsl")
    kind = "out highp vec4" if buffers else "highp vec4"
    declared = [f"{kind} tap_{name}{'' if name == 'gl_FragColor' else '[8]'};" for name in sorted(old_outputs)]
    made = behind_head(text, *renamed, *declared, *map(read_shader, log))
    return made if buffers else f"{made}\n\n{read_shader('taps/scan_main.glsl')}"
