"""Keeps values of low precision in GLSL ES at full precision while mutants run.

Integers are of medium precision by default, and in WebGL 1 so are positions and colours. A driver may compute a choice
between two values with as few bits, if one of them comes from such an integer or position, or is an output: the
author's own text has no such choice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from texelscope.pipeline.glsl.source_text import version_of, without_comments

_WHOLE = "precision highp int;"
_OUTPUT, _KEPT, _MAIN = "gl_FragColor", "texelscope_color", "texelscope_main"
# An unset uniform: with it added, a position is a sum at full precision.
_PLACE, _NOTHING = "gl_FragCoord", "u_texelscope_nothing"


@dataclass(frozen=True)
class Outputs:
    """Lines to put before a shader's text, and after it; none if the precision is full anyway."""

    head: tuple[str, ...] = ()
    behind: str = ""


def outputs_of(source: str) -> Outputs:
    """Returns those of a fragment shader."""
    version = version_of(source)
    if version is None or not version.is_es:
        return Outputs()
    if version.number != 100:
        return Outputs((_WHOLE,))
    head = (_WHOLE, f"uniform highp float {_NOTHING};", f"#define {_PLACE} ({_PLACE} + {_NOTHING})")
    if not re.search(rf"\b{_OUTPUT}\b", without_comments(source)):
        return Outputs(head)
    return Outputs(
        (*head, f"highp vec4 {_KEPT};", f"#define {_OUTPUT} {_KEPT}", f"#define main {_MAIN}"),
        f"\n#undef {_OUTPUT}\n#undef main\nvoid main() {{ {_MAIN}(); {_OUTPUT} = {_KEPT}; }}\n",
    )
