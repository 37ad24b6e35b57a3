"""Reads `dispatches.json` as data: the recorded contents of buffers, programs and commands, each entry checked alone.

The format is described in docs/webgpu.md. Every number is untrusted and checked before use.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.dialects.recordings.entries import Entry
from texelscope.pipeline.dialects.recordings.files import MAX_MANIFEST_BYTES, Files, text_of
from texelscope.pipeline.dialects.webgpu.kinds import MANIFEST
from texelscope.pipeline.untrusted_files.texts import json_value

FORMAT, VERSION = "texelscope-webgpu", 1
MAX_DISPATCHES = 10_000
_MOST_CONTENTS, _MOST_BUFFERS = 32 * MAX_DISPATCHES, 1 << 31
# Sizes and offsets in bytes; WebGPU counts work groups in 32 bits.
_MOST_BYTES, _MOST_GROUPS = 1 << 40, (1 << 32) - 1
_MOST_BINDINGS, _MOST_NUMBER, _MOST_CONSTANTS = 1000, 65535, 1000
_MOST_NOTES, _MOST_LETTERS = 64, 400
_AGAIN = "Record it again."
_SHA256 = re.compile(r"[0-9a-f]{64}")
_ABOUT = ("vendor", "architecture", "device", "description")


@dataclass(frozen=True)
class Content:
    """Describes what a part of a buffer held at a time: `values` is the file of its bytes, `sha256` their hash.

    Without a file `missing` says why there is none.
    """

    number: int
    size_bytes: int
    values: str | None
    sha256: str
    missing: str


@dataclass(frozen=True)
class RecordedModule:
    """Names the file of a shader module's text, its hash as it was recorded, and the label that the page gave it."""

    text: str
    sha256: str
    label: str


@dataclass(frozen=True)
class RecordedBinding:
    """Describes what a dispatch had at a binding of a group: a part of a buffer, or in words something `other`.

    `before` and `after` are numbers of contents; `after` only where the program may write. Offset and size are bytes.
    """

    group: int
    binding: int
    buffer: int | None
    offset: int = 0
    size_bytes: int = 0
    before: int | None = None
    after: int | None = None
    other: str = ""


@dataclass(frozen=True)
class RecordedDispatch:
    """Describes one dispatch. `groups` are its work groups; None where they are the content `indirect` of a buffer.

    `entry` is the name of its function, empty for the only one; `constants` are the values of overrides.
    """

    program: int
    entry: str
    label: str
    constants: Mapping[str, float]
    groups: tuple[int, int, int] | None
    indirect: int | None
    bindings: tuple[RecordedBinding, ...]


@dataclass(frozen=True)
class BufferWrite:
    """Says that a part of a buffer was written by something other than a dispatch: an upload or a clearing.

    Where it is a copy, `source` is the other buffer and `source_offset` where the part begins there.
    """

    buffer: int
    offset: int
    size_bytes: int
    source: int | None = None
    source_offset: int = 0


Command = RecordedDispatch | BufferWrite


@dataclass(frozen=True)
class WebgpuRecording:
    """Holds a recording: `contents` by number, `commands` in order. `about` and `notes` are the page's own report."""

    contents: Mapping[int, Content]
    programs: tuple[RecordedModule, ...]
    commands: tuple[Command, ...]
    notes: tuple[str, ...]
    about: Mapping[str, str]

    @property
    def dispatches(self) -> tuple[RecordedDispatch, ...]:
        """The dispatches among the commands, in order."""
        return tuple(each for each in self.commands if isinstance(each, RecordedDispatch))


def read_manifest(files: Files) -> WebgpuRecording:
    """Reads the recording of a folder or archive. Raises TexelscopeError for the first entry that is wrong."""
    top = Entry(MANIFEST, json_value(text_of(files, MANIFEST, MAX_MANIFEST_BYTES), MANIFEST, do_next=_AGAIN))
    form, version = top.get("format"), top.get("version")
    if form != FORMAT or version != VERSION:
        raise top.wrong(f'"format": "{FORMAT}" of version {VERSION}', f"{form!r} of version {version!r}")
    notes = tuple(_note(top, each) for each in top.entries("notes")[:_MOST_NOTES])
    contents = {}
    for i, each in enumerate(top.entries("contents")[:_MOST_CONTENTS]):
        content = _content(Entry(f"{MANIFEST} contents[{i}]", each))
        contents[content.number] = content
    programs = tuple(
        _program(Entry(f"{MANIFEST} programs[{i}]", each)) for i, each in enumerate(top.entries("programs"))
    )
    entries = [Entry(f"{MANIFEST} commands[{i}]", each) for i, each in enumerate(top.entries("commands"))]
    commands = tuple(_command(each, len(programs), contents) for each in entries)
    count = sum(isinstance(each, RecordedDispatch) for each in commands)
    if not 0 < count <= MAX_DISPATCHES:
        raise top.wrong(f"1 to {MAX_DISPATCHES} dispatches", "; ".join([str(count), *notes]))
    return WebgpuRecording(MappingProxyType(contents), programs, commands, notes, _about(top))


def _note(top: Entry, note: Any) -> str:
    if not isinstance(note, str):
        raise top.wrong("texts as 'notes'", repr(note))
    return " ".join(note[:_MOST_LETTERS].split())


