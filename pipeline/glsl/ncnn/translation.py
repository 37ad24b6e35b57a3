"""Translates a shader in ncnn's dialect to a plain compute shader: author's lines stay, ncnn's part comes before.

Vulkan's `#extension`s are removed; its other words are left to `pipeline.glsl.vulkan`. The rest of the dialect is
macros, in `shaders/dialects/ncnn`.

A mode's part of the shader is selected: `#if`s over ncnn's macros are decided, and the lines of other branches become
blank. A driver's preprocessor would do the same; it is done here so that analyses of the text (bindings, reads) see
the mode's branch alone. Conditions with any other name are left to the driver.
"""

from __future__ import annotations

import dataclasses
import operator as operators
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache

from texelscope.layouts.outside_text import whole_number
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.glsl.assemble import SHADER_FOLDER
from texelscope.pipeline.glsl.lines import line_map
from texelscope.pipeline.glsl.ncnn.modes import HALF_TYPES, NcnnMode
from texelscope.pipeline.glsl.source_text import version_of, without_comments
from texelscope.pipeline.plan import ProgramSource

_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(?P<name>if|ifdef|ifndef|elif|else|endif)\b(?P<rest>.*)", re.DOTALL)
_TOKEN = re.compile(r"\s*(?:(?P<number>\d+)[uU]?|(?P<name>[A-Za-z_]\w*)|(?P<operator>&&|\|\||[=!<>]=|[-+*/%<>!()&]))")
_OWN = re.compile(r"(?:NCNN_|ncnn_)\w+")
_LEVELS = (("||",), ("&&",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))
_OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "&": operators.and_, "==": operators.eq, "!=": operators.ne, "<": operators.lt, ">": operators.gt,
    "<=": operators.le, ">=": operators.ge, "+": operators.add, "-": operators.sub, "*": operators.mul,
    "/": operators.floordiv, "%": operators.mod,
}  # fmt: skip
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


@dataclass
class _Branches:
    """An open `#if`. `is_ours` says that it is decided here; `is_done` that a branch was taken."""

    is_ours: bool
    stands: bool
    is_done: bool


def decided(text: str, macros: Mapping[str, int]) -> str:
    """Returns `text` with blank lines for branches that `macros` exclude; unknown macros of ncnn are 0."""
    stack: list[_Branches] = []
    out = []
    for line, bare in zip(text.split("\n"), without_comments(text).split("\n"), strict=True):
        match = _DIRECTIVE.match(bare)
        if match is None:
            out.append(line if all(each.stands for each in stack) else "")
            continue
        outer = all(each.stands for each in stack[: -1 if match["name"] in ("elif", "else", "endif") else None])
        mine = _directive(match["name"], match["rest"], stack, macros)
        out.append("" if mine or not outer else line)
    return "\n".join(out)


def _directive(name: str, rest: str, stack: list[_Branches], macros: Mapping[str, int]) -> bool:
    """Handles a directive; returns whether it was decided here, so that its line is blanked too."""
    if name in ("if", "ifdef", "ifndef"):
        value = _value(rest if name == "if" else f"defined({rest.strip()})", macros)
        if name == "ifndef" and value is not None:
            value = not value
        stack.append(_Branches(value is not None, value is None or bool(value), bool(value)))
        return value is not None
    if not stack:
        return False
    last = stack[-1]
    if not last.is_ours:
        if name == "endif":
            stack.pop()
        return False
    if name == "endif":
        stack.pop()
    else:
        value = 1 if name == "else" else _value(rest, macros)
        last.stands = not last.is_done and bool(value)
        last.is_done = last.is_done or last.stands
    return True


def _value(text: str, macros: Mapping[str, int]) -> int | None:
    """Evaluates the condition; None if it has names that are not ncnn's, or is unsupported."""
    tokens, position = [], 0
    text = text.strip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            return None
        tokens.append(match[match.lastgroup or 0])
        position = match.end()
    names = [token for token in tokens if re.match(r"[A-Za-z_]", token) and token != "defined"]
    if not names or not all(_OWN.fullmatch(name) for name in names):
        return None
    parser = _Parser(tokens, macros)
    try:
        value = parser.level(0)
    except (IndexError, ValueError, ZeroDivisionError):
        return None
    return value if parser.at == len(tokens) else None


@dataclass
class _Parser:
    """Parses with the precedence of the preprocessor (GLSL 4.60, section 3.3)."""

    tokens: list[str]
    macros: Mapping[str, int]
    at: int = 0

    def level(self, number: int) -> int:
        if number == len(_LEVELS):
            return self.single()
        value = self.level(number + 1)
        while self.at < len(self.tokens) and self.tokens[self.at] in _LEVELS[number]:
            operator = self.tokens[self.at]
            self.at += 1
            value = _applied(operator, value, self.level(number + 1))
        return value

    def single(self) -> int:
        token = self.tokens[self.at]
        self.at += 1
        if token == "!":
            return int(not self.single())
        if token == "-":
            return -self.single()
        if token == "(":
            value = self.level(0)
            self._expect(")")
            return value
        if token == "defined":
            has_parentheses = self.tokens[self.at] == "("
            name = self.tokens[self.at + has_parentheses]
            self.at += 1 + has_parentheses
            if has_parentheses:
                self._expect(")")
            return int(name in self.macros)
        number = whole_number(token)
        return self.macros.get(token, 0) if number is None else number

    def _expect(self, token: str) -> None:
        if self.tokens[self.at] != token:
            raise ValueError(token)
        self.at += 1


def _applied(operator: str, left: int, right: int) -> int:
    if operator == "||":
        return int(bool(left or right))
    if operator == "&&":
        return int(bool(left and right))
    return int(_OPERATORS[operator](left, right))


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
