"""What GLSL ES has with few bits, kept with all of them while edits are tried.

Its whole numbers are of medium precision where a text says nothing else, and in WebGL 1 so are places and colours. A
driver may work out a choice between two values with so few bits as well, where one of them is made of such a number or
place, or is given out: the author's own text has no such choice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from texelscope.pipeline.glsl.comments import without_comments
from texelscope.pipeline.glsl.versions import version_of

_WHOLE = "precision highp int;"
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
