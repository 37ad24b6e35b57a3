"""`programs.json` as data: the textures and programs that the recorder saw, each entry checked on its own.

The format is described in docs/tfjs.md. Every number comes from outside; none is believed before it is checked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from texelscope.pipeline.dialects.tfjs.recording.files import MAX_MANIFEST_BYTES, Files, text_of
from texelscope.pipeline.dialects.tfjs.recording.kinds import MANIFEST
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.plan import Storage, UniformValue
from texelscope.pipeline.untrusted_files.texts import json_value

FORMAT, VERSION = "texelscope-tfjs", 1
MAX_PROGRAMS = 10_000
MAX_SIDE = 1 << 16
_MOST_NUMBERS = 1 << 12
_MOST_MS = 1e12
# Letters of a name or path; a key has the whole text of its program in it.
_MOST_NAME, _MOST_KEY = 400, 1 << 20
_AGAIN = "Record it again."
_SPECIAL = MappingProxyType({"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf})

Arrangement = Literal["unpacked", "packed", "dense", "texels"]
_LANES = MappingProxyType({"unpacked": 1, "packed": 4, "dense": 4, "texels": 4})
_STORAGES = ("float32", "float16", "uint8")


@dataclass(frozen=True)
class RecordedTexture:
    """One content of a texture. `shape` is the tensor's as TensorFlow.js has it, `values` the file of its texels."""

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
        """Numbers a texel."""
        return _LANES[self.arrangement]


@dataclass(frozen=True)
class ProgramVariable:
    """A variable of a program: the texture behind its sampler, or, of a tensor in uniforms, `values` instead."""

    uniform: str
    shape: Shape
    texture: int | None = None
    values: tuple[float, ...] = ()


