"""Translates a shader in ncnn's dialect to a plain compute shader: author's lines stay, ncnn's part comes before.

Vulkan's `#extension`s are removed; its other words are left to `pipeline.glsl.vulkan`. The rest of the dialect is
macros, in `shaders/dialects/ncnn`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection
from functools import cache

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.glsl.assemble import SHADER_FOLDER
from texelscope.pipeline.glsl.comments import without_comments
from texelscope.pipeline.glsl.lines import line_map
from texelscope.pipeline.glsl.ncnn.conditions import decided
from texelscope.pipeline.glsl.ncnn.modes import HALF_TYPES, NcnnMode
from texelscope.pipeline.glsl.versions import version_of
from texelscope.pipeline.plan import ProgramSource

Size = tuple[int, int, int]

_FOLDER = SHADER_FOLDER / "dialects" / "ncnn"
_EXTENSION = re.compile(r"^[ \t]*#[ \t]*extension\b.*$", re.MULTILINE)
_LOCAL_SIZE = re.compile(r"\blocal_size_[xyz]\b")
_COPY_TO_LOCAL = re.compile(r"\bsfp2lfp\s*\(\s*(?P<buffer>\w+)\s*\[")
_STORED = re.compile(r"\b(?:readonly|writeonly)(?=\s+buffer\b)")
# Words of this dialect only: one that no macro defines is a typing error.
_DIALECT = re.compile(
    r"\b(?:(?:sfp|afp|lfp)(?:vec|mat)?\d?|(?:sfp|afp|lfp)2(?:sfp|afp|lfp)\w*|buffer_(?:ld|st|cp|sm)\w*"
    r"|image[123]d_(?:ld|st|cp)\w*|imfmtc\w*|psc|unfp)\b"
)
_GONE = re.compile(r"\b(?:NCNN_image_shader|image[123]d_\w+|sfp2lfp\w*|[sal]fpvec8|\w+_(?:ld|st|cp)8)\b")
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)


def speaks_ncnn(text: str) -> bool:
    """Reports whether a shader's text has words of this dialect only."""
    return _DIALECT.search(without_comments(text)) is not None


def packs_singles(text: str) -> bool:
    """Reports whether a shader uses the dialect since 2026, without images and elempack 8."""
    return _GONE.search(without_comments(text)) is None


def translated(program: ProgramSource, mode: NcnnMode, local_size: Size) -> ProgramSource:
    """Translates the shader (`program.fragment`, includes in place, with `#version`) in that mode to a compute shader.

    A work group has `local_size` invocations unless the text sets them. Raises TexelscopeError, with file and line,
    for an undefined word of the dialect.
    """
    text = decided(program.fragment, mode.macros)
    version = version_of(text)
    assert version is not None
    text = _EXTENSION.sub("", text[: version.start] + " " * (version.stop - version.start) + text[version.stop :])
    if mode.singles_are_halves:
        text = _STORED.sub(lambda match: " " * len(match[0]), _copies_to_local(text))
    supplied = _supplied(mode)
    _check_words(program, text, frozenset(_DEFINED.findall(supplied)))
    size = "" if _LOCAL_SIZE.search(without_comments(text)) else _size(local_size)
    whole = f"{supplied}layout(std430) buffer;\n{size}{text[text.index(chr(10), version.start) + 1 :]}"
    return dataclasses.replace(program.with_fragment(whole), stage="compute")


def _copies_to_local(text: str) -> str:
    """Rewrites `sfp2lfp(buf[i])` as `sfp2lfp_of(buf, i)`: if numbers are halves of a uint, no element is one."""
    made, at = [], 0
    for match in _COPY_TO_LOCAL.finditer(text):
        depth, stop = 1, match.end()
        while stop < len(text) and depth:
            depth += {"[": 1, "]": -1}.get(text[stop], 0)
            stop += 1
        made.append(f"{text[at : match.start()]}sfp2lfp_of({match['buffer']}, {text[match.end() : stop - 1]}")
        at = stop
    return "".join(made) + text[at:]


def _check_words(program: ProgramSource, text: str, known: Collection[str]) -> None:
    defined = {*known, *_DEFINED.findall(text)}
    bare = without_comments(text)
    for match in _DIALECT.finditer(bare):
        if match[0] not in defined:
            path, line = line_map(program)[bare.count("\n", 0, match.start())]
            raise TexelscopeError(
                f"{path}:{line}", "a macro that ncnn's GLSL extension or the shader defines", f"'{match[0]}'",
                nearest(match[0], sorted(known)),
            )  # fmt: skip


def _size(size: Size) -> str:
    return f"layout(local_size_x = {size[0]}, local_size_y = {size[1]}, local_size_z = {size[2]}) in;\n"


def _supplied(mode: NcnnMode) -> str:
    """Returns the text before the author's: version, options, types and functions."""
    extension = f"#extension {HALF_TYPES} : require\n" if mode.has_half_arithmetic else ""
    options = "".join(f"#define {name} {value}\n" for name, value in mode.macros.items())
    parts = [_file("arithmetic"), _file("fp32")]
    if mode.stored != "fp32":
        singles = "fp16_storage" if mode.singles_are_halves else "fp16_packed"
        parts = [_file("arithmetic"), _file("halves"), _file(singles)]
    if mode.has_images:
        single = "r16f" if mode.singles_are_halves else "r32f"
        several = "rgba32f" if mode.stored == "fp32" else "rgba16f"
        precision = "highp" if mode.stored == "fp32" else "mediump"
        kinds = f"#define imfmtc1 {single}\n#define imfmtc4 {several}\n#define unfp {precision}\n"
        parts += [kinds, _file("images")]
    return f"#version 430\n{extension}{options}{decided(''.join(parts), mode.macros)}"


@cache
def _file(name: str) -> str:
    return (_FOLDER / f"{name}.glsl").read_text(encoding="utf-8")
