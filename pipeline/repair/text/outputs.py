"""What WebGL 1 takes and gives with few bits, kept with all of them while edits are tried.

There `gl_FragCoord` and `gl_FragColor` are of medium precision. A driver may work out a choice between two values with
so few bits as well, where one of them is made of a place or is given out: the author's own text has no such choice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.glsl.comments import without_comments
from pipeline.glsl.versions import version_of

_OUTPUT, _KEPT, _MAIN = "gl_FragColor", "texelscope_color", "texelscope_main"
# A uniform that nobody sets: with nothing added to it a place is a sum, of all bits.
_PLACE, _NOTHING = "gl_FragCoord", "u_texelscope_nothing"


@dataclass(frozen=True)
class Outputs:
    """Lines that stand in front of a shader's text, and what stands behind it; none where all bits are kept anyway."""

    head: tuple[str, ...] = ()
    behind: str = ""


def outputs_of(source: str) -> Outputs:
    """Of a fragment shader."""
    version = version_of(source)
    if version is None or not version.is_es or version.number != 100:
        return Outputs()
    head = (f"uniform highp float {_NOTHING};", f"#define {_PLACE} ({_PLACE} + {_NOTHING})")
    if not re.search(rf"\b{_OUTPUT}\b", without_comments(source)):
        return Outputs(head)
    return Outputs(
        (*head, f"highp vec4 {_KEPT};", f"#define {_OUTPUT} {_KEPT}", f"#define main {_MAIN}"),
        f"\n#undef {_OUTPUT}\n#undef main\nvoid main() {{ {_MAIN}(); {_OUTPUT} = {_KEPT}; }}\n",
    )
