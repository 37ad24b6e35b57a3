"""Reads a compute shader's bindings without a driver: storage blocks, images, its work group's size.

Conditional compilation is ignored: declarations in either branch count. Qualifiers that are
macros of the text are looked up there.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from texelscope.layouts.outside_text import whole_number
from texelscope.pipeline.glsl.source_text import without_comments

# Formats of images (OpenGL 4.6 core profile specification, table 8.27): the number that GL has for each, and its bytes.
FORMATS: Mapping[str, tuple[int, int]] = {
    "rgba32f": (0x8814, 16), "rgba16f": (0x881A, 8), "rg32f": (0x8230, 8), "rg16f": (0x822F, 4),
    "r11f_g11f_b10f": (0x8C3A, 4), "r32f": (0x822E, 4), "r16f": (0x822D, 2), "rgba16": (0x805B, 8),
    "rgb10_a2": (0x8059, 4), "rgba8": (0x8058, 4), "rg16": (0x822C, 4), "rg8": (0x822B, 2), "r16": (0x822A, 2),
    "r8": (0x8229, 1), "rgba16_snorm": (0x8F9B, 8), "rgba8_snorm": (0x8F97, 4), "rg16_snorm": (0x8F99, 4),
    "rg8_snorm": (0x8F95, 2), "r16_snorm": (0x8F98, 2), "r8_snorm": (0x8F94, 1), "rgba32i": (0x8D82, 16),
    "rgba16i": (0x8D88, 8), "rgba8i": (0x8D8E, 4), "rg32i": (0x823B, 8), "rg16i": (0x8239, 4), "rg8i": (0x8237, 2),
    "r32i": (0x8235, 4), "r16i": (0x8233, 2), "r8i": (0x8231, 1), "rgba32ui": (0x8D70, 16), "rgba16ui": (0x8D76, 8),
    "rgb10_a2ui": (0x906F, 4), "rgba8ui": (0x8D7C, 4), "rg32ui": (0x823C, 8), "rg16ui": (0x823A, 4),
    "rg8ui": (0x8238, 2), "r32ui": (0x8236, 4), "r16ui": (0x8234, 2), "r8ui": (0x8232, 1),
}  # fmt: skip

# Everything has a limit, and words are matched whole, so that reading takes time in proportion to the text.
_SPACE = r"\s{0,99}+"
# Words before and after `buffer` or `uniform`, in any order.
_WORDS = rf"(?:(?:layout{_SPACE}\([^()]{{0,300}}+\)|\w{{1,99}}+){_SPACE}){{0,9}}"
_BLOCK = re.compile(
    rf"(?P<before>{_WORDS})\bbuffer\b{_SPACE}(?P<after>{_WORDS}?)\b(?P<name>[A-Za-z_]\w{{0,99}}+){_SPACE}\{{"
)
# An array of less than four numbers: in std140 each element has the room of four, in std430 those of three.
_ARRAY = re.compile(rf"\b(?P<type>float|int|uint|[iu]?vec[23])\s{{1,99}}+(?P<name>[A-Za-z_]\w{{0,99}}+){_SPACE}\[")
# A member of a block, by its type.
_MEMBER = re.compile(r"\b(?P<type>[A-Za-z_]\w{0,99}+)\s{1,99}+[A-Za-z_]\w{0,99}+\s{0,99}+[^;]{0,200}+;")
_IMAGE = re.compile(
    rf"(?P<before>{_WORDS})\buniform\b{_SPACE}(?P<after>{_WORDS}?)"
    rf"\b(?P<type>[iu]?(?P<kind>image|sampler)(?P<dimensions>[123])D)\s{{1,99}}+(?P<names>[^;{{}}()]{{1,500}}+);"
)
_LOCAL = re.compile(r"\blocal_size_(?P<axis>[xyz])\s{0,99}+=\s{0,99}+(?P<size>[^,()]{1,99}+)[,)]")
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w{1,99})[ \t]+(?P<value>[^\n]{1,300})$", re.MULTILINE)
_CONSTANT = re.compile(r"\bconst\s{1,99}u?int\s{1,99}(?P<name>\w{1,99})\s{0,99}=\s{0,99}(?P<value>\w{1,99})\s{0,99};")
_WHOLE = {
    "int32": frozenset({"int", "ivec2", "ivec3", "ivec4"}),
    "uint32": frozenset({"uint", "uvec2", "uvec3", "uvec4"}),
}
_WORD, _CLOSING, _LINE_END = re.compile(r"\w+"), re.compile(r"\}"), re.compile(r"\n")


@dataclass(frozen=True)
class GappedArray:
    """Describes an array of a storage block whose elements of `type` lie four floats apart; `line` counts from 1."""

    name: str
    type: str
    line: int


@dataclass(frozen=True)
class StorageBlock:
    """Describes a storage block, by its binding name; `line` is the 1-based line of the text with its name.

    `rules` say where its members lie: std140 or std430. `numbers` is `int32` or `uint32` where all its members are such
    whole numbers, or vectors of them; empty for anything else.
    """

    name: str
    line: int
    is_readonly: bool
    is_writeonly: bool
    rules: str = "std430"
    gapped: tuple[GappedArray, ...] = ()
    numbers: str = ""


@dataclass(frozen=True)
class Image:
    """Describes an image, or a sampler, of 1 to 3 dimensions. `format` is empty if the text names none of GL's."""

    name: str
    line: int
    dimensions: int
    is_sampler: bool
    format: str
    is_readonly: bool
    is_writeonly: bool


