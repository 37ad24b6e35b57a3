"""Reads `draws.json` as data: the recorded textures, programs and draws, each entry checked alone.

The format is described in docs/webgl.md. Every number is untrusted and checked before use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.dialects.recordings.entries import MAX_SIDE, Entry
from texelscope.pipeline.dialects.recordings.files import MAX_MANIFEST_BYTES, Files, text_of
from texelscope.pipeline.dialects.webgl.kinds import MANIFEST
from texelscope.pipeline.plan import UniformValue
from texelscope.pipeline.untrusted_files.texts import json_value

FORMAT, VERSION = "texelscope-webgl", 1
MAX_DRAWS = 10_000
_MOST_TEXTURES = 32 * MAX_DRAWS
_MOST_VERTICES, _MOST_ATTRIBUTES, _MOST_OUTPUTS = 64, 32, 16
_MOST_NOTES, _MOST_LETTERS = 64, 400
_AGAIN = "Record it again."

# How a texture stores numbers; `other` is what no tensor holds.
KINDS = ("float32", "float16", "uint8", "int32", "uint32", "other")
Vertices = Mapping[str, tuple[tuple[float, ...], ...]]


@dataclass(frozen=True)
class DrawnTexture:
    """Describes one content of a texture. `values` is the file of its texels; without one `missing` says why.

    `channels` are those that the texture has, and `lanes` the numbers of a texel in the file: 1 or 4.
    """

    number: int
    width: int
    height: int
    format: str
    channels: int
    lanes: int
    kind: str
    values: str | None
    missing: str


@dataclass(frozen=True)
class RecordedProgram:
    """Names the files of a program's texts; None for a text that was gone before the recording began."""

    vertex: str | None
    fragment: str | None


@dataclass(frozen=True)
class DrawnSampler:
    """Describes what a sampler read: a texture's number, with its filters and wraps as WebGL names them.

    Without a texture `unfit` says what it is instead.
    """

    uniform: str
    texture: int | None
    filters: tuple[str, ...] = ()
    wraps: tuple[str, ...] = ()
    unfit: str = ""


@dataclass(frozen=True)
class Draw:
    """Describes one draw. `attributes` are by name the values of each vertex, None of a draw of many.

    `state` names what a pass does not have, such as blending; `unwritten` counts texels of its target that it leaves
    as they were, None if that is unknown. `outputs` are textures' numbers by attachment.
    """

    context: int
    program: int
    call: str
    mode: str
    vertices: int
    attributes: Vertices | None
    viewport: tuple[int, int, int, int]
    state: tuple[str, ...]
    samplers: tuple[DrawnSampler, ...]
    uniforms: Mapping[str, UniformValue]
    outputs: Mapping[int, int]
    unwritten: int | None


@dataclass(frozen=True)
class WebglRecording:
    """Holds a recording: `textures` by number, `draws` in order. `about` and `notes` are the page's own report.

    `is_full` says by context whether the page's device computed in full precision whatever a shader declared.
    """

    textures: Mapping[int, DrawnTexture]
    programs: tuple[RecordedProgram, ...]
    draws: tuple[Draw, ...]
    notes: tuple[str, ...]
    about: Mapping[str, str]
    is_full: tuple[bool, ...]


def read_manifest(files: Files) -> WebglRecording:
    """Reads the recording of a folder or archive. Raises TexelscopeError for the first entry that is wrong."""
    top = Entry(MANIFEST, json_value(text_of(files, MANIFEST, MAX_MANIFEST_BYTES), MANIFEST, do_next=_AGAIN))
    form, version = top.get("format"), top.get("version")
    if form != FORMAT or version != VERSION:
        raise top.wrong(f'"format": "{FORMAT}" of version {VERSION}', f"{form!r} of version {version!r}")
    notes = tuple(_note(top, each) for each in top.entries("notes")[:_MOST_NOTES])
    entries = top.entries("draws")
    if not 0 < len(entries) <= MAX_DRAWS:
        got = "; ".join([str(len(entries)), *notes])
        raise top.wrong(f"1 to {MAX_DRAWS} draws", got)
    textures = {}
    for i, each in enumerate(top.entries("textures")):
        texture = _texture(Entry(f"{MANIFEST} textures[{i}]", each))
        textures[texture.number] = texture
    programs = tuple(
        _program(Entry(f"{MANIFEST} programs[{i}]", each)) for i, each in enumerate(top.entries("programs"))
    )
    contexts = [Entry(f"{MANIFEST} contexts[{i}]", each) for i, each in enumerate(top.entries("contexts"))]
    if not contexts:
        raise top.wrong("a context that drew", "none")
    sizes = len(programs), len(contexts)
    draws = tuple(_draw(Entry(f"{MANIFEST} draws[{i}]", each), *sizes) for i, each in enumerate(entries))
    _check_order(textures, draws)
    is_full = tuple(each.get("fullPrecision") is not False for each in contexts)
    return WebglRecording(MappingProxyType(textures), programs, draws, notes, _about(top, contexts[0]), is_full)


def _note(top: Entry, note: Any) -> str:
    if not isinstance(note, str):
        raise top.wrong("texts as 'notes'", repr(note))
    return " ".join(note[:_MOST_LETTERS].split())


def _about(top: Entry, first: Entry) -> Mapping[str, str]:
    """Returns what the page reported of its first context, and of the browser."""
    found = {name: first.get(name) for name in ("webgl", "renderer")} | {"agent": top.get("agent")}
    return MappingProxyType({name: str(value)[:200] for name, value in found.items() if value is not None})


