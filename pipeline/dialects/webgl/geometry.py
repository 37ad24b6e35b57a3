"""Gives a recorded vertex shader the triangle that covers its target, in place of the page's vertices.

A pass is drawn as one triangle. A page mostly draws two, which are a rectangle: attributes there are affine, so that
the triangle of one corner and of the two beside it, each twice as far away, has the same values in every texel.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from texelscope.pipeline.dialects.webgl.manifest import Draw
from texelscope.pipeline.glsl.lines import LINES_PER_FILE, behind_head
from texelscope.pipeline.glsl.source_text import without_comments

# Vertices count as a rectangle's up to this difference, over the largest of their numbers.
_ALIKE = 1e-5
_VERTEX_ID, _INSTANCE_ID = "gl_VertexID", "gl_InstanceID"
# The source-string of text behind the page's; no file of a program has so high a number.
_BEHIND = 998
_ATTRIBUTE = re.compile(
    r"(?P<qualifiers>(?:\blayout\s*\([^(){};]{0,99}\)\s*)?\b(?:attribute|in)\s+)"
    r"(?:(?:highp|mediump|lowp)\s+)?(?P<type>float|[iu]?vec[234]|u?int)\s+(?P<names>\w+(?:\s*,\s*\w+){0,31})\s*;"
)
_OTHER = re.compile(r"(?<![\w(,])(?:attribute|in)\s+(?:(?:highp|mediump|lowp)\s+)?(?P<type>\w+)\s+\w+\s*[;\[]")
_ROW = tuple[float, ...]


@dataclass(frozen=True)
class Triangle:
    """Holds three vertices that cover what a draw's vertices cover: by attribute, the values at the corners."""

    corners: Mapping[str, tuple[_ROW, _ROW, _ROW]]


def triangle_of(draw: Draw) -> Triangle | str:
    """Returns the triangle of a draw, or in words what its vertices are instead."""
    attributes = draw.attributes
    if attributes is None:
        return f"it draws {draw.vertices} vertices, whose values are not recorded"
    order = _corners(draw, attributes)
    if order is None:
        return f"its {draw.vertices} vertices ({draw.mode}) are no triangle and no rectangle"
    first, second, third, is_whole = order
    if not is_whole and (_VERTEX_ID in attributes or not attributes):
        return f"its {draw.vertices} vertices come from {_VERTEX_ID}"
    corners = {}
    for name, rows in attributes.items():
        if name in (_VERTEX_ID, _INSTANCE_ID):
            if name == _VERTEX_ID and [rows[i][0] for i in order[:3]] != [0, 1, 2]:
                return f"its {_VERTEX_ID} does not count from 0"
            continue
        a, b, c = rows[first], rows[second], rows[third]
        corners[name] = (a, b, c) if is_whole else (a, _further(a, b), _further(a, c))
    return Triangle(corners)


def _further(near: _ROW, far: _ROW) -> _ROW:
    return tuple(2 * end - start for start, end in zip(near, far, strict=True))


def _corners(draw: Draw, attributes: Mapping[str, tuple[_ROW, ...]]) -> tuple[int, int, int, bool] | None:
    """Returns three vertices' numbers, a corner of a rectangle first, and whether they are the whole triangle."""
    count, mode = draw.vertices, draw.mode
    if count == 3 and mode in ("TRIANGLES", "TRIANGLE_STRIP", "TRIANGLE_FAN"):
        return 0, 1, 2, True
    vertices = [sum((rows[i] for rows in attributes.values()), ()) for i in range(count)]
    if mode == "TRIANGLE_STRIP" and count == 4:
        corner = (0, 1, 2, 3)
    elif mode == "TRIANGLE_FAN" and count == 4:
        corner = (0, 1, 3, 2)
    elif mode == "TRIANGLES" and count == 6:
        one, other = vertices[:3], vertices[3:]
        shared = [i for i in range(3) if one[i] in other]
        apart = [i for i in range(3) if other[i] not in one]
        if len(shared) != 2 or len(apart) != 1:
            return None
        corner = (3 - sum(shared), shared[0], shared[1], 3 + apart[0])
    else:
        return None
    if not attributes or _VERTEX_ID in attributes:
        return (*corner[:3], False)
    return (*corner[:3], False) if _is_rectangle(*(vertices[i] for i in corner)) else None


