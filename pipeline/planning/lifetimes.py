"""Computes the memory that a run's textures take, and the least it could: which tensors are alive at once.

A tensor is alive from the step that makes it to the last one that reads it; the model's own tensors stay. A session
keeps a texture for every tensor, so that each can be viewed; a run that nobody inspects needs only the largest set that
is alive at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.plan import Plan
from texelscope.pipeline.planning.memory import texture_bytes


@dataclass(frozen=True)
class PlannedRun:
    """One step of a run, a pass or several fused into one: keys of the tensors that it reads and writes."""

    name: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]


@dataclass(frozen=True)
class Alive:
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
    largest: Alive | None

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


def largest_alive(steps: Sequence[PlannedRun], sizes: Mapping[str, int], kept: Collection[str]) -> Alive | None:
    """Finds the largest set of tensors in `sizes` (bytes by key) alive at once; those `kept` live to the end.

    While a step runs, its inputs and its outputs are both alive. A tensor that no step makes was put in from
    outside: it lives from the beginning. None without steps or tensors; of several sets as large the first.
    """
    first, last = _spans(steps, sizes, kept)
    found: Alive | None = None
    for position, step in enumerate(steps):
        keys = tuple(key for key in sizes if key in first and first[key] <= position <= last[key])
        size = sum(sizes[key] for key in keys)
        if keys and (found is None or size > found.bytes):
            found = Alive(step.name, keys, size)
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
