"""Translates GLSL ES for a driver that only has desktop OpenGL's, such as macOS's 4.1 and most of 3.3.

GLSL ES 3.00 was cut from GLSL 3.30, so that little differs: samplers have no precision there, `GL_ES` and `__VERSION__`
mean something else, and a few functions came later. Every replacement has the length of what it replaces, and what is
added stands between the head and a `#line`: lines and columns of a driver's message are those of the author's text.

GLSL ES 1.00, and desktop versions before 1.40, which macOS refuses too, also have old words for inputs, reads and the
output.
"""

from __future__ import annotations

import re

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.lines import directive_at
from texelscope.pipeline.glsl.old_words import Stage, TextCopy, has_old_words, own_names, renew
from texelscope.pipeline.glsl.source_text import head_length, version_of, with_directive, without_comments

# The oldest desktop version that has what ES 3.00 has, but for the functions that `_PACKING` adds.
_LEAST = 330
# Desktop versions before this one are not on macOS.
OLDEST_DESKTOP = 140

_PRECISIONS = r"(?:lowp|mediump|highp)"
# Sampler and image types have no precision before GLSL 4.20.
_OPAQUE = r"[iu]?(?:sampler|image)[1-3CB]\w*"
_OPAQUE_PRECISION = re.compile(rf"\bprecision\s+{_PRECISIONS}\s+{_OPAQUE}\s*;|\b{_PRECISIONS}(?=\s+{_OPAQUE}\b)")
_DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_EXTENSION = re.compile(
    r"^[ \t]*#[ \t]*extension[ \t]+(?P<name>\w+)[ \t]*:[ \t]*(?P<behaviour>\w+)[^\n]*", re.MULTILINE
)
_LINE = re.compile(r"^(?P<head>[ \t]*#[ \t]*line[ \t]+)(?P<line>[0-9]{1,9})", re.MULTILINE)
_LAYOUT = re.compile(r"\blayout\s*\((?P<items>[^);{]{0,999})\)(?P<rest>[^;{=]{0,999})")
_BOUND = re.compile(r"\s*(?:binding|location)\s*=[^,]*")
_WORD = re.compile(r"\b[A-Za-z_]\w*")

# What ES defines, in conditions; desktop GLSL does not define it.
_ES_MACROS = ("GL_ES", "GL_FRAGMENT_PRECISION_HIGH")
# Extensions of ES that are part of the desktop's language, with its first version that has each.
_EXTENSIONS_HELD = {
    "GL_OES_standard_derivatives": 130, "GL_EXT_shader_texture_lod": 130, "GL_EXT_frag_depth": 130,
    "GL_EXT_draw_buffers": 130, "GL_EXT_color_buffer_float": 130, "GL_EXT_color_buffer_half_float": 130,
    "GL_OES_texture_float": 130, "GL_OES_texture_float_linear": 130, "GL_OES_texture_half_float": 130,
    "GL_OES_texture_half_float_linear": 130, "GL_OES_texture_3D": 130, "GL_OES_texture_buffer": 140,
    "GL_EXT_texture_buffer": 140, "GL_OES_texture_storage_multisample_2d_array": 150, "GL_OES_shader_io_blocks": 150,
    "GL_EXT_shader_io_blocks": 150, "GL_EXT_shader_implicit_conversions": 130, "GL_EXT_gpu_shader5": 400,
    "GL_OES_gpu_shader5": 400, "GL_OES_sample_variables": 400, "GL_OES_shader_multisample_interpolation": 400,
    "GL_OES_texture_cube_map_array": 400, "GL_EXT_texture_cube_map_array": 400, "GL_EXT_separate_shader_objects": 410,
    "GL_OES_shader_image_atomic": 420,
}  # fmt: skip
# Of `#extension`, names that desktop OpenGL does not define.
_ES_EXTENSION = re.compile(r"GL_(?:OES|EXT|ANDROID|NV|KHR|QCOM|ARM|IMG|OVR|WEBGL)_\w+")

