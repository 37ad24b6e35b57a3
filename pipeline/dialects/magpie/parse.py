"""Parses the text of a Magpie effect, as Magpie does: its header, then parameters, textures, samplers and passes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import TypeVar

from texelscope.pipeline.dialects.magpie.effect import (
    FORMATS,
    INPUT,
    OUTPUT,
    DeclaredPass,
    DeclaredSampler,
    DeclaredTexture,
    EffectSection,
    MagpieEffect,
)
from texelscope.pipeline.dialects.magpie.sections import MagpieDirective, MagpieSection, sections_of
from texelscope.pipeline.dialects.magpie.sizes import size_expression
from texelscope.pipeline.dialects.mpv.blocks import HookParameter
from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.plan import Filter, Wrap

# Earlier versions have other directives and other functions.
VERSIONS = ("3", "4")
_DECLARATION = re.compile(r"\s*(?P<type>\w+)\s+(?P<name>[A-Za-z_]\w{0,99})\s*;\s*$")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,2})?f?")
_WHOLE = re.compile(r"[0-9]{1,5}")
_MOST_INVOCATIONS = 1024
_FILTERS: dict[str, Filter] = {"POINT": "nearest", "LINEAR": "linear"}
_WRAPS: dict[str, Wrap] = {"CLAMP": "clamp_to_edge", "WRAP": "repeat"}
_MOST_WRITTEN = 8
Declared = TypeVar("Declared", DeclaredTexture, DeclaredSampler, HookParameter)


def parse(text: str, file: str) -> MagpieEffect:
    """Parses an effect that errors call `file`. Raises TexelscopeError, with the line, for what Magpie refuses."""
    header, *sections = sections_of(text, file)
    uses = _checked_header(header)
    textures = _named(_texture(each) for each in sections if each.first.word == "TEXTURE")
    samplers = _named(_sampler(each) for each in sections if each.first.word == "SAMPLER")
    parameters = _named(_parameter(each) for each in sections if each.first.word == "PARAMETER")
    _check_unique([*parameters.values(), *textures.values(), *samplers.values()])
    for name in (INPUT, OUTPUT):
        textures.setdefault(name, DeclaredTexture(name, header.place))
    passes = [_pass(each) for each in sections if each.first.word == "PASS"]
    if not passes:
        raise header.place.fault("at least one //!PASS", "none", "Add one.")
    passes.sort(key=lambda each: each.number)
    for wanted, each in enumerate(passes, 1):
        if each.number != wanted:
            raise each.place.fault(f"//!PASS {wanted}", f"//!PASS {each.number}", "Number the passes from 1 on.")
    _check_textures(passes, textures)
    return MagpieEffect(
        path=file,
        text=text,
        textures=MappingProxyType(textures),
        samplers=MappingProxyType(samplers),
        parameters=tuple(parameters.values()),
        common=tuple(_common(each) for each in sections if each.first.word == "COMMON"),
        passes=tuple(passes),
        has_multiply_add="MULADD" in uses,
        has_frames=bool(uses & {"DYNAMIC", "_DYNAMIC"}),
    )


def _checked_header(header: MagpieSection) -> frozenset[str]:
    """Returns what the header says that the effect uses."""
    version = header.needed("VERSION")
    if version.rest not in VERSIONS:
        raise version.fault(f"{' or '.join(VERSIONS)}", "Take the effect's version for Magpie 0.10 or later.")
    uses = header.others["USE"].words() if "USE" in header.others else ()
    own = {"USE_DYNAMIC", "USE_MULADD"} & header.others.keys()
    return frozenset((*(each.upper() for each in uses), *(each.removeprefix("USE_") for each in own)))


def _named(found: Iterable[Declared]) -> dict[str, Declared]:
    named: dict[str, Declared] = {}
    for each in found:
        if each.name in named:
            raise _twice(each.name, each.place, named[each.name].place)
        named[each.name] = each
    return named


def _check_unique(named: Sequence[DeclaredTexture | DeclaredSampler | HookParameter]) -> None:
    seen: dict[str, FileLine] = {}
    for each in named:
        if each.name in seen:
            raise _twice(each.name, each.place, seen[each.name])
        seen[each.name] = each.place


def _twice(name: str, place: FileLine, before: FileLine) -> TexelscopeError:
    return place.fault("a unique name", f"'{name}', which line {before.line} has", "Rename one.")


def _declared(section: MagpieSection, *types: str) -> tuple[str, str]:
    """Returns type and name of what is declared below the directives."""
    match = _DECLARATION.fullmatch(without_comments(section.body.text))
    if match is None or match["type"] not in types:
        got = " ".join(section.body.text.split())[:60] or "nothing"
        expected = " or ".join(f"'{each} NAME;'" for each in types)
        raise FileLine(section.place.file, section.body.line).fault(expected, f"'{got}'", "Correct the declaration.")
    return match["type"], match["name"]


def _texture(section: MagpieSection) -> DeclaredTexture:
    section.check("WIDTH", "HEIGHT", "FORMAT", "SOURCE")
    _, name = _declared(section, "Texture2D")
    others = section.others
    if ("WIDTH" in others) != ("HEIGHT" in others):
        raise section.place.fault("both //!WIDTH and //!HEIGHT", "one of them", "Give the other one too.")
    wrong = {INPUT: others.keys(), OUTPUT: others.keys() & {"FORMAT", "SOURCE"}}.get(name)
    if wrong:
        word = next(iter(wrong))
        raise others[word].place.fault(f"no //!{word} for {name}", f"'{others[word].rest}'", "Remove the line.")
    if name in (INPUT, OUTPUT):
        pass
    elif "SOURCE" not in others:
        section.needed("FORMAT")
        section.needed("WIDTH")
    elif "WIDTH" in others:
        raise others["WIDTH"].place.fault("//!SOURCE without a size", "both", "Remove the size: the file has one.")
    form = others.get("FORMAT")
    if form is not None and form.rest not in FORMATS:
        raise form.place.fault("a format of textures", f"'{form.rest}'", nearest(form.rest, FORMATS))
    width, height = (
        size_expression(others[word].rest, others[word].place) if word in others else None
        for word in ("WIDTH", "HEIGHT")
    )
    return DeclaredTexture(
        name,
        section.place,
        width,
        height,
        FORMATS[form.rest] if form is not None else None,
        others["SOURCE"].rest if "SOURCE" in others else "",
    )


def _sampler(section: MagpieSection) -> DeclaredSampler:
    section.check("FILTER", "ADDRESS")
    _, name = _declared(section, "SamplerState")
    filter_ = section.needed("FILTER")
    if filter_.rest.upper() not in _FILTERS:
        raise filter_.fault("POINT or LINEAR")
    wrap = section.others.get("ADDRESS")
    if wrap is not None and wrap.rest.upper() not in _WRAPS:
        raise wrap.fault("CLAMP or WRAP")
    address = _WRAPS[wrap.rest.upper()] if wrap is not None else "clamp_to_edge"
    return DeclaredSampler(name, section.place, _FILTERS[filter_.rest.upper()], address)


def _parameter(section: MagpieSection) -> HookParameter:
    section.check("LABEL", "DEFAULT", "MIN", "MAX", "STEP")
    kind, name = _declared(section, "float", "int")
    initial, low, high = (_number(section.needed(word), kind) for word in ("DEFAULT", "MIN", "MAX"))
    if not low <= initial <= high:
        raise section.others["DEFAULT"].fault(f"a number from {low:g} to {high:g}")
    label = section.others["LABEL"].rest if "LABEL" in section.others else ""
    return HookParameter(
        name, section.place, "float" if kind == "float" else "int", initial, low, high, label, in_file=initial
    )


def _number(directive: MagpieDirective, kind: str) -> float:
    is_number = _NUMBER.fullmatch(directive.rest) is not None
    number = float(directive.rest.rstrip("f")) if is_number else 0.0
    if not is_number or (kind == "int" and not number.is_integer()):
        raise directive.fault("a number" if kind == "float" else "a whole number")
    return number


def _common(section: MagpieSection) -> EffectSection:
    section.check()
    return section.body


def _pass(section: MagpieSection) -> DeclaredPass:
    section.check("IN", "OUT", "BLOCK_SIZE", "NUM_THREADS", "STYLE", "DESC")
    others = section.others
    number = section.first
    if not _WHOLE.fullmatch(number.rest):
        raise number.fault("a number")
    style = others.get("STYLE")
    if style is not None and style.rest not in ("PS", "CS"):
        raise style.fault("PS or CS")
    is_drawn = style is not None and style.rest == "PS"
    block, threads = None, None
    if is_drawn:
        for word in others.keys() & {"BLOCK_SIZE", "NUM_THREADS"}:
            raise others[word].place.fault("none with //!STYLE PS", f"//!{word}", "Remove one of the two.")
    else:
        sizes = _wholes(section.needed("BLOCK_SIZE"), 2)
        block = (sizes[0], sizes[-1])
        counts = (*_wholes(section.needed("NUM_THREADS"), 3), 1, 1)
        threads = (counts[0], counts[1], counts[2])
        if threads[0] * threads[1] * threads[2] > _MOST_INVOCATIONS:
            raise others["NUM_THREADS"].fault(f"at most {_MOST_INVOCATIONS} invocations")
    return DeclaredPass(
        number=int(number.rest),
        place=section.place,
        reads=section.needed("IN").words(),
        writes=section.needed("OUT").words(),
        body=section.body,
        block=block,
        threads=threads,
        description=others["DESC"].rest if "DESC" in others else "",
    )


def _wholes(directive: MagpieDirective, most: int) -> tuple[int, ...]:
    words = directive.words()
    if len(words) > most or not all(_WHOLE.fullmatch(each) and int(each) for each in words):
        raise directive.fault(f"1 to {most} whole numbers from 1 on")
    return tuple(map(int, words))


def _check_textures(passes: Sequence[DeclaredPass], textures: dict[str, DeclaredTexture]) -> None:
    """Raises TexelscopeError for a texture that a pass cannot read or write."""
    for each in passes:
        is_last = each is passes[-1]
        for name in (*each.reads, *each.writes):
            if name not in textures:
                raise each.place.fault("a texture of the effect", f"'{name}'", nearest(name, textures))
        if OUTPUT in each.reads:
            raise each.place.fault("another texture than OUTPUT behind //!IN", "OUTPUT", "Read what was written to it.")
        both = [name for name in each.writes if name in each.reads]
        repeated = both or [name for name in each.writes if each.writes.count(name) > 1]
        if repeated:
            got = f"'{repeated[0]}' twice"
            raise each.place.fault("textures that a pass reads or writes once", got, "Write to another texture.")
        if len(each.writes) > _MOST_WRITTEN:
            raise each.place.fault(
                f"at most {_MOST_WRITTEN} textures behind //!OUT", f"{len(each.writes)}", "Split it."
            )
        if is_last != (each.writes == (OUTPUT,)):
            raise each.place.fault(
                "OUTPUT alone behind //!OUT of the last pass, and of no other", f"'{', '.join(each.writes)}'",
                "Write the result in the last pass.",
            )  # fmt: skip
        fixed = [name for name in each.writes if name == INPUT or textures[name].source]
        if fixed:
            raise each.place.fault("a texture that may be written", f"'{fixed[0]}'", "Write to another one.")
