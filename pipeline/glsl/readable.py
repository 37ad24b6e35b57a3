"""Rewrites a generated shader as a person would have written it: numbers instead of constants, the formula at the top.

`pipeline.glsl.assemble.assemble` writes for a driver and for `#line`; this removes from its text what only that
needs. Both versions compute the same, operation by operation, but for products with 1 and sums with 0.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from texelscope.pipeline.glsl.assemble import without_title
from texelscope.pipeline.glsl.lines import pieces
from texelscope.pipeline.glsl.source_text import leading_comment
from texelscope.pipeline.plan import ProgramSource

_UNIFORM = re.compile(r"^uniform sampler2D (?P<name>\w+);$", re.MULTILINE)
_SCALAR = re.compile(r"^const (?:int|float|bool) (?P<name>\w+) = (?P<value>[^;{}]+);\n", re.MULTILINE)
_SHAPE = re.compile(r"^const ivec4 (?P<name>\w+) = ivec4\((?P<values>[^)]*)\);\n", re.MULTILINE)
_FLAG = re.compile(r"^#define (?P<name>HAS_\w+)\n", re.MULTILINE)
_CONDITION = re.compile(
    r"^#if(?P<negated>n?)def (?P<name>HAS_\w+)\n(?P<then>(?:(?!^#)[^\n]*\n)*?)"
    r"(?:#else\n(?P<otherwise>(?:(?!^#)[^\n]*\n)*?))?#endif\n",
    re.MULTILINE,
)
_LOCAL = re.compile(r"^(?P<indent> +)int (?P<name>\w+) = (?P<value>\d+);\n", re.MULTILINE)

# Arithmetic that constants leave behind; each rule holds for any value of the rest.
_START = r"(?:(?<=[(=])|(?<=[(=,] ))"  # of an expression, so that nothing binds it from the left
_NO_EFFECT = (
    (re.compile(rf"{_START}\w+(?:\.\w+)? % 1(?![\w.])"), "0"),
    (re.compile(rf"{_START}0 \* \w+(?:\.\w+)?(?= [-+]|[,;)])"), "0"),
    (re.compile(rf"{_START}0 \+ "), ""),
    (re.compile(r" \+ \w+(?:\.\w+)? % 1(?![\w.])"), ""),
    (re.compile(r"(?<![\w\])])\((\d+)\)"), r"\1"),
    (re.compile(r" [*/] 1(?![\w.])"), ""),
    (re.compile(r" [*/] ivec2\(1, 1\)"), ""),
    (re.compile(r" [-+] ivec2\(0, 0\)"), ""),
    (re.compile(r" [-+] 0(?![\w.])(?! ?[*/%])"), ""),
    (re.compile(r"(?<=[:=] )\((compute\(at\))\)(?=;)"), r"\1"),
)


@dataclass(frozen=True)
class _Parts:
    before: str
    files: tuple[tuple[int, str], ...]
    after: str


def readable(program: ProgramSource, title: Sequence[str], notes: dict[str, str], output_channels: int) -> str:
    """Rewrites the fragment shader of a program of `pipeline.glsl.assemble.assemble`.

    `title` are lines of comment for the top, `notes` describe each sampler's content, `output_channels` is C of
    the output, which bounds `at.y`.
    """
    parts = _split(without_title(program.fragment))
    formulas, bodies = [], []
    for number, text in parts.files:
        comment, rest = leading_comment(text)
        is_own = not program_path(program, number).startswith("shaders/functions/")
        if comment and is_own:
            formulas.append(comment.strip())
            text = rest
        bodies.append(text.strip())
    head, _, declarations = parts.before.partition("\n")
    text = "\n\n".join([declarations.strip(), *bodies, parts.after.strip()]) + "\n"
    text = _simplified(_without_constants(_resolved(text)), output_channels)
    uniforms = [f"uniform sampler2D {name};    // {notes[name]}" for name in _UNIFORM.findall(text)]
    text = _spaced(_UNIFORM.sub("", text))
    comments = [*(f"// {line}" for line in title), "//", *formulas]
    return "\n".join([head, *comments, "", *uniforms, "", text.strip()]) + "\n"


def program_path(program: ProgramSource, number: int) -> str:
    """Returns the path of the program's file of that source-string number."""
    return next(file.path for file in program.files if file.number == number)


def _split(fragment: str) -> _Parts:
    """Splits text into the part before the files, the files with their numbers, and the rest."""
    before, *files, after = pieces(fragment)
    return _Parts(before[1], tuple(files), after[1])


def _resolved(text: str) -> str:
    """Decides `#ifdef HAS_…`; nested ones from the inside out."""
    flags = set(_FLAG.findall(text))
    text = _FLAG.sub("", text)

    def chosen(match: re.Match[str]) -> str:
        holds = (match["name"] in flags) != bool(match["negated"])
        return match["then"] if holds else match["otherwise"] or ""

    while _CONDITION.search(text):
        text = _CONDITION.sub(chosen, text)
    return text


def _without_constants(text: str) -> str:
    """Replaces scalar constants and components of shapes by numbers; constants still named keep their declarations."""
    for match in _SCALAR.finditer(text):
        value = f"({match['value']})" if match["value"].startswith("-") else match["value"]
        text = re.sub(rf"(?<!\.)\b{match['name']}\b", value, text.replace(match[0], ""))
    for match in _SHAPE.finditer(text):
        name, values = match["name"], match["values"].split(", ")
        rest = text.replace(match[0], "")
        for component, value in zip("xyzw", values, strict=True):
            rest = re.sub(rf"\b{name}\.{component}\b", value, rest)
        text = rest if not re.search(rf"\b{name}\b", rest) else match[0] + rest
    return text


def _simplified(text: str, output_channels: int) -> str:
    """Removes arithmetic without effect, repeatedly until nothing changes."""

    def group_of_channel(match: re.Match[str]) -> str:
        return "0" if int(match[1]) >= output_channels else match[0]

    before = ""
    while before != text:
        before = text
        text = re.sub(r"\(at\.y / (\d+)\) \* \d+", group_of_channel, text)
        for pattern, replacement in _NO_EFFECT:
            text = pattern.sub(replacement, text)
        text = _inlined(text)
    return text


def _inlined(text: str) -> str:
    """Inlines local integers that never change: from their line to the end of their block."""
    for match in _LOCAL.finditer(text):
        name = match["name"]
        closing = re.compile(rf"^ {{0,{len(match['indent']) - 1}}}}}", re.MULTILINE).search(text, match.end())
        end = closing.start() if closing is not None else len(text)
        block = text[match.end() : end]
        is_changed = re.search(rf"\b{name}\b\s*(?:[-+*/%]?=(?!=)|\+\+|--)|(?:\+\+|--)\s*{name}\b", block)
        if is_changed is None:
            block = re.sub(rf"(?<!\.)\b{name}\b", match["value"], block)
            return text[: match.start()] + block + text[end:]
    return text


def _spaced(text: str) -> str:
    """Puts one blank line between functions, none inside runs of one-line accessors."""
    text = re.sub(r"^}\n(?=\S)", "}\n\n", text, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", text)
