"""Builds the compute part of a `[[pass]]`: the bindings of blocks and images, constants, work groups."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, cast, get_args

import numpy as np

from texelscope.layouts import Layout
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.frames import PREVIOUS
from texelscope.pipeline.front_ends.languages import SUFFIXES
from texelscope.pipeline.glsl.ncnn.modes import MODES, NcnnMode
from texelscope.pipeline.glsl.resources import StorageBlock, blocks_of
from texelscope.pipeline.glsl.vulkan import Constant, DeclaredConstant, vulkan_to_gl
from texelscope.pipeline.pipeline_file.declarations import Uniform
from texelscope.pipeline.pipeline_file.sizes import AXES, whole_numbers
from texelscope.pipeline.pipeline_file.table import Problems, Table
from texelscope.pipeline.pipeline_file.uniform_values import uniform_value
from texelscope.pipeline.plan import (
    BufferBinding,
    Dispatch,
    ImageBinding,
    ProgramSource,
    Stage,
    Storage,
    StoredTensor,
    UniformValue,
)
from texelscope.pipeline.planning.storage import PACKED

SUFFIX = ".comp"
_OF_ANY_STAGE = (".glsl", *SUFFIXES)
KEYS = ("buffers", "images", "push", "specialization", "dispatch", "ncnn")
# Keys of a drawn pass too, whose text is Vulkan's.
_CONSTANTS = ("push", "specialization")
_NCNN = ("mode", "local_size")
_BUFFER = ("tensor", "previous", "first", "layout", "dtype", "starts_as")
_IMAGE = (*_BUFFER, "size")
# Types of buffers and images.
_STORAGES = tuple(each for each in get_args(Storage) if each not in PACKED)

Tensors = Mapping[str, StoredTensor]
# Returns a uniform's value from what the file says of it.
Evaluate = Callable[[str, Any, "Uniform | None", Tensors], UniformValue]


@dataclass(frozen=True)
class BoundEntry:
    """The binding of a block or an image; `layout` and `storage` only where the file gives them, `size` unread.

    `previous` and `first` are as for a texture; `start` has those of what an output starts as.
    """

    name: str
    tensor: str
    layout: Layout | None = None
    storage: Storage | None = None
    starts_as: str = ""
    size: Any = None
    previous: str = ""
    first: str = ""
    start: BoundEntry | None = None


@dataclass(frozen=True)
class ComputeEntry:
    """Holds the keys of a dispatched pass, with numbers and expressions as in the file.

    A shader in ncnn's dialect is read in the mode `ncnn_mode`, in work groups of `ncnn_local_size`.
    """

    buffers: tuple[BoundEntry, ...] = ()
    images: tuple[BoundEntry, ...] = ()
    push: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    specialization: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    dispatch: Any = None
    ncnn_mode: NcnnMode = MODES[0]
    ncnn_local_size: tuple[int, int, int] = (4, 4, 4)

    @property
    def bound(self) -> dict[str, BoundEntry]:
        """The bindings by key of the file (`buffers.NAME`, `images.NAME`)."""
        return {
            **{f"buffers.{each.name}": each for each in self.buffers},
            **{f"images.{each.name}": each for each in self.images},
        }


def read_compute(table: Table, shader: str | None) -> ComputeEntry | None:
    """Reads the compute part of a pass; returns None for a drawn one. Problems are recorded."""
    given = [key for key in KEYS if key in table.values and key not in _CONSTANTS]
    # A .glsl file, and one of another language, may hold any stage: what is dispatched is a compute shader, and so is
    # what has buffers.
    name = (shader or "").lower()
    is_compute = name.endswith((SUFFIX, *SUFFIXES)) if given else name.endswith(SUFFIX)
    is_compute = is_compute or (name.endswith(_OF_ANY_STAGE) and "dispatch" in table.values)
    if not is_compute:
        if given and shader is not None:
            table.problem(given[0], f"a compute shader ({SUFFIX})", f"'{shader}'", "Rename it, or remove the key.")
        return None
    if "vertex" in table.values:
        table.problem("vertex", "none for a compute shader", "one", "Remove it.")
    if "dispatch" not in table.values:
        expected, advice = "work groups along x, y and z", "For example dispatch = [8, 8, 1]."
        table.problem("dispatch", expected, "nothing", advice)
    return ComputeEntry(
        _bound(table, "buffers", _BUFFER),
        _bound(table, "images", _IMAGE),
        _named(table, "push"),
        _named(table, "specialization"),
        table.values.get("dispatch"),
        *_ncnn(table),
    )


def read_constants(table: Table) -> ComputeEntry | None:
    """Reads the push and specialization constants of a drawn pass; returns None where it has none."""
    if not any(key in table.values for key in _CONSTANTS):
        return None
    return ComputeEntry(push=_named(table, "push"), specialization=_named(table, "specialization"))


def _ncnn(table: Table) -> tuple[NcnnMode, tuple[int, int, int]]:
    inner = table.table("ncnn")
    if inner is None:
        return MODES[0], (4, 4, 4)
    inner.check_keys(_NCNN)
    name = inner.choice("mode", tuple(mode.name for mode in MODES), MODES[0].name)
    size = inner.values.get("local_size", [4, 4, 4])
    if not isinstance(size, list) or len(size) != AXES or not all(type(each) is int and each > 0 for each in size):
        inner.problem("local_size", "invocations along x, y and z", str(size), "For example local_size = [8, 8, 1].")
        size = [4, 4, 4]
    return next(mode for mode in MODES if mode.name == name), (size[0], size[1], size[2])


def _named(table: Table, key: str) -> Mapping[str, Any]:
    inner = table.table(key)
    return MappingProxyType({} if inner is None else dict(inner.values))


def _bound(table: Table, key: str, keys: tuple[str, ...]) -> tuple[BoundEntry, ...]:
    inner = table.table(key)
    found = []
    for name in inner.values if inner is not None else ():
        assert inner is not None
        if isinstance(inner.values[name], str):
            found.append(BoundEntry(name, inner.text(name, described="a tensor's name") or ""))
        elif (each := inner.table(name)) is not None:
            each.check_keys(keys)
            tensor, previous, first = bound_tensor(each)
            start = _start_entry(name, each)
            storage = each.choice("dtype", _STORAGES, "") or None
            found.append(
                BoundEntry(
                    name,
                    tensor,
                    each.layout("layout", required=False),
                    cast("Storage | None", storage),
                    start.tensor if start is not None else "",
                    each.values.get("size"),
                    previous,
                    first,
                    start,
                )
            )
    return tuple(found)


def _start_entry(name: str, table: Table) -> BoundEntry | None:
    """Returns what an output starts as: a tensor by its name, or a table for one of the frame before."""
    if not isinstance(table.values.get("starts_as"), dict):
        tensor = table.text("starts_as")
        return BoundEntry(name, tensor) if tensor else None
    inner = table.table("starts_as")
    assert inner is not None
    inner.check_keys(("tensor", "previous", "first"))
    tensor, previous, first = bound_tensor(inner)
    return BoundEntry(name, tensor, previous=previous, first=first)


def bound_tensor(table: Table) -> tuple[str, str, str]:
    """Returns the tensor of a binding; for one of the frame before also that tensor's name and its first value."""
    previous, first = table.text("previous") or "", table.text("first") or ""
    if "previous" not in table.values:
        if first:
            table.problem("first", "'previous' beside it", "none", "It gives the values of frame 0.")
        return table.text("tensor", required=True) or "", "", ""
    if "tensor" in table.values:
        table.problem("tensor", "either tensor or previous", "both", "Keep one.")
    return f"{previous}{PREVIOUS}" if previous else "", previous, first