def _about(top: Entry) -> Mapping[str, str]:
    """Returns what the page reported of its first device, and of the browser."""
    devices = top.entries("devices")
    first = Entry(f"{MANIFEST} devices[0]", devices[0] if devices else {})
    words = [str(found)[:100] for name in _ABOUT if (found := first.get(name))]
    found = {"api": "WebGPU", "renderer": " ".join(words) or "unknown", "agent": top.get("agent")}
    return MappingProxyType({name: str(value)[:200] for name, value in found.items() if value is not None})


def _content(entry: Entry) -> Content:
    has_values = entry.get("values") is not None
    return Content(
        number=entry.whole("id", 0, _MOST_CONTENTS),
        size_bytes=entry.whole("bytes", 1, _MOST_BYTES),
        values=entry.text("values") if has_values else None,
        sha256=_hash(entry) if has_values else "",
        missing=entry.text("missing", "it has no values"),
    )


def _program(entry: Entry) -> RecordedModule:
    return RecordedModule(entry.text("text"), _hash(entry), " ".join(entry.text("label", "").split()))


def _hash(entry: Entry) -> str:
    found = entry.text("sha256")
    if not _SHA256.fullmatch(found):
        raise entry.wrong("64 digits as 'sha256'", repr(found))
    return found


def _command(entry: Entry, program_count: int, contents: Mapping[int, Content]) -> Command:
    kind = entry.one_of("kind", ("dispatch", "write", "copy"))
    if kind == "dispatch":
        return _dispatch(entry, program_count, contents)
    buffer = entry.whole("buffer", 0, _MOST_BUFFERS)
    part = entry.whole("offset", 0, _MOST_BYTES), entry.whole("size", 0, _MOST_BYTES)
    if kind == "write":
        return BufferWrite(buffer, *part)
    source = entry.whole("from", 0, _MOST_BUFFERS), entry.whole("fromOffset", 0, _MOST_BYTES)
    return BufferWrite(buffer, *part, *source)


def _dispatch(entry: Entry, program_count: int, contents: Mapping[int, Content]) -> RecordedDispatch:
    given = entry.get("groups")
    groups = None
    if given is not None:
        if not isinstance(given, list) or len(given) != 3 or not all(_is_count(each) for each in given):
            raise entry.wrong("three counts of work groups as 'groups'", repr(given))
        groups = (given[0], given[1], given[2])
    indirect = _number_of(entry, "indirect", contents)
    entries = entry.entries("bindings")
    if len(entries) > _MOST_BINDINGS:
        raise entry.wrong(f"at most {_MOST_BINDINGS} bindings", str(len(entries)))
    bindings = tuple(_binding(Entry(f"{entry.who} bindings[{i}]", each), contents) for i, each in enumerate(entries))
    places = [(each.group, each.binding) for each in bindings]
    if len({*places}) < len(places):
        raise entry.wrong("one buffer at each binding", "one binding twice")
    return RecordedDispatch(
        program=entry.whole("program", 0, max(program_count - 1, 0)),
        entry=entry.text("entry", ""),
        label=" ".join(entry.text("label", "").split()),
        constants=_constants(entry),
        groups=groups,
        indirect=indirect,
        bindings=bindings,
    )


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _MOST_GROUPS


def _constants(entry: Entry) -> Mapping[str, float]:
    given = entry.get("constants")
    if not isinstance(given, dict) or len(given) > _MOST_CONSTANTS:
        raise entry.wrong(f"up to {_MOST_CONSTANTS} constants by name", repr(given))
    return MappingProxyType({name: _constant(entry, name, value) for name, value in given.items()})


def _constant(entry: Entry, name: str, value: Any) -> float:
    """Returns a constant's value; `true` counts 1, as in WebGPU."""
    found = entry.uniform(name, int(value) if isinstance(value, bool) else value)
    if isinstance(found, tuple):
        raise entry.wrong(f"one number as 'constants.{name[:40]}'", repr(value))
    return found


def _binding(entry: Entry, contents: Mapping[int, Content]) -> RecordedBinding:
    group, binding = entry.whole("group", 0, _MOST_NUMBER), entry.whole("binding", 0, _MOST_NUMBER)
    if entry.get("buffer") is None:
        return RecordedBinding(group, binding, None, other=entry.text("other", "nothing that is known"))
    found = RecordedBinding(
        group,
        binding,
        entry.whole("buffer", 0, _MOST_BUFFERS),
        entry.whole("offset", 0, _MOST_BYTES),
        entry.whole("size", 0, _MOST_BYTES),
        _number_of(entry, "before", contents),
        _number_of(entry, "after", contents),
    )
    for number in (found.before, found.after):
        # A copy holds whole words.
        if number is not None and contents[number].size_bytes != found.size_bytes // 4 * 4:
            got = f"content {number} of {contents[number].size_bytes}"
            raise entry.wrong(f"a content of {found.size_bytes // 4 * 4} bytes", got)
    return found


def _number_of(entry: Entry, name: str, contents: Mapping[int, Content]) -> int | None:
    """Returns the number of a recorded content; None where the entry names none."""
    if entry.get(name) is None:
        return None
    number = entry.whole(name, 0, _MOST_CONTENTS)
    if number not in contents:
        raise entry.wrong(f"a content as '{name}'", f"{number}, which is not recorded")
    return number