@dataclass(frozen=True)
class Program:
    """One run of a program. `name` is its class, `kernel` what called for it with which `attributes`.

    `shapes` says whether shapes are `uniforms` or `constants` of the text; `time_ms` is what TensorFlow.js measured.
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
        """The variable of that name."""
        return next((each for each in self.reads if each.uniform == uniform), None)


@dataclass(frozen=True)
class TfjsRecording:
    """A run: `textures` by number, `programs` in order. `about` is what the page said of itself."""

    textures: Mapping[int, RecordedTexture]
    programs: tuple[Program, ...]
    about: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def read_manifest(files: Files) -> TfjsRecording:
    """The recording that a folder or archive says it is. Raises TexelscopeError for the first entry that is wrong."""
    text = text_of(files, MANIFEST, MAX_MANIFEST_BYTES)
    found = json_value(text, MANIFEST, do_next=_AGAIN)
    top = _Entry(MANIFEST, found)
    form, version = top.get("format"), top.get("version")
    if form != FORMAT or version != VERSION:
        raise top.wrong(f'"format": "{FORMAT}" of version {VERSION}', f"{form!r} of version {version!r}")
    textures = {}
    for i, entry in enumerate(top.entries("textures")):
        texture = _texture(_Entry(f"{MANIFEST} textures[{i}]", entry))
        textures[texture.number] = texture
    programs = [_program(_Entry(f"{MANIFEST} programs[{i}]", each)) for i, each in enumerate(top.entries("programs"))]
    if not 0 < len(programs) <= MAX_PROGRAMS:
        raise top.wrong(f"1 to {MAX_PROGRAMS} programs", str(len(programs)))
    _check_order(textures, programs)
    about = {name: str(found[name])[:200] for name in ("tfjs", "webgl", "renderer") if name in found}
    return TfjsRecording(MappingProxyType(textures), tuple(programs), MappingProxyType(about))


def _check_order(textures: Mapping[int, RecordedTexture], programs: Sequence[Program]) -> None:
    """Every texture is there, and written at most once, and by nobody after it was read."""
    written: set[int] = set()
    seen: set[int] = set()
    for i, program in enumerate(programs):
        where = _Entry(f"{MANIFEST} programs[{i}] {program.name}", {})
        for read in program.reads:
            if read.texture is None:
                continue
            if read.texture not in textures:
                raise where.wrong(f"a texture behind '{read.uniform}'", f"{read.texture}, which is not recorded")
            seen.add(read.texture)
        if program.output not in textures:
            raise where.wrong("an output among the textures", f"{program.output}, which is not recorded")
        if program.output in written | seen:
            raise where.wrong("an output of its own", f"texture {program.output}, which was there before")
        written.add(program.output)


def _texture(entry: _Entry) -> RecordedTexture:
    arrangement = entry.one_of("layout", _LANES)
    storage = entry.one_of("type", _STORAGES)
    shape = entry.shape("shape")
    return RecordedTexture(
        number=entry.whole("id", 0, MAX_PROGRAMS * 32),
        width=entry.whole("width", 1, MAX_SIDE),
        height=entry.whole("height", 1, MAX_SIDE),
        arrangement=arrangement,  # type: ignore[arg-type]  # one of its words
        storage=storage,  # type: ignore[arg-type]
        shape=shape,
        dtype=entry.text("dtype", "float32"),
        values=entry.text("values"),
    )


def _program(entry: _Entry) -> Program:
    reads = []
    for i, each in enumerate(entry.entries("inputs")):
        read = _Entry(f"{entry.who} inputs[{i}]", each)
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


@dataclass(frozen=True)
class _Entry:
    """A JSON object and how an error names it."""

    who: str
    found: Any

    def wrong(self, expected: str, got: str) -> TexelscopeError:
        return TexelscopeError(self.who, expected, got[:80], _AGAIN)

    def get(self, name: str) -> Any:
        if not isinstance(self.found, dict):
            raise self.wrong("an object", repr(self.found))
        return self.found.get(name)

    def entries(self, name: str) -> list[Any]:
        value = self.get(name)
        if not isinstance(value, list):
            raise self.wrong(f"a list of {name}", repr(value))
        return value

    def text(self, name: str, default: str | None = None) -> str:
        value = self.get(name)
        if value is None and default is not None:
            return default
        most = _MOST_KEY if name == "key" else _MOST_NAME
        if not isinstance(value, str) or len(value) > most:
            raise self.wrong(f"a text of up to {most} letters as '{name}'", repr(value))
        return value

    def whole(self, name: str, least: int, most: int) -> int:
        value = self.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self.wrong(f"a whole number from {least} to {most} as '{name}'", repr(value))
        return value

    def one_of(self, name: str, known: Sequence[str] | Mapping[str, Any]) -> str:
        value = self.get(name)
        if value not in tuple(known):
            raise TexelscopeError(self.who, f"a {name} that is known", repr(value)[:80], nearest(str(value), known))
        return str(value)

    def shape(self, name: str) -> Shape:
        value = self.get(name)
        is_shape = isinstance(value, list) and len(value) <= 8
        if not is_shape or not all(type(size) is int and 0 < size <= MAX_SIDE**2 for size in value):
            raise self.wrong("a shape of up to 8 sizes of at least 1", repr(value))
        return tuple(value)

    def numbers(self, value: Any) -> tuple[float, ...]:
        found = value if isinstance(value, list) else [value]
        if len(found) <= _MOST_NUMBERS:
            named = [_SPECIAL.get(each) if isinstance(each, str) else each for each in found]
            numbers = [
                each for each in named if isinstance(each, float) or (isinstance(each, int) and abs(each) < 1 << 63)
            ]
            if len(numbers) == len(found):
                return tuple(numbers)
        raise self.wrong(f"up to {_MOST_NUMBERS} numbers", repr(value))

    def uniform(self, name: str, value: Any) -> UniformValue:
        """A number, or the numbers of a vector or array, one after the other."""
        if isinstance(value, list) and value and isinstance(value[0], list):
            value = [each for row in value for each in (row if isinstance(row, list) else [row])]
        numbers = _Entry(f"{self.who} uniforms.{name}", self.found).numbers(value)
        return numbers if isinstance(value, list) else numbers[0]