class ComputePart:
    """Makes the compute part of one pass; problems are recorded under `title`."""

    def __init__(
        self, title: str, shader: str, entry: ComputeEntry, tensors: Tensors, problems: Problems, evaluate: Evaluate
    ) -> None:
        """`tensors` are those that expressions may name; `evaluate` gives push constants their values."""
        self._title = title
        self._shader = shader
        self._entry = entry
        self._tensors = tensors
        self._problems = problems
        self._evaluate = evaluate

    def program(self, program: ProgramSource, stage: Stage) -> tuple[ProgramSource, tuple[DeclaredConstant, ...]]:
        """Returns the program for OpenGL, with the file's values of its constants, and its push constants."""
        texts = [each for each in (program.fragment, program.vertex) if each]
        values = self._values([constant for text in texts for constant in vulkan_to_gl(text, {}).constants])
        own = vulkan_to_gl(program.fragment, values)
        if program.vertex is None:
            return dataclasses.replace(program, fragment=own.text, stage=stage), own.push
        other = vulkan_to_gl(program.vertex, values)
        push = {each.name: each for each in (*other.push, *own.push)}
        made = dataclasses.replace(program, fragment=own.text, vertex=other.text, stage=stage)
        return made, tuple(push.values())

    def _values(self, known: Sequence[DeclaredConstant]) -> dict[str, Constant]:
        """Returns the file's values of specialization constants."""
        values: dict[str, Constant] = {}
        for name, raw in self._entry.specialization.items():
            constant = next((each for each in known if name in (each.name, str(each.number))), None)
            if constant is None:
                names = [each.name for each in known]
                what = f"a specialization constant that {self._shader} has"
                self._problems.add(self._title, f"specialization.{name}", what, f"'{name}'", nearest(name, names))
                continue
            value = self._value(f"specialization.{name}", raw, as_uniform(constant))
            if value is not None and not isinstance(value, tuple):
                values[name] = value
        return values

    def push(self, known: tuple[DeclaredConstant, ...]) -> dict[str, UniformValue]:
        """Returns the push constants that the file sets, by uniform."""
        found: dict[str, UniformValue] = {}
        for name, raw in self._entry.push.items():
            declared = next((each for each in known if each.name == name), None)
            if declared is None:
                what = f"a push constant that {self._shader} has"
                names = [each.name for each in known]
                self._problems.add(self._title, f"push.{name}", what, f"'{name}'", nearest(name, names))
            elif (value := self._value(f"push.{name}", raw, as_uniform(declared), declared.uniform)) is not None:
                found[declared.uniform] = value
        return found

    def unset(self, known: tuple[DeclaredConstant, ...]) -> list[DeclaredConstant]:
        """Returns the push constants that the file leaves at 0."""
        return [each for each in known if each.name not in self._entry.push]

    def dispatch(self, bound: Mapping[str, StoredTensor | None], program: ProgramSource) -> Dispatch | None:
        """Returns the dispatch of `bound` (by key of the file) tensors; None if numbers are wrong."""
        groups = self._numbers("dispatch", self._entry.dispatch, range(1, AXES + 1))
        blocks = blocks_of(program.fragment)
        buffers = [
            BufferBinding(
                each.name, stored.key, _start(bound, f"buffers.{each.name}"), _numbers_in(stored, blocks.get(each.name))
            )
            for each in self._entry.buffers
            if (stored := bound[f"buffers.{each.name}"]) is not None
        ]
        images = [
            ImageBinding(each.name, stored.key, self._size(each), _start(bound, f"images.{each.name}"))
            for each in self._entry.images
            if (stored := bound[f"images.{each.name}"]) is not None
        ]
        if groups is None:
            return None
        x, y, z = (*groups, 1, 1)[:AXES]
        return Dispatch((x, y, z), tuple(buffers), tuple(images))

    def _size(self, each: BoundEntry) -> tuple[int, ...]:
        if each.size is None:
            return ()
        return self._numbers(f"images.{each.name}.size", each.size, range(1, AXES + 1)) or ()

    def _numbers(self, key: str, raw: Any, lengths: Sequence[int]) -> tuple[int, ...] | None:
        """Returns whole numbers from a literal, an expression or an array of them, rounding work groups up."""
        if raw is None:
            return None
        return whole_numbers(self._problems, self._title, key, raw, lengths, self._tensors)

    def _value(self, key: str, raw: Any, declared: Uniform, uniform: str = "") -> UniformValue | None:
        """Returns a value; that of a `uniform` may change from frame to frame."""
        try:
            if uniform:
                return self._evaluate(uniform, raw, declared, self._tensors)
            return uniform_value(raw, declared, self._tensors)
        except TexelscopeError as error:
            got = f"{error.got} in {error.who}" if error.who.startswith("expression") else error.got
            self._problems.add(self._title, key, error.expected, got, error.do_next)
            return None


def _numbers_in(stored: StoredTensor, block: StorageBlock | None) -> str:
    """Returns the type of the whole numbers that a block has of a tensor of such; empty for one of floats."""
    is_whole = np.dtype(stored.dtype).kind in "iub" and stored.storage == "float32"
    return block.numbers if block is not None and is_whole else ""


def _start(bound: Mapping[str, StoredTensor | None], key: str) -> str:
    start = bound.get(f"{key}.starts_as")
    return start.key if start is not None else ""


def as_uniform(declared: DeclaredConstant) -> Uniform:
    """Converts a push constant for the rules by which a uniform takes its value."""
    return Uniform(declared.name, declared.type, declared.count, declared.line, 2, has_precision=False)