# Words of ES 3.10 and 3.20 that the desktop's language has from a later version than 3.30 on, by patterns.
_LATER: tuple[tuple[int, re.Pattern[str]], ...] = tuple(
    (version, re.compile(rf"\b(?:{words})\b"))
    for version, words in (
        (400, r"textureGather(?:Offsets?)?|fma|bitfield(?:Extract|Insert|Reverse)|bitCount|find[LM]SB|frexp|ldexp"),
        (400, r"uaddCarry|usubBorrow|[iu]mulExtended|interpolateAt\w+|gl_Sample(?:ID|Position|MaskIn|Mask)|precise"),
        (400, r"(?:un)?pack[US]norm4x8|[iu]?samplerCubeArray(?:Shadow)?"),
        (420, r"[iu]?image(?:2D|3D|Cube|2DArray|Buffer|CubeArray)|image(?:Load|Store|Atomic\w+)|atomic_uint"),
        (420, r"atomicCounter\w*|early_fragment_tests"),
        (430, r"buffer|shared|local_size_[xyz]|imageSize|atomic(?:Add|Min|Max|And|Or|Xor|Exchange|CompSwap)"),
        (450, r"gl_HelperInvocation"),
    )
)
# What no desktop version has.
_NEVER = re.compile(
    r"\b(?:samplerExternalOES|__samplerExternal2DY2YEXT|gl_LastFrag\w+|gl_BoundingBox\w*|blend_support_\w+|gl_ViewID_OVR)\b"
)
# These functions of ES 3.00 came to the desktop in 4.00 and 4.20.
_PACKING = re.compile(r"\b(?:un)?pack(?:[US]norm|Half)2x16\b")


class NoDesktopMeaningError(UnsupportedError):
    """A stage's text uses, in its 0-based line, what the driver's desktop language lacks."""

    def __init__(self, stage: Stage, line: int, got: str, do_next: str) -> None:
        super().__init__(f"a {stage} shader", "a text that this driver can take", got, do_next)
        self.stage, self.line = stage, line


def desktop_version(text: str, stage: Stage, newest: int) -> int:
    """Returns the lowest desktop version, 3.30 or later, that has what an ES text uses.

    `newest` is the driver's. Raises NoDesktopMeaningError for what that lacks.
    """
    version = version_of(text)
    if version is None or not version.is_es:
        return _LEAST
    bare = without_comments(text)
    for match in _NEVER.finditer(bare):
        do_next = "Run it on a device with OpenGL ES."
        line = bare.count("\n", 0, match.start())
        raise NoDesktopMeaningError(stage, line, f"'{match[0]}', which desktop OpenGL has not", do_next)
    for match in _EXTENSION.finditer(bare):
        name, is_needed = match["name"], match["behaviour"] == "require"
        if is_needed and _ES_EXTENSION.fullmatch(name) and _EXTENSIONS_HELD.get(name, newest + 1) > newest:
            reason = f"#extension {name}, which this driver has not ({_told(newest)}, without OpenGL ES)"
            do_next = "Run it on a device with OpenGL ES, or write it without."
            raise NoDesktopMeaningError(stage, bare.count("\n", 0, match.start("name")), reason, do_next)
    if version.number < 310:  # what came later a text of ES 3.00 can only have by definitions of its own
        return _LEAST
    own = own_names(bare)
    needed = 410 if newest >= 410 and _joins_stages(bare, stage) else _LEAST
    for least, words in _LATER:
        for match in words.finditer(bare):
            if match[0] in own:
                continue
            if least > newest:
                reason = f"'{match[0]}', which needs {_told(least)}; this driver has {_told(newest)}"
                do_next = f"Run it on a driver with {_told(least)}, or write it without."
                raise NoDesktopMeaningError(stage, bare.count("\n", 0, match.start()), reason, do_next)
            needed = max(needed, least)
    return needed


def least_version(text: str) -> int:
    """Returns the lowest desktop version, 3.30 or later, that has the words of a text without a version."""
    bare = without_comments(text)
    own = own_names(bare)
    found = (least for least, words in _LATER for match in words.finditer(bare) if match[0] not in own)
    return max((_LEAST, *found))


