"""How much memory a run's textures take, and how little it could: which tensors are alive at once.

A tensor is alive from the step that makes it to the last one that reads it; what the model gives stays. A session
keeps a texture for every tensor, so that each can be looked at; the largest set that is alive at once is what a run
needs that nobody looks into.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.plan import Plan
from texelscope.pipeline.planning.memory import texture_bytes


@dataclass(frozen=True)
class PlannedRun:
    """What runs at once, a pass or several that are fused into one: keys of the tensors that it reads and writes."""

    name: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]


@dataclass(frozen=True)
class Alive:
    """The tensors that are alive during the step called `step`, by key, and their `bytes` together."""

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
        """Bytes of a texture for every tensor."""
        return self.inputs + self.constants + self.activations

    @property
    def alive(self) -> int:
        """Bytes of the inputs and of the largest set of activations alive at once."""
        return self.inputs + (self.largest.bytes if self.largest is not None else 0)

    @property
    def least(self) -> int:
        """Bytes that a run needs at least: what is alive at once, and constants."""
        return self.alive + self.constants


def memory_use(plan: Plan, steps: Sequence[PlannedRun] | None = None) -> MemoryUse:
    """What the textures of a plan take; `steps` are those that it runs in, its passes unless said otherwise."""
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
    """The passes of a plan as steps."""
    return tuple(PlannedRun(each.name, each.reads, each.outputs) for each in plan.passes)


def largest_alive(steps: Sequence[PlannedRun], sizes: Mapping[str, int], kept: Collection[str]) -> Alive | None:
    """The largest set of the tensors in `sizes` (bytes by key) that is alive at once; those `kept` live to the end.

    While a step runs, what it reads and what it writes are both alive. A tensor that no step makes was put in from
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
    """By key, the positions of the first and of the last step during which the tensor is alive."""
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
