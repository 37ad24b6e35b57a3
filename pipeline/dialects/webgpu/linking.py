"""Finds which contents of buffers are one tensor: what a dispatch wrote is what later ones read there.

A tensor is named after the dispatch that wrote it, or after the first that read it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from texelscope.pipeline.dialects.webgpu.dispatches import BoundBuffer, RunnableDispatch
from texelscope.pipeline.dialects.webgpu.manifest import BufferWrite, RecordedBinding, RecordedDispatch, WebgpuRecording

# An offset and a size in bytes.
_Part = tuple[int, int]


@dataclass(frozen=True)
class LinkedBuffer:
    """A storage block of a pass: the key of what it holds before, and, of one that it writes, that of what it wrote.

    Where the pass only writes, `before` is empty.
    """

    bound: BoundBuffer
    before: str
    after: str = ""


@dataclass(frozen=True)
class Links:
    """Holds the blocks of each pass by its name, and by key of each tensor the number of its content.

    `written` has the keys of tensors that a pass wrote, `dtypes` those of tensors of whole numbers.
    """

    blocks: Mapping[str, tuple[LinkedBuffer, ...]]
    contents: Mapping[str, int]
    written: frozenset[str]
    dtypes: Mapping[str, str]

    def with_own_start(self, name: str, block: LinkedBuffer) -> tuple[Links, str]:
        """Returns the links with a tensor of its own for what a block of a pass holds before, and that tensor's key."""
        key = f"{name}.{block.bound.variable.name}.before"
        blocks = tuple(replace(each, before=key) if each == block else each for each in self.blocks[name])
        dtype = {key: self.dtypes[block.before]} if block.before in self.dtypes else {}
        found = replace(
            self,
            blocks=MappingProxyType({**self.blocks, name: blocks}),
            contents=MappingProxyType({**self.contents, key: self.contents[block.before]}),
            dtypes=MappingProxyType({**self.dtypes, **dtype}),
        )
        return found, key


def linked(
    recording: WebgpuRecording,
    runnable: Sequence[RunnableDispatch],
    depends: Callable[[RunnableDispatch, BoundBuffer], bool],
) -> Links:
    """Returns the links between passes, along the commands of a recording in order.

    `depends` says of a block that a pass writes whether it matters what is in it before.
    """
    linking = _Linking(recording, depends)
    passes = {each.position: each for each in runnable}
    for position, command in enumerate(recording.commands):
        if isinstance(command, BufferWrite):
            linking.write(command)
        elif position in passes:
            linking.run(passes[position])
        else:
            linking.skip(command)
    return Links(
        MappingProxyType(linking.blocks), MappingProxyType(linking.contents), frozenset(linking.written),
        MappingProxyType(linking.dtypes),
    )  # fmt: skip


class _Linking:
    def __init__(self, recording: WebgpuRecording, depends: Callable[[RunnableDispatch, BoundBuffer], bool]) -> None:
        self._recording = recording
        self._depends = depends
        self.blocks: dict[str, tuple[LinkedBuffer, ...]] = {}
        self.contents: dict[str, int] = {}
        self.written: set[str] = set()
        self.dtypes: dict[str, str] = {}
        # By buffer the tensors that its parts hold now, and by part and hash the uploads that were read.
        self._held: dict[int, dict[_Part, str]] = {}
        self._uploads: dict[tuple[int, _Part, str, bool], str] = {}

    def run(self, each: RunnableDispatch) -> None:
        """Links the blocks of a pass: everything is read before anything is written."""
        before = [
            self._read(bound, each.name) if not bound.is_written or self._depends(each, bound) else ""
            for bound in each.buffers
        ]
        is_only = sum(bound.is_written for bound in each.buffers) == 1
        blocks = []
        for bound, key in zip(each.buffers, before, strict=True):
            after = ""
            if bound.is_written:
                after = each.name if is_only else f"{each.name}.{bound.variable.name}"
                self._hold(bound.binding, after)
                assert bound.binding.after is not None
                self.contents[after] = bound.binding.after
                self.written.add(after)
                self._type(after, bound)
            blocks.append(LinkedBuffer(bound, key, after))
        self.blocks[each.name] = tuple(blocks)

    def skip(self, dispatch: RecordedDispatch) -> None:
        """Forgets what a dispatch that is no pass wrote, or may have written."""
        for binding in dispatch.bindings:
            if binding.buffer is not None and binding.after != binding.before and binding.after is not None:
                self._forget(binding.buffer, binding.offset, binding.size_bytes)

    def write(self, write: BufferWrite) -> None:
        # What lies in the part that is copied is copied whole.
        copied = {
            (write.offset + offset - write.source_offset, size): key
            for (offset, size), key in self._held.get(-1 if write.source is None else write.source, {}).items()
            if write.source_offset <= offset and offset + size <= write.source_offset + write.size_bytes
        }
        self._forget(write.buffer, write.offset, write.size_bytes)
        self._held.setdefault(write.buffer, {}).update(copied)

    def _read(self, bound: BoundBuffer, name: str) -> str:
        """Returns the key of what a binding holds before a dispatch."""
        binding = bound.binding
        assert binding.buffer is not None
        assert binding.before is not None
        part = binding.offset, binding.size_bytes
        key = self._held.get(binding.buffer, {}).get(part)
        hashed = self._recording.contents[binding.before].sha256
        # The recorded bytes decide: something that is not recorded may have written there. What is whole numbers for
        # one program and bits for another one is two tensors.
        is_whole = bool(bound.numbers)
        if key is not None and (key in self.dtypes) == is_whole and self._hash_of(key) == hashed:
            return key
        named = f"{name}.{bound.variable.name}" + (".before" if bound.is_written else "")
        key = self._uploads.setdefault((binding.buffer, part, hashed, is_whole), named)
        self.contents.setdefault(key, binding.before)
        self._type(key, bound)
        return key

    def _hash_of(self, key: str) -> str:
        return self._recording.contents[self.contents[key]].sha256

    def _type(self, key: str, bound: BoundBuffer) -> None:
        if bound.numbers:
            self.dtypes.setdefault(key, bound.numbers)

    def _hold(self, binding: RecordedBinding, key: str) -> None:
        assert binding.buffer is not None
        self._forget(binding.buffer, binding.offset, binding.size_bytes)
        self._held.setdefault(binding.buffer, {})[binding.offset, binding.size_bytes] = key

    def _forget(self, buffer: int, offset: int, size_bytes: int) -> None:
        held = self._held.get(buffer, {})
        for start, size in [*held]:
            if start < offset + size_bytes and offset < start + size:
                del held[start, size]
