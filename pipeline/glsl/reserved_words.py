"""Lists the words that have a meaning in GLSL, so that no name of another language may be one of them."""

from __future__ import annotations

import re

# Keywords and reserved words (GLSL 4.60, 3.6), types apart.
_KEYWORDS = """
active asm atomic_uint attribute bool break buffer case cast centroid class coherent common const continue default
discard do double else enum extern external false filter fixed flat float for fvec2 fvec3 fvec4 goto half highp if
in inline inout input int interface invariant layout long lowp main mediump namespace noinline noperspective out output
partition patch precise precision public readonly resource restrict return sample shared short signed sizeof smooth
static struct subroutine superp switch template this true typedef uint uniform union unsigned using varying void
volatile while writeonly
"""
# Functions (GLSL 4.60, 8); those of images, textures, atomics and bits by their beginnings.
_FUNCTIONS = """
abs acos acosh all any asin asinh atan atanh barrier ceil clamp cos cosh cross dFdx dFdxCoarse dFdxFine dFdy dFdyCoarse
dFdyFine degrees determinant distance dot equal exp exp2 faceforward findLSB findMSB floor fma fract frexp fwidth
fwidthCoarse fwidthFine greaterThan greaterThanEqual groupMemoryBarrier imulExtended inverse inversesqrt isinf isnan
ldexp length lessThan lessThanEqual log log2 matrixCompMult max min mix mod modf noise1 noise2 noise3 noise4 normalize
not notEqual outerProduct pow radians reflect refract round roundEven sign sin sinh smoothstep sqrt step tan tanh
texelFetch transpose trunc uaddCarry umulExtended usubBorrow
"""
# Words of layouts and of other shading languages, which some compilers keep too.
_OTHERS = (
    "packed row_major column_major std140 std430 hvec2 hvec3 hvec4 sampler2DRect sampler3DRect superp export import"
)
_WORDS = frozenset((*_KEYWORDS.split(), *_FUNCTIONS.split(), *_OTHERS.split()))
_BEGUN = re.compile(
    r"gl_|[biud]?vec[234]$|d?mat[234](?:x[234])?$|[iu]?(?:sampler|texture|image)(?:[123]D|Cube|Buffer|$)|texelFetch"
    r"|texture(?:Size|Query|Lod|Offset|Proj|Grad|Gather|Samples)|image(?:Load|Store|Size|Samples|Atomic)"
    r"|(?:un)?pack[A-Z]|bit(?:Count|field)|atomic[A-Z]|memoryBarrier|(?:float|int|uint)BitsTo|interpolateAt|Emit|End"
)


def is_glsl_word(name: str) -> bool:
    """Whether a name means something in GLSL, or may in a later version."""
    return name in _WORDS or _BEGUN.match(name) is not None or "__" in name


def safe_name(name: str) -> str:
    """Returns a name of another language as GLSL may have it: with an underscore behind one that means something.

    One that begins with `gl_`, which GLSL keeps for itself, gets a beginning instead.
    """
    if name.startswith("gl_"):
        return f"own_{name}"
    return f"{name}_" if is_glsl_word(name) else name
