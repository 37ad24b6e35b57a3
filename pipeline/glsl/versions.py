"""What a recording shader carries besides the author's text: its version, where it writes down reads, the wrappers."""

from __future__ import annotations

from pipeline.glsl.assemble import read_shader

# Least versions of GLSL, and of GLSL ES, by whether storage buffers are used.
_LEAST = {True: (430, 310), False: (330, 300)}


def with_recorder(text: str, *, buffers: bool) -> str:
    """`text` (rewritten) with the recorder after its version and extensions.

    With `buffers` reads go to a storage buffer; without, to colours, and the recorder's main calls the author's.
    """
    lines = text.split("\n")
    last = 0
    core, es = _LEAST[buffers]
    for position, line in enumerate(lines):
        words = line.split()
        if words[:1] == ["#version"]:
            number = int(words[1])
            lines[position] = (
                f"#version {max(number, es)} es" if words[2:3] == ["es"] else f"#version {max(number, core)} core"
            )
            last = position
        elif words[:1] == ["#extension"]:
            last = position
    recorder = [read_shader("taps/log.glsl" if buffers else "taps/scan.glsl"), read_shader("taps/reads.glsl")]
    made = [*lines[: last + 1], *recorder, f"#line {last + 2} 0", *lines[last + 1 :]]
    return "\n".join(made if buffers else [*made, "", read_shader("taps/scan_main.glsl")])
