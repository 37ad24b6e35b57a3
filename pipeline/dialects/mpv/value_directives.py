"""The directives of `//!TEXTURE` and `//!PARAM` sections: numbers that the file brings along, or lets a person set."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar, cast

from texelscope.pipeline.dialects.mpv.blocks import Border, EmbeddedTexture, HookParameter, ParameterType, TextureFilter
from texelscope.pipeline.dialects.mpv.texture_data import decode
from texelscope.pipeline.dialects.mpv.words import Directive

Choice = TypeVar("Choice")

_TEXTURE = ("TEXTURE", "SIZE", "FORMAT", "FILTER", "BORDER")
_PARAMETER = ("PARAM", "DESC", "TYPE", "MINIMUM", "MAXIMUM")
_FILTERS: dict[str, TextureFilter] = {"LINEAR": "linear", "NEAREST": "nearest"}
_BORDERS: dict[str, Border] = {"CLAMP": "clamp_to_edge", "REPEAT": "repeat"}
_TYPES = ("float", "int", "uint")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,2})?")


def embedded_texture(directives: Sequence[Directive], body: str) -> EmbeddedTexture:
    """The texture of a section; its numbers are the hexadecimal `body`."""
    said = _by_word(directives, "//!TEXTURE", _TEXTURE)
    place = directives[0].place
    if "FORMAT" not in said:
        raise place.fault("//!FORMAT in every //!TEXTURE", "none", "For example //!FORMAT rgba32f.")
    sizes = said["SIZE"].whole(1, 2, 3) if "SIZE" in said else (1, 1)
    size = (*sizes, 1, 1)[:3]
    format_ = said["FORMAT"]
    return EmbeddedTexture(
        name=directives[0].name(),
        place=place,
        dimensions=len(sizes),
        format=format_.rest,
        filter=_choice(said.get("FILTER"), _FILTERS, "linear"),
        border=_choice(said.get("BORDER"), _BORDERS, "clamp_to_edge"),
        texels=decode(body, (size[0], size[1], size[2]), format_.rest, format_.place),
    )


def parameter(directives: Sequence[Directive], body: str) -> HookParameter:
    """The parameter of a section; its `body` is the value that it begins with, or the names of an ENUM's values."""
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
    if len(lines) != 1 or not _NUMBER.fullmatch(lines[0]):
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
        name, first.place, cast(ParameterType, kind), initial, minimum, maximum, _description(said), constant
    )


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