def _texture(entry: Entry) -> DrawnTexture:
    channels, lanes = entry.whole("channels", 1, 4), entry.whole("lanes", 1, 4)
    if lanes not in (1, 4) or lanes < channels:
        raise entry.wrong(f"'lanes' of 1 or 4 for {channels} channels", str(lanes))
    return DrawnTexture(
        number=entry.whole("id", 0, _MOST_TEXTURES),
        width=entry.whole("width", 1, MAX_SIDE),
        height=entry.whole("height", 1, MAX_SIDE),
        format=entry.text("format", "unknown"),
        channels=channels,
        lanes=lanes,
        kind=entry.one_of("type", KINDS),
        values=entry.text("values") if entry.get("values") is not None else None,
        missing=entry.text("missing", "it has no values"),
    )


def _program(entry: Entry) -> RecordedProgram:
    vertex, fragment = (entry.text(name) if entry.get(name) is not None else None for name in ("vertex", "fragment"))
    return RecordedProgram(vertex, fragment)


def _draw(entry: Entry, program_count: int, context_count: int) -> Draw:
    uniforms = entry.get("uniforms") or {}
    if not isinstance(uniforms, dict):
        raise entry.wrong("uniforms by name", repr(uniforms))
    samplers = [Entry(f"{entry.who} samplers[{i}]", each) for i, each in enumerate(entry.entries("samplers"))]
    outputs = {}
    for i, each in enumerate(entry.entries("outputs")[:_MOST_OUTPUTS]):
        output = Entry(f"{entry.who} outputs[{i}]", each)
        outputs[output.whole("attachment", 0, _MOST_OUTPUTS)] = output.whole("texture", 0, _MOST_TEXTURES)
    viewport = [round(number) for number in _finite(entry, "viewport", entry.get("viewport"), 4)]
    return Draw(
        context=entry.whole("context", 0, context_count - 1),
        program=entry.whole("program", 0, max(program_count - 1, 0)),
        call=entry.text("call", "drawArrays"),
        mode=entry.text("mode", "TRIANGLES"),
        vertices=entry.whole("vertices", 0, 1 << 31),
        attributes=_attributes(entry),
        viewport=(viewport[0], viewport[1], viewport[2], viewport[3]),
        state=_texts(entry, "state"),
        samplers=tuple(_sampler(each) for each in samplers),
        uniforms=MappingProxyType({name: entry.uniform(name, value) for name, value in uniforms.items()}),
        outputs=MappingProxyType(outputs),
        unwritten=None if entry.get("unwritten") is None else entry.whole("unwritten", 0, MAX_SIDE**2),
    )


def _sampler(entry: Entry) -> DrawnSampler:
    if entry.get("texture") is None:
        return DrawnSampler(entry.text("uniform"), None, unfit=entry.text("kind", "no texture"))
    return DrawnSampler(
        entry.text("uniform"), entry.whole("texture", 0, _MOST_TEXTURES), _texts(entry, "filter"), _texts(entry, "wrap")
    )


def _texts(entry: Entry, name: str) -> tuple[str, ...]:
    found = entry.get(name)
    if not isinstance(found, list) or len(found) > _MOST_OUTPUTS or not all(isinstance(each, str) for each in found):
        raise entry.wrong(f"a list of texts as '{name}'", repr(found))
    return tuple(each[:40] for each in found)


def _attributes(entry: Entry) -> Vertices | None:
    """Returns each vertex's values by attribute; a draw of many vertices has none."""
    given = entry.get("attributes")
    if given is None:
        return None
    if not isinstance(given, dict) or len(given) > _MOST_ATTRIBUTES:
        raise entry.wrong(f"up to {_MOST_ATTRIBUTES} attributes by name", repr(given))
    found, count = {}, entry.whole("vertices", 0, _MOST_VERTICES)
    for name, rows in given.items():
        if not isinstance(rows, list) or len(rows) != count:
            raise entry.wrong(f"{count} vertices as 'attributes.{name[:40]}'", repr(rows))
        found[name] = tuple(_finite(entry, f"attributes.{name[:40]}", row, None) for row in rows)
        if len({len(row) for row in found[name]}) > 1:
            raise entry.wrong(f"vertices of one size as 'attributes.{name[:40]}'", repr(rows))
    return MappingProxyType(found)


def _finite(entry: Entry, name: str, value: Any, count: int | None) -> tuple[float, ...]:
    """Returns up to four numbers below 2^31, exactly `count` of them where it is given."""
    row = value if isinstance(value, list) else [value]
    is_sized = 0 < len(row) <= 4 if count is None else len(row) == count
    if not is_sized or not all(type(each) in (int, float) and abs(each) < 1 << 31 for each in row):
        raise entry.wrong(f"{count or 'up to 4'} numbers as '{name}'", repr(value))
    return tuple(float(each) for each in row)


def _check_order(textures: Mapping[int, DrawnTexture], draws: Sequence[Draw]) -> None:
    """Checks that every texture exists, and is written at most once, and never after it was read."""
    written: set[int] = set()
    seen: set[int] = set()
    for i, draw in enumerate(draws):
        where = Entry(f"{MANIFEST} draws[{i}]", {})
        for sampler in draw.samplers:
            if sampler.texture is not None and sampler.texture not in textures:
                raise where.wrong(f"a texture behind '{sampler.uniform}'", f"{sampler.texture}, which is not recorded")
            seen.update(() if sampler.texture is None else (sampler.texture,))
        for output in draw.outputs.values():
            if output not in textures:
                raise where.wrong("an output among the textures", f"{output}, which is not recorded")
            if output in written | seen:
                raise where.wrong("a new output", f"texture {output}, which was there before")
            written.add(output)
