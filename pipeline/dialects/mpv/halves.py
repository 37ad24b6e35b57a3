"""Replaces half floats by floats for a driver that lacks them: OpenGL's rarely have the extensions of Vulkan."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection

from texelscope.pipeline.glsl.macros import MacroError, expand_all
from texelscope.pipeline.glsl.source_text import without_comments

# What the log says of a block whose halves are floats.
NO_HALVES = "half floats are computed as 32-bit floats: this driver has no types for them."
# The extensions that define the types, with the same names.
_EXTENSIONS = (
    "GL_EXT_shader_explicit_arithmetic_types_float16",
    "GL_EXT_shader_explicit_arithmetic_types",
    "GL_AMD_gpu_shader_half_float",
)
_SIDES = ("2", "3", "4")
_TYPES = {
    "float16_t": "float",
    **{f"f16vec{lanes}": f"vec{lanes}" for lanes in _SIDES},
    **{f"f16mat{sides}": f"mat{sides}" for sides in _SIDES},
    **{f"f16mat{columns}x{rows}": f"mat{columns}x{rows}" for columns in _SIDES for rows in _SIDES},
}
_TYPE = re.compile(rf"\b(?:{'|'.join(_TYPES)})\b")
_ASKED = re.compile(r"#\s*extension\s+(\w+)")


def uses_halves(body: str, extensions: Collection[str]) -> bool:
    """Reports whether a body uses types of half floats without an extension for them that the driver has."""
    if not _TYPE.search(body):
        return False
    bare = without_comments(body)
    if any(each in _EXTENSIONS and each in extensions for each in _ASKED.findall(bare)):
        return False
    with contextlib.suppress(MacroError):  # a condition that only the driver decides
        bare = expand_all(bare)
    return _TYPE.search(bare) is not None


def macros_of_halves() -> list[str]:
    """Returns the definitions that make the types those of floats."""
    return [f"#define {name} {meaning}" for name, meaning in _TYPES.items()]


def asks_for_halves(line: str) -> bool:
    """Reports whether an `#extension` line asks for types of half floats."""
    asked = _ASKED.match(line)
    return asked is not None and asked[1] in _EXTENSIONS
