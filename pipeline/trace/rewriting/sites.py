"""Places in a shader's text where something is written down, by number; what an entry of the log says of its kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from texelscope.pipeline.glsl.lines import Line

End = Literal["", "return", "discard", "break", "continue"]
What = Literal["step", "assign", "branch", "return", "index", "enter", "exit", "mark", "watch", "constant", "output"]

# Types in the order of their numbers, from 1 on, as shaders/trace/values.glsl has them.
TYPES = (
    "float", "vec2", "vec3", "vec4", "int", "ivec2", "ivec3", "ivec4", "uint", "uvec2", "uvec3", "uvec4",
    "bool", "bvec2", "bvec3", "bvec4", "mat2", "mat3", "mat4", "mat2x3", "mat2x4", "mat3x2",
    "mat3x4", "mat4x2", "mat4x3",
)  # fmt: skip
LANES = (*(n for _ in range(4) for n in range(1, 5)), 4, 9, 16, 6, 8, 6, 12, 8, 12)
READ_TYPE, MORE_TYPE = 62, 63
MOST_SITES = 1 << 16
MOST_PARTS = 1 << 10


@dataclass(frozen=True)
class TraceSite:
    """One place: what is written down there, and for which variable or statement.

    `begins`: the entry begins a step as well. `name` is a variable's, a function's, or a watch's text; in a variable's
    each `#` stands for an index, which the sites `indices` wrote down before. `step` adds 1 or -1 where `x++` or `x--`
    tells the value before. `loops` are the loops around in the function; `enters` is one that starts here, `turns` one
    of which a turn does. `definition` is the site where calls of the function begin, -1 in main. A variable that
    `is_shared` is global.
    """

    what: What
    line: Line
    function: str
    text: str = ""
    name: str = ""
    begins: bool = False
    indices: tuple[int, ...] = ()
    step: int = 0
    loops: tuple[int, ...] = ()
    enters: int | None = None
    turns: int | None = None
    end: End = ""
    definition: int = -1
    is_shared: bool = False
