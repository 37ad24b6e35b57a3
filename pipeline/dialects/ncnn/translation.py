"""A shader in ncnn's dialect as a plain compute shader: the author's lines where they were, what ncnn supplies before.

Vulkan's words go: a specialization constant becomes a constant with its value, push constants become a uniform `struct`
of the same names, `#extension`s of Vulkan's GLSL are emptied. All else that the dialect has is macros, in
`shaders/dialects/ncnn`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache

from pipeline.dialects.ncnn.conditions import decided
from pipeline.dialects.ncnn.modes import HALF_TYPES, Mode
from pipeline.errors import TexelscopeError, nearest
from pipeline.glsl.assemble import SHADER_FOLDER
from pipeline.glsl.comments import without_comments
from pipeline.glsl.lines import line_map
from pipeline.glsl.versions import version_of
from pipeline.plan import ProgramSource

Size = tuple[int, int, int]

_FOLDER = SHADER_FOLDER / "dialects" / "ncnn"
_CONSTANT = re.compile(
    r"layout\s*\(\s*constant_id\s*=[^)]{1,200}\)\s*const\s+(?P<type>\w+)\s+(?P<name>\w+)\s*=\s*(?P<value>[^;]{1,200});"
)
_PUSHED = re.compile(
    r"layout\s*\(\s*push_constant\s*\)\s*uniform\s+(?P<block>\w+)\s*\{(?P<members>[^}]*)\}\s*(?P<instance>\w+)\s*;"
)
_MEMBER = re.compile(r"(?P<type>\w+)\s+(?P<names>\w+(?:\s*,\s*\w+)*)\s*;")
_EXTENSION = re.compile(r"^[ \t]*#[ \t]*extension\b.*$", re.MULTILINE)
_LOCAL_SIZE = re.compile(r"\blocal_size_[xyz]\b")
_COPY_TO_LOCAL = re.compile(r"\bsfp2lfp\s*\(\s*(?P<buffer>\w+)\s*\[")
_STORED = re.compile(r"\b(?:readonly|writeonly)(?=\s+buffer\b)")
# Words that only this dialect has: one of these that no macro defines is a slip of the pen.
_DIALECT = re.compile(
    r"\b(?:(?:sfp|afp|lfp)(?:vec|mat)?\d?|(?:sfp|afp|lfp)2(?:sfp|afp|lfp)\w*|buffer_(?:ld|st|cp|sm)\w*"
    r"|image[123]d_(?:ld|st|cp)\w*|imfmtc\w*|psc|unfp)\b"
)
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Constant:
    """A specialization constant, with the value that its text gives it, or a push constant; `type` is GLSL's."""

    name: str
    type: str
    default: str = ""


@dataclass(frozen=True)
class Translation:
    """The `program` as GL compiles it, its specialization constants, and its push constants, which are the members of
    the uniform `instance`."""

    program: ProgramSource
    constants: tuple[Constant, ...]
    pushed: tuple[Constant, ...]
    instance: str


def speaks_ncnn(text: str) -> bool:
    """Whether a shader's text has words that only this dialect has."""
    return _DIALECT.search(without_comments(text)) is not None


def translated(
    program: ProgramSource, mode: Mode, constants: Mapping[str, float], local_size: Size, *, only_known: bool = True
) -> Translation:
    """The shader (`program.fragment`, its includes in place, with `#version`) in that mode.

    `constants` are the values of specialization constants by name; those left out keep what the text says. A work
    group has `local_size` invocations unless the text says how many. Raises TexelscopeError, with file and line, for
    a constant that the text does not have and a word of the dialect that nobody defines.
    """
    text = decided(program.fragment, mode.macros)
    version = version_of(text)
    assert version is not None
    found = [Constant(each["name"], each["type"], each["value"]) for each in _CONSTANT.finditer(text)]
    if only_known:
        _check_constants(program, constants, [each.name for each in found])
    text = _CONSTANT.sub(lambda match: _with_value(match, constants), text)
    text, pushed, instance = _with_uniforms(text)
    text = _EXTENSION.sub("", text[: version.start] + " " * (version.stop - version.start) + text[version.stop :])
    if mode.stored == "fp16_storage":
        text = _STORED.sub(lambda match: " " * len(match[0]), _copies_to_local(text))
    supplied = _supplied(mode)
    _check_words(program, text, _names(supplied))
    size = "" if _LOCAL_SIZE.search(without_comments(text)) else _size(local_size)
    whole = f"{supplied}layout(std430) buffer;\n{size}{text[text.index(chr(10), version.start) + 1 :]}"
    made = dataclasses.replace(program.with_fragment(whole), stage="compute")
    return Translation(made, tuple(found), pushed, instance)


def _check_constants(program: ProgramSource, constants: Mapping[str, float], names: Collection[str]) -> None:
    for name in constants:
        if name not in names:
            raise TexelscopeError(
                program.files[0].path, "a specialization constant of the shader", f"'{name}'", nearest(name, names)
            )


def _with_value(match: re.Match[str], constants: Mapping[str, float]) -> str:
    name, kind = match["name"], match["type"]
    value = match["value"]
    if name in constants:
        value = repr(float(constants[name])) if kind in ("float", "double") else str(int(constants[name]))
    return f"const {kind} {name} = {value};"


def _with_uniforms(text: str) -> tuple[str, tuple[Constant, ...], str]:
    match = _PUSHED.search(text)
    if match is None:
        return text, (), ""
    members = without_comments(match["members"])
    pushed = [
        Constant(name.strip(), each["type"]) for each in _MEMBER.finditer(members) for name in each["names"].split(",")
    ]
    written = f"uniform struct {match['block']}{text[text.index('{', match.start()) : match.end()]}"
    lost = text.count("\n", match.start(), match.end()) - written.count("\n")
    return text[: match.start()] + written + "\n" * lost + text[match.end() :], tuple(pushed), match["instance"]


def _copies_to_local(text: str) -> str:
    """`sfp2lfp(buf[i])` as `sfp2lfp_of(buf, i)`: where numbers are halves of a uint, no value of the array is one."""
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


def _supplied(mode: Mode) -> str:
    """What stands before the author's text: version, options, types and functions."""
    extension = f"#extension {HALF_TYPES} : require\n" if mode.has_half_arithmetic else ""
    options = "".join(f"#define {name} {value}\n" for name, value in mode.macros.items())
    parts = [_file("arithmetic"), _file("fp32")]
    if mode.stored != "fp32":
        parts = [_file("arithmetic"), _file("halves"), _file(mode.stored)]
    if mode.has_images:
        single = "r16f" if mode.stored == "fp16_storage" else "r32f"
        several = "rgba32f" if mode.stored == "fp32" else "rgba16f"
        precision = "highp" if mode.stored == "fp32" else "mediump"
        kinds = f"#define imfmtc1 {single}\n#define imfmtc4 {several}\n#define unfp {precision}\n"
        parts += [kinds, _file("images")]
    return f"#version 430\n{extension}{options}{''.join(parts)}"


def _names(supplied: str) -> frozenset[str]:
    return frozenset(_DEFINED.findall(supplied))


@cache
def _file(name: str) -> str:
    return (_FOLDER / f"{name}.glsl").read_text(encoding="utf-8")
