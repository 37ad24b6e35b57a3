"""What one version of a plan leaves of another: the least that a running session has to do over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import Pass, Plan, StoredTensor


@dataclass(frozen=True)
class PlanChange:
    """The difference between two plans; passes by name, tensors by key.

    `restored_tensors` are gone or stored in another way, so that their textures go. `rewired_passes` read, write
    or are given something else; `new_sources` are those, in both plans, whose shader is another, `edited_passes`
    those of them with another text, not just other sizes in it.
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
        """What changed from `old` to `new`."""
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


def _wiring(each: Pass) -> tuple[object, ...]:
    return each.samplers, each.dispatch, dict(each.uniforms)
