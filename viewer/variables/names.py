"""Names of parts as a trace has them: `w[3].xy` is `w` and what of it."""

from __future__ import annotations

import re
from functools import lru_cache

from texelscope.viewer.variables.numbers import lanes_of, rows_of

Path = tuple[str, ...]

_LETTERS = ("xyzw", "rgba", "stpq")
_PARTS = re.compile(r"\.([A-Za-z_]\w*)|\[(-?\d+)\]")
_BASE = re.compile(r"[A-Za-z_]\w*")
_ARRAY = re.compile(r"(.*?)\[(\d*)\](.*)")


@lru_cache(maxsize=512)
def parsed(name: str) -> tuple[str, Path]:
    """A variable's name and what of it: elements by their number, fields and lanes by name."""
    base = _BASE.match(name)
    if base is None:
        return name, ()
    return base[0], tuple(field or index for field, index in _PARTS.findall(name, base.end()))


def path_text(base: str, path: Path) -> str:
    """A variable's name and what of it, as GLSL has it."""
    return base + "".join(f"[{part}]" if part.lstrip("-").isdigit() else f".{part}" for part in path)


def inner_type(type_name: str, part: str) -> str:
    """The type of an element of an array type; unknown (empty) for a field."""
    match = _ARRAY.fullmatch(type_name)
    return f"{match[1]}{match[3]}" if match is not None and part.lstrip("-").isdigit() else ""


def length_of(type_name: str) -> int:
    """How many elements an array type has; 0 for what is none, or of a length that no number says."""
    match = _ARRAY.fullmatch(type_name)
    return int(match[2]) if match is not None and match[2] else 0


def lanes_named(type_name: str, path: Path) -> tuple[int, ...]:
    """Which lanes of a vector or matrix type `path` names, in its order; none where it names no lanes of it."""
    count, rows = lanes_of(type_name), rows_of(type_name)
    if count < 2 or not path:
        return ()
    first, rest = path[0], path[1:]
    if rows:
        if not first.isdigit():
            return ()
        start = int(first) * rows
        inside = lanes_named(f"vec{rows}", rest) if rest else tuple(range(rows))
        return tuple(start + lane for lane in inside if start + lane < count)
    if first.isdigit():
        return (int(first),) if int(first) < count else ()
    known = next((letters for letters in _LETTERS if set(first) <= set(letters)), "")
    return tuple(known.index(letter) for letter in first if known.index(letter) < count) if known else ()
