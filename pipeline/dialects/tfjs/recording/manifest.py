"""Reads `programs.json` as data: the recorded textures and programs, each entry checked alone.

The format is described in docs/tfjs.md. Every number is untrusted and checked before use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from texelscope.pipeline.dialects.recordings.entries import MAX_SIDE, Entry
from texelscope.pipeline.dialects.recordings.files import MAX_MANIFEST_BYTES, Files, text_of
from texelscope.pipeline.dialects.tfjs.recording.kinds import MANIFEST
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.plan import Storage, UniformValue
from texelscope.pipeline.untrusted_files.texts import json_value

FORMAT, VERSION = "texelscope-tfjs", 1
MAX_PROGRAMS = 10_000
_MOST_MS = 1e12
_AGAIN = "Record it again."

Arrangement = Literal["unpacked", "packed", "dense", "texels"]
_LANES = MappingProxyType({"unpacked": 1, "packed": 4, "dense": 4, "texels": 4})
_STORAGES = ("float32", "float16", "uint8")


@dataclass(frozen=True)
class RecordedTexture:
    """Describes one content of a texture. `shape` is TensorFlow.js's of the tensor, `values` the file of its texels."""

    number: int
    width: int
    height: int
    arrangement: Arrangement
    storage: Storage
    shape: Shape
    dtype: str
    values: str

    @property
    def lanes(self) -> int:
        """Numbers per texel."""
        return _LANES[self.arrangement]


@dataclass(frozen=True)
class ProgramVariable:
    """Describes a variable of a program: the texture behind its sampler, or `values` for a tensor in uniforms."""

    uniform: str
    shape: Shape
    texture: int | None = None
    values: tuple[float, ...] = ()


@dataclass(frozen=True)
class Program:
    """Describes one run of a program. `name` is its class, `kernel` its caller with `attributes`.

    `shapes` says whether shapes are `uniforms` or `constants` of the text; `time_ms` is TensorFlow.js's measurement.
    """

    name: str
    key: str
    kernel: str
    attributes: Mapping[str, Any]
    fragment: str
    vertex: str | None
    reads: tuple[ProgramVariable, ...]
    uniforms: Mapping[str, UniformValue]
    output: int
    shapes: str = ""
    time_ms: float | None = None

    def read(self, uniform: str) -> ProgramVariable | None:
        """Returns the variable of that name."""
        return next((each for each in self.reads if each.uniform == uniform), None)


@dataclass(frozen=True)
class TfjsRecording:
    """Holds a run: `textures` by number, `programs` in order. `about` is the page's own report."""

    textures: Mapping[int, RecordedTexture]
    programs: tuple[Program, ...]
    about: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def read_manifest(files: Files) -> TfjsRecording:
    """Reads the recording of a folder or archive. Raises TexelscopeError for the first entry that is wrong."""
    text = text_of(files, MANIFEST, MAX_MANIFEST_BYTES)
    found = json_value(text, MANIFEST, do_next=_AGAIN)
    top = Entry(MANIFEST, found)
    form, version = top.get("format"), top.get("version")
    if form != FORMAT or version != VERSION:
        raise top.wrong(f'"format": "{FORMAT}" of version {VERSION}', f"{form!r} of version {version!r}")
    textures = {}
    for i, entry in enumerate(top.entries("textures")):
        texture = _texture(Entry(f"{MANIFEST} textures[{i}]", entry))
        textures[texture.number] = texture
    programs = [_program(Entry(f"{MANIFEST} programs[{i}]", each)) for i, each in enumerate(top.entries("programs"))]
    if not 0 < len(programs) <= MAX_PROGRAMS:
        raise top.wrong(f"1 to {MAX_PROGRAMS} programs", str(len(programs)))
    _check_order(textures, programs)
    about = {name: str(found[name])[:200] for name in ("tfjs", "webgl", "renderer") if name in found}
    return TfjsRecording(MappingProxyType(textures), tuple(programs), MappingProxyType(about))


def _check_order(textures: Mapping[int, RecordedTexture], programs: Sequence[Program]) -> None:
    """Checks that every texture exists, and is written at most once, and never after it was read."""
    written: set[int] = set()
    seen: set[int] = set()
    for i, program in enumerate(programs):
        where = Entry(f"{MANIFEST} programs[{i}] {program.name}", {})
        for read in program.reads:
            if read.texture is None:
                continue
            if read.texture not in textures:
                raise where.wrong(f"a texture behind '{read.uniform}'", f"{read.texture}, which is not recorded")
            seen.add(read.texture)
        if program.output not in textures:
            raise where.wrong("an output among the textures", f"{program.output}, which is not recorded")
        if program.output in written | seen:
            raise where.wrong("a new output", f"texture {program.output}, which was there before")
        written.add(program.output)


def _texture(entry: Entry) -> RecordedTexture:
    arrangement = entry.one_of("layout", _LANES)
    storage = entry.one_of("type", _STORAGES)
    shape = entry.shape("shape")
    return RecordedTexture(
        number=entry.whole("id", 0, MAX_PROGRAMS * 32),
        width=entry.whole("width", 1, MAX_SIDE),
        height=entry.whole("height", 1, MAX_SIDE),
        arrangement=arrangement,  # type: ignore[arg-type]  # checked before
        storage=storage,  # type: ignore[arg-type]
        shape=shape,
        dtype=entry.text("dtype", "float32"),
        values=entry.text("values"),
    )


def _program(entry: Entry) -> Program:
    reads = []
    for i, each in enumerate(entry.entries("inputs")):
        read = Entry(f"{entry.who} inputs[{i}]", each)
        is_sampler = read.get("texture") is not None
        texture = read.whole("texture", 0, MAX_PROGRAMS * 32) if is_sampler else None
        values = () if is_sampler else read.numbers(read.get("values"))
        reads.append(ProgramVariable(read.text("uniform"), read.shape("shape"), texture, values))
    uniforms = entry.get("uniforms") or {}
    if not isinstance(uniforms, dict):
        raise entry.wrong("uniforms by name", repr(uniforms))
    attributes, time_ms = entry.get("attributes"), entry.get("ms")
    return Program(
        name=entry.text("name"),
        key=entry.text("key", ""),
        kernel=entry.text("kernel", ""),
        attributes=MappingProxyType(attributes if isinstance(attributes, dict) else {}),
        fragment=entry.text("fragment"),
        vertex=entry.text("vertex") if entry.get("vertex") else None,
        reads=tuple(reads),
        uniforms=MappingProxyType({name: entry.uniform(name, value) for name, value in uniforms.items()}),
        output=entry.whole("output", 0, MAX_PROGRAMS * 32),
        shapes=entry.text("shapes", ""),
        time_ms=float(time_ms) if isinstance(time_ms, int | float) and abs(time_ms) < _MOST_MS else None,
    )