def as_desktop(text: str, stage: Stage, version: int) -> str:
    """Returns a text of GLSL ES, or of old desktop GLSL, in that desktop version; lines and columns stay."""
    written = version_of(text)
    assert written is not None
    if written.line_offset:
        text = _LINE.sub(lambda match: f"{match['head']}{int(match['line']) + 1}", text)
    # ES 3.00 continues lines, comments too, before anything else; desktop GLSL does from 4.20 on.
    if written.is_es and written.number >= 300 and version < 420:
        text = _joined(text)
    copy = TextCopy.of(text)
    is_old = written.number == 100 or not written.is_es or has_old_words(text, stage)
    if written.is_es:
        copy.replace(_OPAQUE_PRECISION, lambda match: " " * len(match[0]))
        copy.replace(_EXTENSION, lambda match: "" if _ES_EXTENSION.fullmatch(match["name"]) else match[0])
        held = {name for name, least in _EXTENSIONS_HELD.items() if least <= version}
        copy.replace(_DIRECTIVE, lambda match: _as_on_es(match[0], written.number, held))
        copy.replace(re.compile(r"\b__VERSION__\b"), lambda _: str(written.number))
        copy.replace(_LAYOUT, lambda match: _without_places(match, stage, version))
    added = renew(copy, stage) if is_old else []
    if written.is_es and version < 420 and _PACKING.search(copy.bare):
        added.append(read_shader("desktop/packing.glsl").rstrip())
    result = with_directive(copy.text, f"#version {version} core")
    if not added:
        return result
    lines, head = result.split("\n"), head_length(result)
    return "\n".join([*lines[:head], *added, directive_at(result, head).removesuffix(" 0"), *lines[head:]])


def _joined(text: str) -> str:
    """Returns continued lines as one, and as many empty ones behind it as were joined to the first."""
    if "\\\n" not in text and "\\\r\n" not in text:
        return text
    lines, pending, joined = [], 0, ""
    for line in text.split("\n"):
        whole = line.removesuffix("\r")
        if whole.endswith("\\"):
            joined, pending = joined + whole[:-1], pending + 1
            continue
        lines += [joined + line, *[""] * pending]
        joined, pending = "", 0
    return "\n".join([*lines, *([joined] if pending else [])])


def _as_on_es(directive: str, version: int, held: set[str]) -> str:
    """Returns a condition with what ES defines as numbers, which means the same on the desktop; others unchanged."""
    head = re.match(r"[ \t]*#[ \t]*(ifdef|ifndef|if|elif)\b", directive)
    if head is None:
        return directive
    defined = {*_ES_MACROS, *(held if version < 300 else ())}
    single = re.fullmatch(r"([ \t]*#[ \t]*if)(n?def)([ \t]+)(\w+)([ \t]*)", directive)
    if single is not None:
        if single[4] not in defined:
            return directive
        return f"{single[1]} {'1' if single[2] == 'def' else '0'}"

    def number(match: re.Match[str]) -> str:
        return "1".ljust(len(match[0])) if (match[1] or match[2] or match[3]) in defined else match[0]

    return re.sub(r"\bdefined[ \t]*\([ \t]*(\w+)[ \t]*\)|\bdefined[ \t]+(\w+)|\b([A-Za-z_]\w*)", number, directive)


def lowered(text: str, stage: Stage, version: int) -> str:
    """Returns a desktop text in an older version, without bindings and locations that it does not know."""
    copy = TextCopy.of(text)
    copy.replace(_LAYOUT, lambda match: _without_places(match, stage, version))
    return with_directive(copy.text, f"#version {version} core")


def _without_places(match: re.Match[str], stage: Stage, version: int) -> str:
    """Returns a `layout` without bindings and locations that the version does not know; names find them as well."""
    if "uniform" in _WORD.findall(match["rest"]):
        gone = {"binding": version < 420, "location": version < 430}
    else:
        gone = {"location": _joins(match["rest"], stage) and version < 410}
    items = match["items"].split(",")
    kept = [item for item in items if not (_BOUND.fullmatch(item) and gone.get(item.split("=")[0].strip()))]
    if len(kept) == len(items):
        return match[0]
    whole = match[0][: match.start("rest") - match.start()]
    return (f"layout({','.join(kept)})" if kept else "").ljust(len(whole)) + match["rest"]


def _joins_stages(bare: str, stage: Stage) -> bool:
    """Whether locations join the text's inputs to the stage before, or its outputs to the next."""
    return any("location" in match["items"] and _joins(match["rest"], stage) for match in _LAYOUT.finditer(bare))


def _joins(qualifiers: str, stage: Stage) -> bool:
    """Whether a declaration is an input from the stage before, or an output to the next."""
    words = {*_WORD.findall(qualifiers)}
    return (stage == "fragment" and "in" in words) or (stage == "vertex" and "out" in words)


def _told(version: int) -> str:
    return f"OpenGL {version // 100}.{version // 10 % 10}"
