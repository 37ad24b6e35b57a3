"""Computes the SPIR-V instruction that mpv shaders for Vulkan declare in GLSL: the dot product of four bytes.

`GL_EXT_spirv_intrinsics` lets GLSL call an instruction by its number. OpenGL has no such extension.
"""

from __future__ import annotations

import re

from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.glsl.source_text import without_comments

_EXTENSION = "GL_EXT_spirv_intrinsics"
_ASKED = re.compile(rf"#\s*extension\s+{_EXTENSION}\b")
_INSTRUCTION = re.compile(r"\bspirv_instruction\b")
# OpSDotKHR, whose last operand 0 says that its numbers are four signed bytes packed into 32 bits.
_DOT_PRODUCT = re.compile(
    r"\bspirv_instruction\s{0,9}\([^;()]{0,200}\bid\s{0,9}=\s{0,9}4450\s{0,9}\)\s{0,9}"
    r"int\s{1,9}(?P<name>\w{1,99})\s{0,9}\(\s{0,9}int\s{1,9}\w{1,99}\s{0,9},\s{0,9}int\s{1,9}\w{1,99}\s{0,9},"
    r"\s{0,9}spirv_literal\s{1,9}int\s{1,9}\w{1,99}\s{0,9}\)\s{0,9};"
)
_FUNCTION = (
    "int NAME(int a, int b, int signs) { ivec4 s = ivec4(24, 16, 8, 0); "
    "ivec4 p = ((ivec4(a) << s) >> 24) * ((ivec4(b) << s) >> 24); return p.x + p.y + p.z + p.w; }"
)


def asks_for_spirv(line: str) -> bool:
    """Reports whether an `#extension` line asks for SPIR-V instructions."""
    return _ASKED.match(line) is not None


def with_dot_products(body: str, line: int, file: str) -> str:
    """Returns a body whose declared dot products are functions; it has as many lines.

    Raises TexelscopeError, with the line, for another instruction.
    """
    if _INSTRUCTION.search(body) is None:
        return body
    text = _DOT_PRODUCT.sub(_function, body)
    other = _INSTRUCTION.search(without_comments(text))
    if other is not None:
        raise FileLine(file, line + text.count("\n", 0, other.start())).fault(
            "GLSL of OpenGL, or the dot product of signed bytes (id = 4450)",
            "another instruction of SPIR-V (spirv_instruction)",
            "Take the shader's variant for OpenGL.",
        )
    return text


def _function(declared: re.Match[str]) -> str:
    return _FUNCTION.replace("NAME", declared["name"]) + "\n" * declared[0].count("\n")
