"""Whether a plan fits into memory, asked before a texture or an array of the oracle is made.

A software driver keeps textures in the machine's memory, and every comparison reads them back into it; what a
graphics card has of its own cannot be asked of OpenGL.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
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
# What a tensor is read back as, and the bounds that come with what is right of it end to end and of its pass alone.
_READ_BYTES, _BOUND_BYTES = 4, 2 * 8
# What the oracle holds beside, at times, for each element of the largest tensor: 25 to 60 bytes were measured for
# pointwise operators, convolutions, pools, resizes and normalisations.
_AT_TIMES_BYTES = 64
_CGROUPS = Path("/sys/fs/cgroup")
# By version of control groups, what one may take and what it has taken.
_CGROUP_FILES = (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes"))


def texture_bytes(stored: StoredTensor) -> int:
    """Bytes of a stored tensor's texture."""
    height, width = stored.texture_shape
    return height * width * stored.layout.lanes * np.dtype(DTYPES[stored.storage]).itemsize


@dataclass(frozen=True)
class Needed:
    """Bytes that a target takes at its peak, when all of it is compared: of textures, constants and the oracle."""

    textures: int
    constants: int
    oracle: int
    largest: str

    @property
    def total(self) -> int:
        """All of them."""
        return self.textures + self.constants + self.oracle

    def check(self, who: str, free_bytes: int | None = None) -> None:
        """Raises QuotaError if that is more than a target may take, TexelscopeError if it is more than there is free.

        Without `free_bytes` nobody knows how much there is.
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


def needed(plan: Plan) -> Needed:
    """What a plan needs, reckoned from its shapes."""
    graph, textures = plan.graph, plan.textures.values()
    of_textures = sum(texture_bytes(stored) for stored in textures)
    read = sum(_count(stored.shape) * _READ_BYTES for stored in textures if stored.role != "constant")
    if graph is not None:
        found = needed_by(graph)
        return Needed(of_textures, found.constants, found.oracle + read, found.largest)
    made = [(stored.key, stored.shape, "float32") for stored in textures if stored.role != "constant"]
    return Needed(of_textures, 0, _of_oracle(made) + read, _largest(made))


def needed_by(graph: Graph) -> Needed:
    """What a graph needs before it is planned: its constants and its oracle."""
    constants = sum(value.nbytes for value in graph.constants.values())
    return needed_for([graph.tensors[name] for name in _made(graph) if name in graph.tensors], constants)


def needed_for(tensors: Collection[TensorInfo], constant_bytes: int = 0) -> Needed:
    """What the oracle needs for those tensors, with constants that are there already."""
    made = [(info.name, info.shape, info.dtype) for info in tensors]
    return Needed(0, constant_bytes, _of_oracle(made), _largest(made))


def _made(graph: Graph) -> Iterable[str]:
    return (*graph.inputs, *(name for node in graph.nodes for name in node.outputs if name))


def _of_oracle(made: Collection[tuple[str, tuple[int, ...], str]]) -> int:
    """Bytes for what is right of tensors, and how far each element may be off."""
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
    except TypeError:  # one of those that numpy alone does not know: narrow ones
        return 4


def check_textures(who: str, textures: Collection[StoredTensor]) -> None:
    """Raises QuotaError if the textures alone are more than a target may take."""
    largest = max(textures, key=texture_bytes, default=None)
    of = f" of textures, the largest is '{largest.key}' {list(largest.shape)}" if largest is not None else ""
    hold(who, "memory_bytes", sum(map(texture_bytes, textures)), of)


def available_memory() -> int | None:
    """Bytes that can be had without pushing other programs out, of the machine and of the container that this runs in.

    None where the system does not tell.
    """
    try:
        of_machine = int(psutil.virtual_memory().available)
    except (OSError, psutil.Error):  # a sandbox without /proc
        return None
    return min([of_machine, *left_of_cgroups(_CGROUPS, _own_cgroups())])


def _own_cgroups() -> tuple[str, ...]:
    """Paths of the control groups that this process is in, below that of their kind."""
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return ()
    parts = [line.split(":", 2) for line in lines if line.count(":") >= 2]
    return tuple(dict.fromkeys(path for _, kinds, path in parts if kinds in ("", "memory")))


def left_of_cgroups(root: Path, groups: Iterable[str]) -> list[int]:
    """Bytes that control groups leave: those of this process and those around them, of each version below `root`.

    A container sees its own at the root, whatever it is called outside. What is kept of files alone is free.
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
    """Bytes in which a group keeps files that nobody reads at the moment, which go where memory is needed."""
    try:
        lines = (folder / "memory.stat").read_text().splitlines()
        return next((int(line.split()[1]) for line in lines if line.startswith("inactive_file ")), 0)
    except (OSError, ValueError, IndexError):
        return 0
