"""Parses the text of an mpv user shader into blocks, as mpv and libplacebo do.

A file is a sequence of sections. Each begins with directives, lines that begin with `//!`, and ends before the next;
text before the first is a comment. `//!TEXTURE` and `//!PARAM` first in a section name its kind; every other
section is a block.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from texelscope.pipeline.dialects.mpv.blocks import EmbeddedTexture, HookBlock, HookParameter, UserShader
from texelscope.pipeline.dialects.mpv.directives import Directive, block, embedded_texture, parameter
from texelscope.pipeline.dialects.mpv.first_interface import block_of
from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.errors import TexelscopeError

_MAGIC = "//!"
# Sections of libplacebo that are not supported.
# Where a shader without blocks belongs.
_ELSE = "A shader of another kind is a pass of a pipeline.toml, which names it as its 'shader'."
_FOREIGN = ("BUFFER", "VAR", "STORAGE")


@dataclass(frozen=True)
class _Section:
    directives: tuple[Directive, ...]
    body: str
    body_line: int


def parse(text: str, file: str) -> UserShader:
    """Parses the blocks, textures and parameters of a file that errors call `file`.

    Raises TexelscopeError with file and line for an unknown directive, a malformed one, a block without a
    hook, and a duplicate name.
    """
    blocks: list[HookBlock] = []
    textures: list[EmbeddedTexture] = []
    parameters: list[HookParameter] = []
    for section in _sections(text, file):
        first = section.directives[0]
        if first.word == "TEXTURE":
            textures.append(embedded_texture(section.directives, section.body))
        elif first.word == "PARAM":
            parameters.append(parameter(section.directives, section.body))
        elif first.word in _FOREIGN:
            raise first.place.fault(
                "blocks, //!TEXTURE and //!PARAM", f"//!{first.word}", "Sections of libplacebo's alone do not run here."
            )
        else:
            blocks.append(block(section.directives, section.body, section.body_line))
    if not blocks and not textures and not parameters and (old := block_of(text, file)) is not None:
        return UserShader(file, text, (old,))
    if not blocks:
        raise TexelscopeError(file, "an mpv user shader, a block with //!HOOK", "none", _ELSE)
    _check_names(textures, parameters)
    shader = UserShader(file, text, tuple(blocks), tuple(textures), tuple(parameters))
    for each in blocks:
        for expression in (each.width, each.height, each.when):
            if expression is not None:
                expression.check_variables(shader.numbers)
    return shader


def _sections(text: str, file: str) -> Iterator[_Section]:
    start = text.find(_MAGIC)
    line = text.count("\n", 0, max(start, 0)) + 1
    while start >= 0:
        directives = []
        while text.startswith(_MAGIC, indented := _unindented(text, start)):
            end = text.find("\n", indented)
            end = len(text) if end < 0 else end
            directives.append(Directive.of(text[indented + len(_MAGIC) : end], FileLine(file, line)))
            start, line = end + 1, line + 1
        stop = text.find(_MAGIC, start)
        body = text[start : stop if stop >= 0 else len(text)]
        yield _Section(tuple(directives), body, line)
        line += body.count("\n")
        start = stop


def _unindented(text: str, start: int) -> int:
    while start < len(text) and text[start] in " \t\r":
        start += 1
    return start


def _check_names(textures: list[EmbeddedTexture], parameters: list[HookParameter]) -> None:
    seen: dict[str, FileLine] = {}
    named: list[EmbeddedTexture | HookParameter] = [*textures, *parameters]
    for each in named:
        if each.name in seen:
            raise each.place.fault(
                "a unique name", f"'{each.name}', which line {seen[each.name].line} has", "Rename one."
            )
        seen[each.name] = each.place
