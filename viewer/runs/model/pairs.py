"""Pairs tensors of the present run with those of another one: by their names, unless a person pairs them otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from texelscope.pipeline.runs.run import HeldTensor, Run


class TensorPairs:
    """What a person has paired, by the number of the other run; `version` grows with each change."""

    def __init__(self) -> None:
        self._chosen: dict[int, dict[str, str]] = {}
        self.version = 0

    def choose(self, number: int, key: str, there: str | None) -> None:
        """Pairs a tensor here with one of the run of that number; with None, by their names again."""
        chosen = self._chosen.setdefault(number, {})
        if there is None:
            chosen.pop(key, None)
        else:
            chosen[key] = there
        self.version += 1

    def partners(self, number: int, here: Run, there: Run) -> dict[str, HeldTensor]:
        """Returns by key here the tensors of the other run, each pair of one shape or not."""
        from texelscope.pipeline.runs.difference import partners

        found = partners(here, there)
        for key, name in self._chosen.get(number, {}).items():
            held = there.find(name)
            if held is not None:
                found[key] = held
        return found

    def forget(self) -> None:
        """Drops everything, because another target is opened."""
        self._chosen.clear()
        self.version += 1