@lru_cache(maxsize=16)
def blocks_of(text: str) -> Mapping[str, StorageBlock]:
    """Returns the storage blocks that a shader's text declares, by name."""
    bare = without_comments(text)
    lines = _LineNumbers(bare)
    closings = [match.start() for match in _CLOSING.finditer(bare)]
    matches = [*_BLOCK.finditer(bare)]
    found = {}
    for match, behind in zip(matches, [*(each.start("name") for each in matches[1:]), len(bare)], strict=False):
        words = _WORD.findall(match["before"].rpartition(";")[2] + " " + match["after"])
        rules = "std140" if "std140" in words else "std430"
        # A block that is never closed ends where the next one has its name, so that no text is read twice.
        closing = bisect_left(closings, match.end())
        stop = min(behind, closings[closing]) if closing < len(closings) else behind
        gapped = tuple(
            GappedArray(each["name"], each["type"], lines.at(each.start("name")))
            for each in _ARRAY.finditer(bare, match.end(), stop)
            if rules == "std140" or each["type"].endswith("vec3")
        )
        line = lines.at(match.start("name"))
        found[match["name"]] = StorageBlock(
            match["name"], line, "readonly" in words, "writeonly" in words, rules, gapped,
            _numbers_of(bare[match.end() : stop]),
        )  # fmt: skip
    return found


def _numbers_of(members: str) -> str:
    """Returns the type of whole numbers that all members of a block are; empty where one is no such number."""
    types = {match["type"] for match in _MEMBER.finditer(members)}
    for dtype, names in _WHOLE.items():
        if types and types <= names:
            return dtype
    return ""


class _LineNumbers:
    """Knows where the lines of a text end, so that no line is found by counting from its start."""

    def __init__(self, text: str) -> None:
        self._ends = [match.start() for match in _LINE_END.finditer(text)]

    def at(self, offset: int) -> int:
        """Returns the 1-based line of an offset."""
        return bisect_left(self._ends, offset) + 1


@lru_cache(maxsize=16)
def images_of(text: str) -> Mapping[str, Image]:
    """Returns the images and the samplers (1-, 2- and 3-dimensional) that a shader's text declares, by name."""
    bare = without_comments(text)
    macros, lines = _macros(bare), _LineNumbers(bare)
    found = {}
    for match in _IMAGE.finditer(bare):
        written = _WORD.findall(match["before"] + " " + match["after"])
        words = [word for each in written for word in (_WORD.findall(macros[each]) if each in macros else [each])]
        form = next((word for word in words if word in FORMATS), "")
        for name in match["names"].split(","):
            line = lines.at(match.start("names"))
            found[name.strip()] = Image(
                name.strip(), line, int(match["dimensions"]), match["kind"] == "sampler", form,
                "readonly" in words, "writeonly" in words,
            )  # fmt: skip
    return found


def local_size(text: str) -> tuple[int, int, int] | None:
    """Returns invocations of a work group along x, y and z; None where the text does not give them in plain numbers."""
    bare = without_comments(text)
    sizes = {"x": 1, "y": 1, "z": 1}
    numbers = named_numbers(bare)
    matches = list(_LOCAL.finditer(bare))
    for match in matches:
        number = plain_number(match["size"].strip(), numbers)
        if number is None:
            return None
        sizes[match["axis"]] = number
    return (sizes["x"], sizes["y"], sizes["z"]) if matches else None


def named_numbers(bare: str) -> Mapping[str, str]:
    """Returns by name what macros and constants of whole numbers stand for, in a text without comments."""
    return _macros(bare) | {match["name"]: match["value"] for match in _CONSTANT.finditer(bare)}


def plain_number(written: str, numbers: Mapping[str, str]) -> int | None:
    """Returns a whole number that is written out, or by one of the names `numbers`; None for anything else."""
    return whole_number(numbers.get(written, written).strip().rstrip("uU"))


def _macros(bare: str) -> dict[str, str]:
    return {match["name"]: match["value"] for match in _DEFINE.finditer(bare)}
