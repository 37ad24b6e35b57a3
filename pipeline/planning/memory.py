"""Checks whether a plan fits into memory, and computes the memory that a run's textures take, and the least it could.

A software driver keeps textures in the machine's memory, and every comparison reads them back into it; OpenGL does not
report a graphics card's own memory.

A tensor is alive from the step that makes it to the last one that reads it; the model's own tensors stay. A session
keeps a texture for every tensor, so that each can be viewed; a run that nobody inspects needs only the largest set that
is alive at once.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, TensorInfo
from texelscope.pipeline.plan import Plan, StoredTensor
from texelscope.pipeline.planning.storage import DTYPES
from texelscope.pipeline.quotas import hold

_GIB = float(1 << 30)
# A tensor read back, and the bounds of its expected values end to end and of its pass alone.
_READ_BYTES, _BOUND_BYTES = 4, 2 * 8
# The oracle's further bytes, at times, for each element of the largest tensor: 25 to 60 were measured for pointwise
# operators, convolutions, pools, resizes and normalisations.
_AT_TIMES_BYTES = 64
_CGROUPS = Path("/sys/fs/cgroup")
# The limit of a control group and what it has taken, by version.
_CGROUP_FILES = (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes"))


def texture_bytes(stored: StoredTensor) -> int:
    """Returns the bytes of a stored tensor's texture."""
    height, width = stored.texture_shape
    return height * width * stored.layout.lanes * np.dtype(DTYPES[stored.storage]).itemsize


@dataclass(frozen=True)
class MemoryNeed:
    """Counts the bytes of a target at its peak, when all of it is compared: of textures, constants and the oracle."""

    textures: int
    constants: int
    oracle: int
    largest: str

    @property
    def total(self) -> int:
        """The sum."""
        return self.textures + self.constants + self.oracle

    def check(self, who: str, free_bytes: int | None = None) -> None:
        """Raises QuotaError if a target may not take that much, TexelscopeError if less is free.

        Without `free_bytes` it is unknown how much is free.
        """
        of = f", the largest tensor is {self.largest}" if self.largest else ""
        hold(who, "memory_bytes", self.total, of)
        if free_bytes is not None and self.total > free_bytes:
            raise TexelscopeError(
                who,
                f"a target of at most {free_bytes / _GIB:.1f} GiB, the memory that is free",
                f"{self.total / _GIB:.1f} GiB{of}",
                "Use a smaller --shape, or close other programs.",
            )


def needed(plan: Plan) -> MemoryNeed:
    """Estimates what a plan needs, from its shapes."""
    graph, textures = plan.graph, plan.textures.values()
    of_textures = _together(textures)
    read = sum(_count(stored.shape) * _READ_BYTES for stored in textures if stored.role != "constant")
    if graph is not None:
        found = needed_by(graph)
        return MemoryNeed(of_textures, found.constants, found.oracle + read, found.largest)
    made = [(stored.key, stored.shape, "float32") for stored in textures if stored.role != "constant"]
    has_oracle = plan.oracle_file is not None or plan.recorded is not None
    return MemoryNeed(of_textures, 0, (_of_oracle(made) if has_oracle else 0) + read, _largest(made))


def needed_by(graph: Graph) -> MemoryNeed:
    """Estimates what a graph needs before it is planned: its constants and its oracle."""
    constants = sum(value.nbytes for value in graph.constants.values())
    return needed_for([graph.tensors[name] for name in _made(graph) if name in graph.tensors], constants)


def needed_for(tensors: Collection[TensorInfo], constant_bytes: int = 0) -> MemoryNeed:
    """Estimates what the oracle needs for those tensors, with constants that are there already."""
    made = [(info.name, info.shape, info.dtype) for info in tensors]
    return MemoryNeed(0, constant_bytes, _of_oracle(made), _largest(made))


def _made(graph: Graph) -> Iterable[str]:
    return (*graph.inputs, *(name for node in graph.nodes for name in node.outputs if name))


def _of_oracle(made: Collection[tuple[str, tuple[int, ...], str]]) -> int:
    """Counts the bytes of the tensors' expected values and bounds."""
    kept = sum(_count(shape) * (2 * _item_bytes(dtype) + _BOUND_BYTES) for _, shape, dtype in made)
    return kept + _AT_TIMES_BYTES * max((_count(shape) for _, shape, _ in made), default=0)


def _largest(made: Collection[tuple[str, tuple[int, ...], str]]) -> str:
    name, shape, _ = max(made, key=lambda each: _count(each[1]), default=("", (), ""))
    return f"'{name}' {list(shape)}" if made else ""


def _count(shape: tuple[int, ...]) -> int:
    return math.prod(shape)


def _item_bytes(dtype: str) -> int:
    try:
        return np.dtype(dtype).itemsize
    except TypeError:  # a narrow type, which numpy alone does not know
        return 4


def check_textures(who: str, textures: Collection[StoredTensor]) -> None:
    """Raises QuotaError if the textures alone are more than a target may take."""
    largest = max(textures, key=texture_bytes, default=None)
    of = f" of textures, the largest is '{largest.key}' {list(largest.shape)}" if largest is not None else ""
    hold(who, "memory_bytes", _together(textures), of)


def _together(textures: Collection[StoredTensor]) -> int:
    """Returns the bytes of the textures of these tensors; several tensors may share one."""
    alone = sum(texture_bytes(stored) for stored in textures if not stored.layout.atlas)
    return alone + sum(
        {stored.layout.atlas: texture_bytes(stored) for stored in textures if stored.layout.atlas}.values()
    )


