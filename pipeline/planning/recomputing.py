"""Finds what to compute again: passes that depend on given tensors, and what differs between two versions of a plan."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import Pass, Plan, StoredTensor


class Dependencies:
    """Follows tensors, by key, through passes that are in an order in which they run."""

    def __init__(self, passes: Sequence[Pass]) -> None:
        self._passes = passes

    def followers(self, keys: Collection[str]) -> tuple[Pass, ...]:
        """Returns the passes that depend on one of the tensors `keys`, in order."""
        return self._followers(keys, len(self._passes))

    def outdated(self, keys: Collection[str], valid: AbstractSet[str]) -> set[str]:
        """Returns those of the tensors `valid` to compute again as those of `keys` change; others may be among them.

        Where little was computed, little is searched: a model of thousands of passes may be run pass by pass.
        """
        end = max(map(self._made_at.__getitem__, self._made_at.keys() & valid), default=-1) + 1
        return {key for each in self._followers(keys, end) for key in each.outputs}

    def _followers(self, keys: Collection[str], end: int) -> tuple[Pass, ...]:
        made, found = set(keys), []
        first = min((self._read_at.get(key, end) for key in made), default=end)
        for each in self._passes[first:end]:
            if not made.isdisjoint(each.reads):
                made.update(each.outputs)
                found.append(each)
        return tuple(found)

    def makers(self, key: str, there: Collection[str]) -> tuple[Pass, ...]:
        """Returns the passes needed, in order, to make the tensor from the tensors that are `there`."""
        wanted, found = {key} - set(there), []
        for each in reversed(self._passes):
            if not wanted.isdisjoint(each.outputs):
                wanted.update(key for key in each.reads if key not in there)
                found.append(each)
        return tuple(reversed(found))

    @cached_property
    def _read_at(self) -> Mapping[str, int]:
        """By key, the index of the first pass that reads the tensor."""
        return {key: i for i, each in reversed(tuple(enumerate(self._passes))) for key in each.reads}

    @cached_property
    def _made_at(self) -> Mapping[str, int]:
        """By key, the index of the last pass that makes the tensor."""
        return {key: i for i, each in enumerate(self._passes) for key in each.outputs}


@dataclass(frozen=True)
class PlanChange:
    """The difference between two plans; passes by name, tensors by key.

    `restored_tensors` are gone or stored in another way, so that their textures go. `rewired_passes` have other inputs,
    outputs or parameters; `new_sources` are passes of both plans with another shader, and `edited_passes` those of them
    whose text changed beyond its sizes.
    """

    gone_passes: frozenset[str]
    restored_tensors: frozenset[str]
    rewritten_constants: frozenset[str]
    rewired_passes: frozenset[str]
    new_sources: tuple[str, ...]
    edited_passes: frozenset[str]
    new_inputs: Mapping[str, NDArray[Any]]

    @classmethod
    def between(cls, old: Plan, new: Plan) -> PlanChange:
        """Returns what changed from `old` to `new`."""
        before = {each.name: each for each in old.passes}
        common = {each.name: (before[each.name], each) for each in new.passes if each.name in before}
        restored = {key for key, stored in old.textures.items() if not _stored_alike(stored, new.textures.get(key))}
        constants = {key for key in new.textures if _is_rewritten(key, old, new, restored)}
        rewired = {each.name for each in new.passes if each.name not in before}
        for name, (was, now) in common.items():
            is_retargeted = was.outputs != now.outputs or restored & set(was.outputs)
            if is_retargeted or _wiring(was) != _wiring(now) or not (restored | constants).isdisjoint(now.reads):
                rewired.add(name)
        sources = {
            name: (was.program, now.program) for name, (was, now) in common.items() if was.program != now.program
        }
        edited = {name for name, (was, now) in sources.items() if name not in rewired or was.files != now.files}
        return cls(
            gone_passes=frozenset(before.keys() - common.keys()),
            restored_tensors=frozenset(restored),
            rewritten_constants=frozenset(constants),
            rewired_passes=frozenset(rewired),
            new_sources=tuple(sources),
            edited_passes=frozenset(edited),
            new_inputs={
                key: value
                for key, value in new.initial_inputs.items()
                if key in restored or not _same(old.initial_inputs.get(key), value)
            },
        )


def _stored_alike(was: StoredTensor, now: StoredTensor | None) -> bool:
    if now is None:
        return False
    if was.quantization != now.quantization:
        return False
    return (was.shape, was.layout, was.storage, was.role) == (now.shape, now.layout, now.storage, now.role)


def _is_rewritten(key: str, old: Plan, new: Plan, restored: set[str]) -> bool:
    """Whether a constant of the new plan is not in its texture yet."""
    now = new.textures[key]
    if now.role != "constant":
        return False
    if key in restored or key not in old.textures:
        return True
    return not _same(old.constant(old.textures[key].tensor), new.constant(now.tensor))


def _same(was: NDArray[Any] | None, now: NDArray[Any] | None) -> bool:
    if was is now:
        return True
    return was is not None and now is not None and np.array_equal(was, now, equal_nan=was.dtype.kind == "f")


def _wiring(shader_pass: Pass) -> tuple[object, ...]:
    return shader_pass.samplers, shader_pass.dispatch, dict(shader_pass.uniforms)
