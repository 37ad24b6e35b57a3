"""Runs the recording version of a compute pass, and reads what invocations wrote down.

Who writes an element is asked first; then everything that this invocation does is written down, and, where the shader
has shared memory, everything that its work group does: what the invocation takes from shared memory was read by others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.gl.dispatching.dispatcher import bind_block
from texelscope.pipeline.gl.program import compiled_dispatch
from texelscope.pipeline.gl.state import drawing_state
from texelscope.pipeline.gl.uniforms import set_uniforms
from texelscope.pipeline.glsl.resources import local_size
from texelscope.pipeline.plan import BufferBinding, Pass, ProgramSource, StoredTensor, UniformValue
from texelscope.pipeline.read_trace.dispatch_reads import ReadLanes, reads_of
from texelscope.pipeline.read_trace.dispatch_text import InstrumentedDispatch, instrument_dispatch
from texelscope.pipeline.read_trace.hazards import Hazard, hazards_of
from texelscope.pipeline.read_trace.recording import ReadRecording

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.gl.session import Session

Words = NDArray[np.uint32]
ENTRY_WORDS, HEADER_WORDS = 8, 4
FIRST_ENTRIES, MOST_ENTRIES = 1 << 14, 1 << 20
_RACES, _WRITERS, _ALL = 0, 1, 2
_LANE_BYTES = {"float32": 4, "float16": 2, "uint8": 1}


@dataclass(frozen=True)
class Race:
    """Two invocations (numbers along x, y, z) that wrote lane `lane` of an output's texels, and where in the text."""

    lane: int
    first: tuple[int, int, int]
    second: tuple[int, int, int]
    file: str
    line: int


