"""Parses the directives of an mpv user shader: those of blocks, and of `//!TEXTURE` and `//!PARAM` sections.

A block's say where it hooks in, what it reads and writes, at which size, when; the others hold numbers of the file, and
numbers that a user may set.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.dialects.mpv.blocks import (
    Border,
    Compute,
    DirectiveName,
    EmbeddedTexture,
    HookBlock,
    HookParameter,
    Offset,
    ParameterType,
    TextureFilter,
)
from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.dialects.mpv.rpn import Expression, expression
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.glsl.source_text import without_comments

_WORD = re.compile(r"(?P<word>[A-Z]+)(?:\s+(?P<rest>.*))?")
_NAME = re.compile(r"[A-Za-z_]\w{0,99}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,2})?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


@dataclass(frozen=True)
class Directive:
    """Holds `//!WORD rest`; `rest` has no spaces around it."""

    word: str
    rest: str
    place: FileLine

    @classmethod
    def of(cls, text: str, place: FileLine) -> Directive:
        """Parses the directive with this text behind `//!`; an unknown word is kept."""
        match = _WORD.fullmatch(text.rstrip())
        return cls(text.rstrip(), "", place) if match is None else cls(match["word"], match["rest"] or "", place)

    def name(self) -> str:
        """Returns the name in it. Raises TexelscopeError for an invalid GLSL name."""
        if not _NAME.fullmatch(self.rest):
            raise self.place.fault(f"a name behind //!{self.word}", f"'{self.rest}'", "Letters, digits and _ alone.")
        return self.rest

    def numbers(self, *counts: int) -> tuple[float, ...]:
        """Returns its numbers, as many as one of `counts`. Raises TexelscopeError for others."""
        words = self.rest.split()
        if len(words) not in counts or not all(_NUMBER.fullmatch(word) for word in words):
            raise self.place.fault(f"{_listed(counts)} behind //!{self.word}", f"'{self.rest}'", "Correct the line.")
        return tuple(float(word) for word in words)

    def whole(self, *counts: int, least: int = 1, most: int = 1 << 14) -> tuple[int, ...]:
        """Returns its whole numbers, `least` … `most`, as many as one of `counts`. Raises TexelscopeError else."""
        words = self.rest.split()
        if len(words) not in counts or not all(_WHOLE.fullmatch(word) and least <= int(word) <= most for word in words):
            wanted = f"{_listed(counts)} from {least} to {most}"
            raise self.place.fault(f"{wanted} behind //!{self.word}", f"'{self.rest}'", "Correct the line.")
        return tuple(int(word) for word in words)

    def unknown(self, section: str, known: tuple[str, ...]) -> TexelscopeError:
        """Returns the error that `section` has no such directive."""
        return self.place.fault(f"a directive of {section}", f"'//!{self.word}'", nearest(self.word, known))


def _listed(counts: tuple[int, ...]) -> str:
    return f"{' or '.join(map(str, counts))} number{'s' if counts != (1,) else ''}"


# The stages at which mpv's renderer runs shaders, in its order.
HOOK_POINTS = (
    "LUMA", "CHROMA", "RGB", "XYZ", "ALPHA", "CHROMA_SCALED", "ALPHA_SCALED", "NATIVE", "MAINPRESUB", "MAIN",
    "LINEAR", "SIGMOID", "PREKERNEL", "POSTKERNEL", "SCALED", "PREOUTPUT", "OUTPUT",
)  # fmt: skip
_HOOK = re.compile(r"\bhook\b")
_ONCE = ("SAVE", "DESC", "OFFSET", "WIDTH", "HEIGHT", "WHEN", "COMPONENTS", "COMPUTE")
_KNOWN = ("HOOK", "BIND", *_ONCE)


def block(directives: Sequence[Directive], body: str, body_line: int) -> HookBlock:
    """Returns the block that begins with these directives; the last of two equal ones counts, as in mpv."""
    place = directives[0].place
    hooks: list[DirectiveName] = []
    binds: list[DirectiveName] = []
    last: dict[str, Directive] = {}
    for each in directives:
        if each.word == "HOOK":
            hooks.append(_hook(each))
        elif each.word == "BIND":
            binds.append(DirectiveName(each.name(), each.place))
        elif each.word in _ONCE:
            last[each.word] = each
        else:
            raise each.unknown("a block", _KNOWN)
    if not hooks:
        raise place.fault("//!HOOK and a plane in every block", "a block without", "For example //!HOOK MAIN.")
    if not _HOOK.search(without_comments(body)):
        got = "one without it" if body.strip() else "nothing"
        raise place.fault("a body with hook() below the directives", got, "Write it, or remove the block.")
    components = last.get("COMPONENTS")
    return HookBlock(
        place=place,
        hooks=tuple(hooks),
        body=body,
        body_line=body_line,
        binds=tuple(binds),
        save=DirectiveName(last["SAVE"].name(), last["SAVE"].place) if "SAVE" in last else None,
        description=last["DESC"].rest if "DESC" in last else "",
        width=_expression(last.get("WIDTH")),
        height=_expression(last.get("HEIGHT")),
        when=_expression(last.get("WHEN")),
        offset=_offset(last.get("OFFSET")),
        components=components.whole(1, most=4)[0] if components is not None else None,
        compute=_compute(last.get("COMPUTE")),
    )


def _hook(directive: Directive) -> DirectiveName:
    if not directive.rest:
        raise directive.place.fault("a plane behind //!HOOK", "none", f"One of {', '.join(HOOK_POINTS)}.")
    if directive.rest not in HOOK_POINTS:
        raise directive.place.fault(
            "a plane that mpv has behind //!HOOK", f"'{directive.rest}'", nearest(directive.rest, HOOK_POINTS)
        )
    return DirectiveName(directive.rest, directive.place)


def _expression(directive: Directive | None) -> Expression | None:
    return expression(directive.rest, directive.place) if directive is not None else None


def _offset(directive: Directive | None) -> Offset:
    if directive is None:
        return Offset()
    if directive.rest == "ALIGN":
        return Offset(aligned=True)
    x, y = directive.numbers(2)
    return Offset(x, y)


def _compute(directive: Directive | None) -> Compute | None:
    if directive is None:
        return None
    numbers = directive.whole(2, 4, most=1024)
    block_size = (numbers[0], numbers[1])
    threads = (numbers[2], numbers[3]) if len(numbers) == 4 else block_size
    return Compute(block_size, threads, directive.place)


_FORMAT = re.compile(r"(?P<lanes>rgba|rgb|rg|r)(?P<bits>8|16|32)(?P<kind>f|hf)?")
_LANES = {"r": 1, "rg": 2, "rgb": 3, "rgba": 4}
# The most texels of an embedded texture: a file of a megabyte cannot hold the digits of more bytes.
_MOST_TEXELS = 1 << 20
# The most numbers of an image that begins empty, and its components: 64 MiB, and what textures hold as they are.
_MOST_STORED = 1 << 24
_IMAGE_LANES = ("r", "rgba")


def decode(text: str, size: tuple[int, int, int], name: str, place: FileLine) -> NDArray[np.float32]:
    """Decodes hexadecimal `text` to float32[depth, height, width, lanes]; unsigned bytes and words map to 0 to 1.

    `size` is width, height, depth. Raises TexelscopeError for an unknown format, for text that is not
    hexadecimal and for too few or too many bytes.
    """
    match = _FORMAT.fullmatch(name)
    if match is None or (match["kind"] is None and match["bits"] == "32"):
        raise place.fault(
            "a FORMAT such as r8, rg16, rgba16f or rgba32f", f"'{name}'", "Choose one that holds its numbers."
        )
    bits, kind = int(match["bits"]), match["kind"]
    if (kind == "f" and bits == 8) or (kind == "hf" and bits != 16):
        raise place.fault("a FORMAT of 16 or 32 bits with f, 16 with hf", f"'{name}'", "For example rgba32f.")
    width, height, depth = size
    lanes = _LANES[match["lanes"]]
    if width * height * depth > _MOST_TEXELS:
        raise place.fault(f"at most {_MOST_TEXELS} texels", f"{width}x{height}x{depth}", "Make SIZE smaller.")
    # mpv's rgba16f has 32 bits per number in the file (the driver rounds it); rgba16hf has halves.
    stored = np.dtype("<f2" if kind == "hf" else "<f4" if kind == "f" else f"<u{bits // 8}")
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        raise place.fault("hexadecimal digits alone behind the directives", "others", "Remove them.") from None
    expected = width * height * depth * lanes * stored.itemsize
    if len(raw) != expected:
        raise place.fault(
            f"{expected} bytes for {width}x{height}x{depth} texels of {name}",
            f"{len(raw)}",
            "Correct SIZE or the data.",
        )
    values = np.frombuffer(raw, stored).astype(np.float32)
    if kind is None:
        values = values / np.float32((1 << bits) - 1)
    return values.reshape(depth, height, width, lanes)


Choice = TypeVar("Choice")

_TEXTURE = ("TEXTURE", "SIZE", "FORMAT", "FILTER", "BORDER", "STORAGE")
_PARAMETER = ("PARAM", "DESC", "TYPE", "MINIMUM", "MAXIMUM")
_FILTERS: dict[str, TextureFilter] = {"LINEAR": "linear", "NEAREST": "nearest"}
_BORDERS: dict[str, Border] = {"CLAMP": "clamp_to_edge", "REPEAT": "repeat"}
_TYPES = ("float", "int", "uint")
_PLAIN_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,2})?")


def embedded_texture(directives: Sequence[Directive], body: str) -> EmbeddedTexture:
    """Returns the texture of a section; its numbers are the hexadecimal `body`."""
    said = _by_word(directives, "//!TEXTURE", _TEXTURE)
    place = directives[0].place
    if "FORMAT" not in said:
        raise place.fault("//!FORMAT in every //!TEXTURE", "none", "For example //!FORMAT rgba32f.")
    sizes = said["SIZE"].whole(1, 2, 3) if "SIZE" in said else (1, 1)
    size = (*sizes, 1, 1)[:3]
    format_ = said["FORMAT"]
    is_storage = "STORAGE" in said
    return EmbeddedTexture(
        name=directives[0].name(),
        place=place,
        dimensions=len(sizes),
        format=format_.rest,
        filter=_choice(said.get("FILTER"), _FILTERS, "linear"),
        border=_choice(said.get("BORDER"), _BORDERS, "clamp_to_edge"),
        texels=_texels(body, (size[0], size[1], size[2]), format_, is_storage=is_storage),
        is_storage=is_storage,
    )


def _texels(body: str, size: tuple[int, int, int], format_: Directive, *, is_storage: bool) -> NDArray[np.float32]:
    """Returns the texels in the file; those of an image that begins without any are 0."""
    if not is_storage:
        return decode(body, size, format_.rest, format_.place)
    match = _FORMAT.fullmatch(format_.rest)
    if size[2] != 1 or match is None or match["lanes"] not in _IMAGE_LANES:
        raise format_.place.fault(
            "an image of two dimensions for //!STORAGE, of one or four components",
            f"'{format_.rest}' of {size[0]}x{size[1]}x{size[2]}", "Choose a FORMAT such as r32f or rgba16f.",
        )  # fmt: skip
    if size[0] * size[1] * _LANES[match["lanes"]] > _MOST_STORED:
        raise format_.place.fault(
            f"at most {_MOST_STORED} numbers in a //!STORAGE", f"{size[0]}x{size[1]}", "Make SIZE smaller."
        )
    if body.strip():
        return decode(body, size, format_.rest, format_.place)
    return np.zeros((1, size[1], size[0], _LANES[match["lanes"]]), np.float32)


def parameter(directives: Sequence[Directive], body: str) -> HookParameter:
    """Returns the parameter of a section; its `body` is the initial value, or the names of an ENUM's values."""
    said = _by_word(directives, "//!PARAM", _PARAMETER)
    first = directives[0]
    name = first.name()
    words = said["TYPE"].rest.split() if "TYPE" in said else []
    qualifiers, kind = words[:-1], words[-1].lower() if words else ""
    if kind not in (*_TYPES, "define") or not set(qualifiers) <= {"DYNAMIC", "CONSTANT", "ENUM"}:
        raise said.get("TYPE", first).place.fault(
            "//!TYPE float, int, uint or DEFINE (DYNAMIC, CONSTANT or ENUM before it)",
            f"'{' '.join(words)}'" if words else "none",
            "Add one.",
        )
    lines = body.split()
    is_enum = "ENUM" in qualifiers
    if is_enum:
        return HookParameter(
            name, first.place, cast(ParameterType, kind), 0.0, 0.0, max(len(lines) - 1.0, 0.0), _description(said),
            is_constant=True, choices=tuple(lines),
        )  # fmt: skip
    if len(lines) != 1 or not _PLAIN_NUMBER.fullmatch(lines[0]):
        raise first.place.fault(
            "one number below the directives of //!PARAM", f"'{' '.join(lines)[:40]}'", "Write the initial value."
        )
    minimum, maximum = (said[word].numbers(1)[0] if word in said else None for word in ("MINIMUM", "MAXIMUM"))
    initial = float(lines[0])
    if (minimum is not None and initial < minimum) or (maximum is not None and initial > maximum):
        lowest, highest = "-inf" if minimum is None else minimum, "inf" if maximum is None else maximum
        raise first.place.fault(
            f"an initial value from {lowest} to {highest}",
            lines[0],
            "Change one of them.",
        )
    constant = "CONSTANT" in qualifiers or kind == "define"
    return HookParameter(
        name, first.place, cast(ParameterType, kind), initial, minimum, maximum, _description(said), constant,
        in_file=initial,
    )  # fmt: skip


def _description(said: dict[str, Directive]) -> str:
    return said["DESC"].rest if "DESC" in said else ""


def _by_word(directives: Sequence[Directive], section: str, known: tuple[str, ...]) -> dict[str, Directive]:
    for each in directives:
        if each.word not in known:
            raise each.unknown(section, known)
    return {each.word: each for each in directives}


def _choice(directive: Directive | None, choices: dict[str, Choice], default: Choice) -> Choice:
    if directive is None:
        return default
    if directive.rest not in choices:
        raise directive.place.fault(
            f"{' or '.join(choices)} behind //!{directive.word}", f"'{directive.rest}'", "Choose one."
        )
    return choices[directive.rest]
