"""Says which version a text without `#version` is written in, and which precisions it leaves to its engine."""

from __future__ import annotations

import re
from typing import Literal

from texelscope.pipeline.glsl.desktop import least_version
from texelscope.pipeline.glsl.old_words import Stage, own_names

Inferred = Literal["webgl1", "webgl2", "three.js", "desktop"]

# Words that only old versions have, and words that GLSL ES 1.00 has not.
_OLD = re.compile(r"\b(?:gl_FragColor|gl_FragData|texture2D\w*|textureCube\w*|varying|attribute)\b")
_NEW = re.compile(
    r"\b(?:texelFetch|textureSize|textureLod|texture(?=[ \t]*\()|layout(?=[ \t]*\()|uint|uvec[234]"
    r"|[iu]sampler\w+|sampler3D)\b"
    r"|^[ \t]*(?:flat[ \t]+)?(?:in|out)[ \t]+(?:(?:highp|mediump|lowp)[ \t]+)?\w+[ \t]+\w+[ \t]*;",
    re.MULTILINE,
)
# What no WebGL has.
_DESKTOP = re.compile(
    r"\b(?:[iu]?image(?:1D|2D|3D|Buffer|2DArray)|image(?:Load|Store|Size)|textureGather\w*|sampler1D|[iu]?samplerBuffer"
    r"|local_size_[xyz]|dvec[234])\b|\bbuffer\b[^;(){}]{0,200}\{"
)
_COMPUTE = 430
_PRECISION = re.compile(r"\bprecision\s+(?:highp|mediump|lowp)\s+float\s*;")
_FLOAT = re.compile(r"(?P<before>\b\w+\s+)?\b(?:float|vec[234]|mat[234](?:x[234])?)\s+[A-Za-z_]\w*", re.MULTILINE)
_SAMPLER = re.compile(r"(?P<before>\b(?:highp|mediump|lowp)\s+)?\bsampler2D\s+[A-Za-z_]\w*")
_SAMPLER_PRECISION = re.compile(r"\bprecision\s+(?:highp|mediump|lowp)\s+sampler2D\s*;")
_EXPLICIT = ("highp", "mediump", "lowp")


def inferred(bare: str, stage: Stage, beside: str = "") -> tuple[Inferred, str]:
    """Returns the kind of a text without comments and `#version`, and the directive that it runs with.

    A browser takes it as WebGL 1; three.js and pages that put `#version 300 es` in front take it as WebGL 2, three.js
    with the old words beside the new ones. `beside` is the program's other stage, which has the same version.
    """
    if stage == "compute" or _DESKTOP.search(bare):
        return "desktop", f"#version {max(least_version(bare), _COMPUTE if stage == 'compute' else 0)} core"
    both = f"{bare}\n{beside}"
    own = own_names(both)
    is_old = any(match[0] not in own for match in _OLD.finditer(both))
    is_new = any(match[0].strip() not in own for match in _NEW.finditer(both))
    if is_old and not is_new:
        return "webgl1", "#version 100"
    return ("three.js" if is_old else "webgl2"), "#version 300 es"


def needs_precision(bare: str) -> bool:
    """Whether a fragment shader of GLSL ES declares numbers without a precision and no default for them."""
    if _PRECISION.search(bare):
        return False
    found = (match["before"] for match in _FLOAT.finditer(bare))
    return any(before is None or before.strip() not in _EXPLICIT for before in found)


def leaves_samplers_open(bare: str) -> bool:
    """Whether a fragment shader of GLSL ES reads samplers whose precision nothing states, which makes them lowp."""
    found = (match["before"] for match in _SAMPLER.finditer(bare))
    is_open = any(before is None or before.strip() not in _EXPLICIT for before in found)
    return is_open and not _SAMPLER_PRECISION.search(bare)