class DispatchRecorder:
    """Records the accesses of compute passes of one session; keeps the instrumented programs."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._programs: dict[str, tuple[ProgramSource, InstrumentedDispatch, moderngl.ComputeShader]] = {}

    def release(self) -> None:
        """Frees the instrumented programs."""
        for _, _, program in self._programs.values():
            program.release()
        self._programs.clear()

    def record(self, each: Pass, tx: int, ty: int, lane: int) -> ReadRecording:
        """What was read for lane `lane` of texel (tx, ty) of the pass's output, in order.

        Raises UnsupportedError where the shader cannot be instrumented, where nobody writes the element, and where
        more is read than can be kept.
        """
        made, _ = self._program(each)
        stored = self._session.plan.textures[each.output]
        _, width = stored.texture_shape
        at = (ty * width + tx) * stored.layout.lanes + lane
        writers = [self._writer(each, number, at) for number in self._arrays_of(each, stored)]
        writer = next((found for found in writers if found is not None), None)
        if writer is None:
            got = f"none that writes element {stored.layout.index_of(stored.shape, tx, ty, lane)}"
            raise UnsupportedError(f"taps of '{each.name}'", "an invocation", got, "It keeps what it held before.")
        words = self._run(each, _ALL, writer=writer)
        return reads_of(words, self._places(each), made, writer, self._all(each))

    def races(self, each: Pass) -> list[Race]:
        """Where two invocations of the pass write one place of its output."""
        made, _ = self._program(each)
        stored = self._session.plan.textures[each.output]
        found: list[Race] = []
        for number in self._arrays_of(each, stored):
            per = self._lanes_of(each, number)
            for entry in self._run(each, _RACES, what=number, owners=self._count(stored) // per + 1):
                site = made.sites[int(entry[0]) >> 4 & 0xFFFFF]
                first, second = self._place(each, int(entry[4])), self._place(each, int(entry[7]))
                lanes = range(int(entry[1]) * per, int(entry[1]) * per + per)
                found += [Race(lane, first, second, site.file, site.line) for lane in lanes]
        return found

    def hazards(self, each: Pass) -> list[Hazard]:
        """Accesses to shared memory that no barrier orders, of the work group in the middle of the dispatch."""
        made, _ = self._program(each)
        if not made.has_shared:
            return []
        x, y, z = (count // 2 for count in self._all(each))
        return hazards_of(self._run(each, _ALL, writer=(x, y, z)), made)

    # -- what is where -------------------------------------------------------------------------------------

    def _count(self, stored: StoredTensor) -> int:
        height, width = stored.texture_shape
        return height * width * stored.layout.lanes

    def _places(self, each: Pass) -> dict[str, ReadLanes]:
        """By the name that something is bound by, the tensor behind it and the lanes of its texels as they are."""
        session = self._session
        keys = dict(each.bound_reads)
        return {
            name: ReadLanes(session.plan.textures[key], session.texels(key).reshape(-1)) for name, key in keys.items()
        }

    def _bound(self, each: Pass) -> dict[str, str]:
        assert each.dispatch is not None
        bound = each.dispatch.bound
        return {
            binding.block if isinstance(binding, BufferBinding) else binding.uniform: binding.key for binding in bound
        }

    def _arrays_of(self, each: Pass, stored: StoredTensor) -> list[int]:
        """Numbers of the arrays and images behind which the tensor is."""
        bound = self._bound(each)
        arrays = self._program(each)[0].arrays
        return [number for number, array in enumerate(arrays) if bound.get(array.bound) == stored.key]

    def _lanes_of(self, each: Pass, number: int) -> int:
        """Lanes of the tensor in one element of an array, or texel of an image."""
        array = self._program(each)[0].arrays[number]
        stored = self._session.plan.textures[self._bound(each)[array.bound]]
        return max(array.bytes // _LANE_BYTES[stored.storage], 1) if array.bytes else stored.layout.lanes

    def writes_lanes_apart(self, each: Pass) -> bool:
        """Whether what an invocation writes at once is one lane of the output."""
        stored = self._session.plan.textures[each.output]
        return all(self._lanes_of(each, number) == 1 for number in self._arrays_of(each, stored))

    def _all(self, each: Pass) -> tuple[int, int, int]:
        """Invocations along x, y and z."""
        assert each.dispatch is not None
        size = self._local_size(each)
        x, y, z = (count * own for count, own in zip(each.dispatch.groups, size, strict=True))
        return x, y, z

    def _local_size(self, each: Pass) -> tuple[int, int, int]:
        size = local_size(self._session.program_source(each.name).fragment)
        if size is None:
            raise UnsupportedError(
                f"taps of '{each.name}'", "the work group's size in numbers", "another text",
                "Write the size out; the pass itself runs as it is.",
            )  # fmt: skip
        return size

    def _place(self, each: Pass, number: int) -> tuple[int, int, int]:
        x, y, _ = self._all(each)
        return number % x, number // x % y, number // x // y

    def _writer(self, each: Pass, number: int, lane: int) -> tuple[int, int, int] | None:
        """The invocation that writes a lane of the output through that array, the last one that does."""
        at = lane // self._lanes_of(each, number)
        found = self._run(each, _WRITERS, what=number, first=at, last=at)
        return self._place(each, int(found[-1][7])) if len(found) else None

    # -- running -------------------------------------------------------------------------------------------

    def _program(self, each: Pass) -> tuple[InstrumentedDispatch, moderngl.ComputeShader]:
        source = self._session.program_source(each.name)
        known = self._programs.get(each.name)
        if known is not None and known[0] is source:
            return known[1], known[2]
        made = instrument_dispatch(source, each.name)
        program = compiled_dispatch(self._session.context, made.text, f"taps of '{each.name}'")
        if known is not None:
            known[2].release()
        self._programs[each.name] = (source, made, program)
        return made, program

    def _run(self, each: Pass, mode: int, *, owners: int = 1, **settings: Any) -> Words:
        """The entries of a run in that mode, uint32 [entries, 8]; what the session holds is as before."""
        entries = FIRST_ENTRIES
        while True:
            words = self._dispatch(each, mode, entries, owners, settings)
            count = int(words[0])
            if count <= entries or mode != _ALL:
                count = min(count, entries)
                return words[HEADER_WORDS : HEADER_WORDS + count * ENTRY_WORDS].reshape(count, ENTRY_WORDS)
            if count > MOST_ENTRIES:
                raise UnsupportedError(
                    f"taps of '{each.name}'", f"at most {MOST_ENTRIES} accesses for one element", str(count),
                    "Choose a smaller layer.",
                )  # fmt: skip
            entries = count

    def _dispatch(self, each: Pass, mode: int, entries: int, owners: int, settings: dict[str, Any]) -> Words:
        assert each.dispatch is not None
        session, context = self._session, self._session.context
        made, program = self._program(each)
        held = {key: session.texture(key).read(alignment=1) for key in each.outputs}
        log = context.buffer(reserve=4 * (HEADER_WORDS + entries * ENTRY_WORDS))
        owner = context.buffer(reserve=4 * max(owners, 4))
        try:
            log.clear()
            owner.clear()
            with drawing_state(context):
                session.bind(each, program)
                self._set(each, program, mode, made, settings)
                first = len(each.dispatch.buffers)
                bind_block(program, "TapLog", log, first)
                bind_block(program, "TapOwners", owner, first + 1)
                program.run(*each.dispatch.groups)
                context.memory_barrier()
                context.finish()
            return np.frombuffer(log.read(), dtype=np.uint32)
        finally:
            for key, data in held.items():
                session.texture(key).write(data, alignment=1)
            log.release()
            owner.release()

    def _set(
        self,
        each: Pass,
        program: moderngl.ComputeShader,
        mode: int,
        made: InstrumentedDispatch,
        settings: dict[str, Any],
    ) -> None:
        values: dict[str, UniformValue] = {
            "u_tap_mode": mode,
            "u_tap_what": settings.get("what", 0),
            "u_tap_first": settings.get("first", 0),
            "u_tap_last": settings.get("last", 0),
            "u_tap_invocation": settings.get("writer", (0, 0, 0)),
            "u_tap_size": self._local_size(each),
            "u_tap_group": made.has_shared,
        }
        set_uniforms(program, values)
