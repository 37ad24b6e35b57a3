"""Translates Vulkan's GLSL to OpenGL's: rewrites push constants and specialization constants, line by line.

`layout(push_constant) uniform parameter { int w; } p;` becomes a uniform structure, so that `p.w` is a uniform of that
name; without a name at its end each member becomes a uniform. `layout(constant_id = n) const int x = 0;` becomes a
constant with its specialized value. `set = n` and `binding = n` are removed: bindings are found by name. A
storage block without a stated layout is `std430`, as in Vulkan, and not the driver's own. `readonly restrict` before a
uniform block goes away
(GL_KHR_vulkan_glsl; words that OpenGL lacks stay, and the driver reports them).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from texelscope.layouts.outside_text import whole_number
from texelscope.pipeline.glsl.assemble import literal
from texelscope.pipeline.glsl.source_text import without_comments

Constant = int | float | bool

_SPACE = r"\s{0,99}+"
_LAYOUT = re.compile(rf"\blayout{_SPACE}\((?P<inside>[^(){{}};]{{0,500}}+)\)")
_CONSTANT = re.compile(
    rf"{_SPACE}const\s{{1,99}}+(?P<type>\w{{1,99}}+)\s{{1,99}}+(?P<name>\w{{1,99}}+){_SPACE}={_SPACE}(?P<value>[^;]{{1,500}}+);"
)
_PUSHED = re.compile(
    rf"{_SPACE}(?P<uniform>uniform)\s{{1,99}}+(?P<name>\w{{1,99}}+){_SPACE}(?P<open>\{{)"
    rf"(?P<members>[^{{}}]{{0,9999}}+)(?P<close>\}}){_SPACE}(?P<instance>\w{{0,99}}+){_SPACE}(?P<end>;)"
)
_MEMBER = re.compile(r"(?:\w{1,99}+\s{1,99}+){0,4}?(?P<type>\w{1,99}+)\s{1,99}+(?P<names>[^;]{1,999}+);")
_NAME = re.compile(
    r"\s{0,99}+(?P<name>[A-Za-z_]\w{0,99}+)\s{0,99}+(?:\[\s{0,99}+(?P<count>\w{1,99}+)\s{0,99}+\])?\s{0,99}+"
)
_LOCAL = re.compile(r"local_size_(?P<axis>[xyz])_id$")
_AXES = ("local_size_x", "local_size_y", "local_size_z")
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w{1,99})[ \t]+(?P<value>\d{1,9})[ \t]*$", re.MULTILINE)
_PACKING = re.compile(r"\b(?:std430|std140|shared|packed|scalar)\b")
# Qualifiers of memory before a uniform block, which is read only anyway; glslang takes them, OpenGL does not.
_OF_MEMORY = re.compile(
    r"\b(?:(?:readonly|writeonly|restrict|coherent|volatile)\s{1,99}+){1,5}+(?=uniform\s{1,99}+\w{1,99}+\s{0,99}+\{)"
)
# The qualifiers of `buffer` begin at most this far before it.
_BEFORE = 400


@dataclass(frozen=True)
class DeclaredConstant:
    """Describes a push constant or a specialization constant: its `name` in the author's text, and its `uniform`.

    `count` is the array's length, 1 for no array, None where it is no plain number. `line` is that of the text.
    `number` is the `constant_id`, -1 where there is none or it is no plain sum.
    """

    name: str
    uniform: str
    type: str
    count: int | None
    line: int
    number: int = -1


@dataclass(frozen=True)
class GlText:
    """Holds the text for OpenGL, with as many lines, the push constants as uniforms, and what could be specialized."""

    text: str
    push: tuple[DeclaredConstant, ...] = ()
    constants: tuple[DeclaredConstant, ...] = ()


def vulkan_to_gl(text: str, specialization: Mapping[str, Constant]) -> GlText:
    """Returns `text` rewritten; `specialization` by name of a constant, or by its number as text ("233").

    A work group's `local_size_x_id = n` is specialized by `local_size_x`, or by `n`; it is 1 otherwise, as in Vulkan.
    Text without Vulkan's words returns unchanged, but for the numbers of bindings.
    """
    return _Rewriting(text, specialization).run()


class _Rewriting:
    def __init__(self, text: str, specialization: Mapping[str, Constant]) -> None:
        self._text = text
        self._bare = without_comments(text)
        self._given = specialization
        self._defines = {match["name"]: int(match["value"]) for match in _DEFINE.finditer(self._bare)}
        self._edits: list[tuple[int, int, str]] = []
        self._push: list[DeclaredConstant] = []
        self._constants: list[DeclaredConstant] = []

    @cached_property
    def _local_sizes(self) -> dict[str, str]:
        """The sizes of a work group by axis, from all lines; none where two lines say one, as conditions choose it."""
        found: dict[str, str] = {}
        for match in _LAYOUT.finditer(self._bare):
            for word in match["inside"].split(","):
                axis, size = self._local_size(word)
                if axis in found:
                    return {}
                if axis:
                    found[axis] = size
        return found

    def _local_size(self, word: str) -> tuple[str, str]:
        """Returns the axis of a work group that a word sets, and the word for OpenGL; empty for another word."""
        key, _, value = (part.strip() for part in word.partition("="))
        local = _LOCAL.match(key)
        if local is None:
            return (key, word.strip()) if key in _AXES else ("", "")
        axis, number = f"local_size_{local['axis']}", str(self._number(value))
        return axis, f"{axis} = {_written(self._given.get(axis, self._given.get(number, 1)), 'int')}"

    def run(self) -> GlText:
        for match in _LAYOUT.finditer(self._bare):
            words = [word.strip() for word in match["inside"].split(",")]
            keys = [word.partition("=")[0].strip() for word in words]
            if "push_constant" in keys:
                self._blank(match.start(), match.end())
                if (pushed := _PUSHED.match(self._bare, match.end())) is not None:
                    self._pushed(pushed)
            elif "constant_id" in keys:
                self._blank(match.start(), match.end())
                number = self._number(words[keys.index("constant_id")].partition("=")[2])
                if (constant := _CONSTANT.match(self._bare, match.end())) is not None:
                    self._constant(constant, number)
            else:
                self._qualifiers(match, words, keys)
        for match in re.finditer(r"\bbuffer\b(?=[^;{}()]{0,300}\{)", self._bare):
            before = re.split("[;{}]", self._bare[max(match.start() - _BEFORE, 0) : match.start()])[-1]
            if not _PACKING.search(before):
                self._edits.append((match.start(), match.start(), "layout(std430) "))
        for match in _OF_MEMORY.finditer(self._bare):
            self._edits.append((*match.span(), re.sub(r"\S", " ", match[0])))
        return GlText(self._applied(), tuple(self._push), tuple(self._constants))

    def _applied(self) -> str:
        parts, last = [], 0
        for start, stop, new in sorted(self._edits):
            parts += [self._text[last:start], new]
            last = stop
        return "".join([*parts, self._text[last:]])

    def _blank(self, start: int, stop: int) -> None:
        """Blanks text but keeps its line ends."""
        self._edits.append((start, stop, "\n" * self._text.count("\n", start, stop)))

    def _line(self, position: int) -> int:
        return self._text.count("\n", 0, position) + 1

    def _number(self, text: str) -> int:
        """Evaluates a sum of integers, and of macros that are some; -1 for anything else."""
        parts = [part.strip() for part in text.split("+")]
        written = [(part, whole_number(part)) for part in parts]
        known = [self._defines.get(part, -1) if number is None else number for part, number in written]
        return -1 if min(known) < 0 else sum(known)

    def _constant(self, match: re.Match[str], number: int) -> None:
        name, kind = match["name"], match["type"]
        self._constants.append(DeclaredConstant(name, "", kind, 1, self._line(match.start("name")), number))
        value = self._given.get(name, self._given.get(str(number)) if number >= 0 else None)
        if value is not None:
            self._edits.append((match.start("value"), match.end("value"), _written(value, kind)))

    def _pushed(self, match: re.Match[str]) -> None:
        """Returns `uniform struct NAME { … } p;`, or, without `p`, each member a uniform."""
        instance = match["instance"]
        if instance:
            self._edits.append((match.end("uniform"), match.end("uniform"), " struct"))
        else:
            self._blank(match.start("uniform"), match.end("open"))
            self._blank(match.start("close"), match.end("end"))
        for layout in _LAYOUT.finditer(self._bare, match.start("members"), match.end("members")):
            self._blank(*layout.span())
        members = _LAYOUT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), match["members"])
        for member in _MEMBER.finditer(members):
            start = match.start("members") + member.start("type")
            if not instance:
                self._edits.append((start, start, "uniform "))
            for name in member["names"].split(","):
                found = _NAME.fullmatch(name)
                if found is not None:
                    uniform = f"{instance}.{found['name']}" if instance else found["name"]
                    self._push.append(
                        DeclaredConstant(
                            found["name"], uniform, member["type"], self._count(found["count"]), self._line(start)
                        )
                    )

    def _count(self, text: str | None) -> int | None:
        if text is None:
            return 1
        number = whole_number(text)
        return self._defines.get(text) if number is None else number

    def _qualifiers(self, match: re.Match[str], words: list[str], keys: list[str]) -> None:
        """Returns qualifiers without `set` and `binding`, and with a work group's size in numbers."""
        kept = []
        for word, key in zip(words, keys, strict=True):
            local = _LOCAL.match(key)
            if local is not None:
                number = self._number(word.partition("=")[2])
                axis = f"local_size_{local['axis']}"
                self._constants.append(DeclaredConstant(axis, "", "int", 1, self._line(match.start()), number))
                kept.append(self._local_size(word)[1])
            elif key not in ("set", "binding", "input_attachment_index"):
                kept.append(word)
        own = {self._local_size(word)[0] for word in words} - {""}
        if own:
            # OpenGL wants all axes in each line that has one: the others would be 1 there.
            kept += [size for axis, size in self._local_sizes.items() if axis not in own]
        if kept == words:
            return
        lines = "\n" * self._text.count("\n", match.start(), match.end())
        self._edits.append((match.start(), match.end(), (f"layout({', '.join(kept)})" if kept else "") + lines))


def _written(value: Constant, kind: str) -> str:
    """Returns a literal of that type of GLSL."""
    if kind == "bool":
        return literal(bool(value))
    if kind in ("int", "uint"):
        whole = int(value) if math.isfinite(float(value)) else 0
        return f"{whole}u" if kind == "uint" else str(whole)
    return literal(float(value))
