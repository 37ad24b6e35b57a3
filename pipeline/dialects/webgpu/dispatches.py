"""Says which dispatches of a recording can be passes, and of the others in words why not."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from texelscope.pipeline.dialects.recordings.files import Files
from texelscope.pipeline.dialects.webgpu.contents import are_exact, bytes_of, uniforms_in
from texelscope.pipeline.dialects.webgpu.manifest import RecordedBinding, RecordedDispatch, WebgpuRecording
from texelscope.pipeline.dialects.webgpu.programs import WgslPrograms
from texelscope.pipeline.plan import EXACT_INTEGERS, ProgramSource, UniformValue
from texelscope.pipeline.wgsl.resources import Resource
from texelscope.pipeline.wgsl.types import ArrayOf, AtomicType, MatrixType, ScalarType, StructType, Type, VectorType

# What a tensor holds; other numbers are read by their bits. Whole numbers of one type are values of floats.
_FLOATS, _READ = frozenset({"f32"}), frozenset({"f32", "i32", "u32"})
_WHOLE: Mapping[frozenset[str], str] = MappingProxyType({frozenset({"i32"}): "int32", frozenset({"u32"}): "uint32"})
# The buffers of passes are as long as whole vectors.
_VECTOR_BYTES = 16
# Work groups in a buffer, along x, y and z.
_COUNTS = struct.Struct("<3I")
# Dispatches that a line names one by one.
_NAMED = 6


@dataclass(frozen=True)
class BoundBuffer:
    """A part of a buffer that a pass has as a storage block, with what its text declares it as.

    `is_measured` says that the text asks for its length. `numbers` is the dtype of whole numbers that it holds; empty
    for floats, and for anything else that is read by its bits.
    """

    binding: RecordedBinding
    variable: Resource
    is_measured: bool
    numbers: str

    @property
    def is_written(self) -> bool:
        """Whether the pass may write it."""
        return is_written(self.variable)


@dataclass(frozen=True)
class RunnableDispatch:
    """A dispatch that is a pass: `position` among the commands, its work groups, its buffers and its uniforms.

    `uniforms` are by the names that the page's text gives them.
    """

    name: str
    position: int
    dispatch: RecordedDispatch
    groups: tuple[int, int, int]
    buffers: tuple[BoundBuffer, ...]
    uniforms: Mapping[str, UniformValue]
    source: ProgramSource


@dataclass(frozen=True)
class RefusedDispatch:
    """A dispatch that is no pass, with its name, and in words why."""

    name: str
    reason: str


class Fitting:
    """Tries each dispatch of a recording."""

    def __init__(self, files: Files, recording: WebgpuRecording, programs: WgslPrograms) -> None:
        self._files = files
        self._recording = recording
        self._programs = programs

    def fit(self) -> tuple[tuple[RunnableDispatch, ...], tuple[RefusedDispatch, ...]]:
        """Returns the dispatches that are passes, in order, and the others.

        Raises TexelscopeError for a file that is missing or was changed, and for a text that was edited wrongly.
        """
        digits = len(str(len(self._recording.dispatches) - 1))
        runnable: list[RunnableDispatch] = []
        refused: list[RefusedDispatch] = []
        for position, command in enumerate(self._recording.commands):
            if not isinstance(command, RecordedDispatch):
                continue
            name = f"dispatch{len(runnable) + len(refused):0{digits}d}"
            found = self._fitted(name, position, command)
            if isinstance(found, str):
                refused.append(RefusedDispatch(name, found))
            else:
                runnable.append(found)
        return tuple(runnable), tuple(refused)

    def _fitted(self, name: str, position: int, dispatch: RecordedDispatch) -> RunnableDispatch | str:
        """Returns the dispatch as a pass, or in words why it is none."""
        variables = self._programs.variables(dispatch)
        if isinstance(variables, str):
            return variables
        bound = [
            (each, variables[each.group, each.binding])
            for each in dispatch.bindings if (each.group, each.binding) in variables
        ]  # fmt: skip
        groups = dispatch.groups or self._indirect(dispatch)
        reason = next(self._reasons(dispatch, bound, groups), "")
        if reason:
            return reason
        assert groups is not None
        text = self._programs.text(dispatch)
        buffers = tuple(
            BoundBuffer(binding, variable, _asks_for_length(text, variable), self._whole(binding, variable))
            for binding, variable in bound if variable.space == "storage"
        )  # fmt: skip
        uniforms: dict[str, UniformValue] = {}
        for binding, variable in bound:
            if variable.space == "uniform":
                assert binding.before is not None
                values = uniforms_in(bytes_of(self._files, self._recording.contents[binding.before]), variable)
                if isinstance(values, str):
                    return values
                uniforms.update(values)
        source = self._programs.source(dispatch, [each.variable.name for each in buffers])
        if isinstance(source, str):
            return source
        return RunnableDispatch(name, position, dispatch, groups, buffers, uniforms, source)

    def _reasons(
        self,
        dispatch: RecordedDispatch,
        bound: Sequence[tuple[RecordedBinding, Resource]],
        groups: tuple[int, int, int] | None,
    ) -> Iterator[str]:
        """Yields in words what of a dispatch a pass does not have."""
        text = self._programs.text(dispatch)
        for binding, variable in bound:
            if binding.buffer is None:
                yield f"'{variable.name}' is {binding.other}, which is not recorded"
                continue
            for number in (binding.before, *((binding.after,) if is_written(variable) else ())):
                content = None if number is None else self._recording.contents[number]
                if content is None or content.values is None:
                    why = "" if content is None else f": {content.missing}"
                    yield f"what '{variable.name}' held is not recorded{why}"
            if variable.space == "storage":
                yield from self._reasons_of_numbers(binding, variable)
            if _asks_for_length(text, variable) and binding.size_bytes % _VECTOR_BYTES:
                size = f"{binding.size_bytes} bytes, which are no multiple of {_VECTOR_BYTES}"
                yield f"it asks for the length of '{variable.name}' of {size}"
        if not any(is_written(variable) for _, variable in bound):
            yield "it writes no buffer"
        if groups is None:
            yield "its work groups are counted in a buffer that is not recorded"
        elif 0 in groups:
            yield "it has no work groups"

    def _whole(self, binding: RecordedBinding, variable: Resource) -> str:
        """Returns the dtype of whole numbers that floats hold exactly; empty for a buffer of anything else."""
        dtype = _WHOLE.get(_scalars_of(variable.type), "")
        number = binding.after if is_written(variable) else binding.before
        assert number is not None
        return dtype if dtype and are_exact(bytes_of(self._files, self._recording.contents[number]), dtype) else ""

    def _reasons_of_numbers(self, binding: RecordedBinding, variable: Resource) -> Iterator[str]:
        """Yields in words why no tensor holds the numbers of a buffer."""
        scalars = _scalars_of(variable.type)
        odd, others = sorted(scalars - _READ), sorted(scalars - _FLOATS)
        if odd:
            yield f"'{variable.name}' holds {', '.join(odd)}"
        elif is_written(variable) and others and not self._whole(binding, variable):
            what = f"numbers beyond {EXACT_INTEGERS}" if scalars in _WHOLE else "numbers of several types"
            yield f"it writes {what} ('{variable.name}': {', '.join(sorted(scalars))})"

    def _indirect(self, dispatch: RecordedDispatch) -> tuple[int, int, int] | None:
        """Returns the work groups that a buffer counts; None where that is not recorded."""
        content = None if dispatch.indirect is None else self._recording.contents[dispatch.indirect]
        if content is None or content.values is None or content.size_bytes != _COUNTS.size:
            return None
        x, y, z = _COUNTS.unpack(bytes_of(self._files, content))
        return x, y, z


def _asks_for_length(text: str, variable: Resource) -> bool:
    return re.search(rf"\barrayLength\s*\(\s*&\s*\(?\s*{re.escape(variable.name)}\b", text) is not None


def is_written(variable: Resource) -> bool:
    """Reports whether a program may write a variable."""
    return variable.space == "storage" and variable.access != "read"


def _scalars_of(kind: Type) -> frozenset[str]:
    """Returns how WGSL spells the types of the numbers that a value is made of; atomic ones are types of their own."""
    match kind:
        case ScalarType():
            return frozenset({kind.name})
        case VectorType() | MatrixType():
            return frozenset({kind.component.name})
        case AtomicType():
            return frozenset({f"atomic<{kind.value.name}>"})
        case ArrayOf():
            return _scalars_of(kind.element)
        case StructType():
            return frozenset(name for member in kind.members for name in _scalars_of(member.type))
        case _:
            return frozenset()


def not_run_lines(refused: Iterable[RefusedDispatch]) -> tuple[str, ...]:
    """Returns one line for each reason, with the dispatches that it holds of."""
    return tuple(_lines(refused))


def _lines(refused: Iterable[RefusedDispatch]) -> Iterator[str]:
    by_reason: dict[str, list[str]] = {}
    for each in refused:
        by_reason.setdefault(each.reason, []).append(each.name)
    for reason, names in by_reason.items():
        more = len(names) - _NAMED
        listed = ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        verb = "is" if len(names) == 1 else "are"
        yield f"{listed} {verb} not run here, and what was written is taken as recorded: {reason}."