def available_memory() -> int | None:
    """Returns the bytes that are free without pushing other programs out, of the machine and of its container.

    None where the system does not report it.
    """
    try:
        of_machine = int(psutil.virtual_memory().available)
    except (OSError, psutil.Error):  # a sandbox without /proc
        return None
    return min([of_machine, *left_of_cgroups(_CGROUPS, _own_cgroups())])


def _own_cgroups() -> tuple[str, ...]:
    """Returns the paths of the control groups that this process is in, below that of their kind."""
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return ()
    parts = [line.split(":", 2) for line in lines if line.count(":") >= 2]
    return tuple(dict.fromkeys(path for _, kinds, path in parts if kinds in ("", "memory")))


def left_of_cgroups(root: Path, groups: Iterable[str]) -> list[int]:
    """Returns the bytes that control groups leave: this process's and those around them, of each version below `root`.

    A container sees its own at the root, whatever its name is outside. Memory that only caches files is free.
    """
    folders = {root, root / "memory"}
    for group in groups:
        own = Path(group.strip("/"))
        if ".." not in own.parts:
            folders.update(top / part for top in (root, root / "memory") for part in (own, *own.parents))
    found = []
    for folder in sorted(folders):
        for most, taken in _CGROUP_FILES:
            try:
                left = int((folder / most).read_text()) - int((folder / taken).read_text()) + _of_files(folder)
            except (OSError, ValueError):  # there is none, or it says "max"
                continue
            found.append(max(left, 0))
    return found


def _of_files(folder: Path) -> int:
    """Returns the bytes of a group's cached files that nobody reads at the moment, which are freed on demand."""
    try:
        lines = (folder / "memory.stat").read_text().splitlines()
        return next((int(line.split()[1]) for line in lines if line.startswith("inactive_file ")), 0)
    except (OSError, ValueError, IndexError):
        return 0


@dataclass(frozen=True)
class PlannedRun:
    """One step of a run, a pass or several fused into one: keys of the tensors that it reads and writes."""

    name: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]


@dataclass(frozen=True)
class LiveTensors:
    """Names the tensors that are alive during the step called `step`, by key, and their `bytes` together."""

    step: str
    keys: tuple[str, ...]
    bytes: int


@dataclass(frozen=True)
class MemoryUse:
    """Bytes of a plan's textures, by role; `largest` is the largest set of activations alive at once.

    Inputs and constants are there throughout. None where there is no activation.
    """

    inputs: int
    constants: int
    activations: int
    largest: LiveTensors | None

    @property
    def total(self) -> int:
        """The bytes of a texture for every tensor."""
        return self.inputs + self.constants + self.activations

    @property
    def alive(self) -> int:
        """The bytes of the inputs and of the largest set of activations alive at once."""
        return self.inputs + (self.largest.bytes if self.largest is not None else 0)

    @property
    def least(self) -> int:
        """The least bytes for a run: of the tensors alive at once, and of constants."""
        return self.alive + self.constants


def memory_use(plan: Plan, steps: Sequence[PlannedRun] | None = None) -> MemoryUse:
    """Returns the memory of a plan's textures; `steps`, by default its passes, are those of the run."""
    sizes = {key: texture_bytes(stored) for key, stored in plan.textures.items()}
    roles = {key: stored.role for key, stored in plan.textures.items()}
    of_role = {
        role: sum(sizes[key] for key, its in roles.items() if its == role)
        for role in ("input", "constant", "activation")
    }
    activations = {key: size for key, size in sizes.items() if roles[key] == "activation"}
    return MemoryUse(
        inputs=of_role["input"],
        constants=of_role["constant"],
        activations=of_role["activation"],
        largest=largest_alive(steps_of(plan) if steps is None else steps, activations, plan.outputs),
    )


def steps_of(plan: Plan) -> tuple[PlannedRun, ...]:
    """Returns the passes of a plan as steps."""
    return tuple(PlannedRun(each.name, each.reads, each.outputs) for each in plan.passes)


def largest_alive(steps: Sequence[PlannedRun], sizes: Mapping[str, int], kept: Collection[str]) -> LiveTensors | None:
    """Finds the largest set of tensors in `sizes` (bytes by key) alive at once; those `kept` live to the end.

    While a step runs, its inputs and its outputs are both alive. A tensor that no step makes was put in from
    outside: it lives from the beginning. None without steps or tensors; of several sets as large the first.
    """
    first, last = _spans(steps, sizes, kept)
    found: LiveTensors | None = None
    for position, step in enumerate(steps):
        keys = tuple(key for key in sizes if key in first and first[key] <= position <= last[key])
        size = sum(sizes[key] for key in keys)
        if keys and (found is None or size > found.bytes):
            found = LiveTensors(step.name, keys, size)
    return found


def _spans(
    steps: Sequence[PlannedRun], wanted: Iterable[str], kept: Collection[str]
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Returns by key the positions of the first and of the last step during which the tensor is alive."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for position, step in enumerate(steps):
        for key in step.reads:
            first.setdefault(key, 0)
            last[key] = position
        for key in step.writes:
            first.setdefault(key, position)
            last[key] = max(last.get(key, position), position)
    last.update({key: len(steps) - 1 for key in wanted if key in kept and key in first})
    return first, last