def _is_rectangle(corner: _ROW, one: _ROW, other: _ROW, opposite: _ROW) -> bool:
    largest = max(map(abs, (*corner, *one, *other, *opposite)), default=0.0)
    return all(abs(a + d - b - c) <= _ALIKE * largest for a, b, c, d in zip(corner, one, other, opposite, strict=True))


def covering(text: str, triangle: Triangle, viewport: tuple[int, int, int, int], size: tuple[int, int]) -> str:
    """Returns a vertex shader that calls the page's own for each corner; the lines of `text` keep their numbers.

    `viewport` is x, y, width and height, `size` the target's width and height, all in texels. Raises ValueError, in
    words, for attributes that are no numbers or vectors.
    """
    declared: dict[str, str] = {}
    bare = without_comments(text)
    pieces, last = [], 0
    for match in _ATTRIBUTE.finditer(bare):
        if bare.count("(", 0, match.start()) > bare.count(")", 0, match.start()):
            continue
        for name in re.split(r"\s*,\s*", match["names"]):
            declared[name] = match["type"]
        pieces += [text[last : match.start()], re.sub(r"\S", " ", text[match.start() : match.end("qualifiers")])]
        last = match.end("qualifiers")
    result = "".join([*pieces, text[last:]])
    missing = next((name for name in triangle.corners if name not in declared), None)
    if missing is not None:
        raise ValueError(f"its attribute '{missing}' is no number or vector")
    lines = [_assignment(name, declared[name], rows) for name, rows in triangle.corners.items()]
    head = behind_head(result, "#define main recorded_main")
    return "\n".join([
        head.rstrip("\n"), f"#line {_BEHIND * LINES_PER_FILE + 1} {_BEHIND}", "#undef main", "void main() {",
        "    vec2 at_corner = vec2(ivec2(gl_VertexID & 1, gl_VertexID >> 1));",
        *lines, "    recorded_main();", *_placed(viewport, size), "    gl_Position.z = 0.0;", "}", "",
    ])  # fmt: skip


def _assignment(name: str, kind: str, rows: tuple[_ROW, _ROW, _ROW]) -> str:
    count = int(kind[-1]) if kind[-1].isdigit() else 1
    a, b, c = (_filled(row, count) for row in rows)
    across, down = ([end - start for start, end in zip(a, corner, strict=True)] for corner in (b, c))
    vector = f"vec{count}" if count > 1 else "float"
    value = f"{_glsl(vector, a)} + at_corner.x * {_glsl(vector, across)} + at_corner.y * {_glsl(vector, down)}"
    return f"    {name} = {value};" if kind.startswith(("vec", "float")) else f"    {name} = {kind}({value});"


def _filled(row: _ROW, count: int) -> list[float]:
    """Returns as many numbers as an attribute has: OpenGL fills with 0, and the fourth with 1."""
    return [*row, *(0.0, 0.0, 0.0, 1.0)[len(row) :]][:count]


def _glsl(vector: str, numbers: list[float]) -> str:
    return f"{vector}({', '.join(map(_number, numbers))})"


def _number(value: float) -> str:
    text = repr(float(value))
    return text if "." in text or "e" in text else f"{text}.0"


def _placed(viewport: tuple[int, int, int, int], size: tuple[int, int]) -> list[str]:
    """Returns the line that places what the page's viewport shows in a viewport of the target's size."""
    x, y, width, height = viewport
    if (x, y, width, height) == (0, 0, *size):
        return []
    scale = _glsl("vec2", [width / size[0], height / size[1]])
    offset = _glsl("vec2", [(2 * x + width) / size[0] - 1, (2 * y + height) / size[1] - 1])
    return [f"    gl_Position.xy = gl_Position.xy * {scale} + gl_Position.w * {offset};"]
