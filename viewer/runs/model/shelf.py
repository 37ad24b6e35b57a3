"""Stores kept runs within limits; drops the oldest edits first, and says so."""

from __future__ import annotations

from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.runs.model.kept import KeptRun, kept_bytes

# Limit for the tensors of all runs together, on the CPU.
MOST_BYTES = 512 << 20
# Limit for states before an edit; only the user drops pinned ones.
MOST_EDITS = 8


class Shelf:
    """Stores runs; `runs` are in display order: edits, the newest first, then pinned runs, then targets."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._runs: list[KeptRun] = []
        self._number = 0

    @property
    def runs(self) -> tuple[KeptRun, ...]:
        """All runs."""
        order = {"edit": 0, "pin": 1, "target": 2}
        return tuple(sorted(self._runs, key=lambda each: (order[each.kind], -each.number)))

    @property
    def bytes(self) -> int:
        """The memory that they take."""
        return kept_bytes(self._runs)

    def find(self, number: int) -> KeptRun | None:
        """Returns the run of that number, if it is still kept."""
        return next((each for each in self._runs if each.number == number), None)

    def next_number(self) -> int:
        """Returns a number that no run has had."""
        self._number += 1
        return self._number

    def clear(self) -> None:
        """Drops all runs, for another session."""
        self._runs.clear()

    def drop(self, number: int) -> None:
        """Drops a run."""
        self._runs = [each for each in self._runs if each.number != number]

    def keep(self, run: KeptRun) -> tuple[str, ...]:
        """Adds a run, replacing one of its number; returns a line for each run that was dropped for it.

        Raises TexelscopeError for a pinned run that has no room beside other pinned ones; other runs lose their largest
        tensors.
        """
        others = [each for each in self._runs if each.number != run.number]
        said = []
        edits = sorted((each for each in others if each.kind == "edit"), key=lambda each: each.number)
        while edits and (
            kept_bytes([*others, run]) > self._most_bytes or (run.kind == "edit" and len(edits) >= MOST_EDITS)
        ):
            oldest = edits.pop(0)
            others.remove(oldest)
            said.append(f"'{oldest.title}' was dropped: {self._bound}.")
        if kept_bytes([*others, run]) > self._most_bytes:
            if run.kind == "pin":
                megabytes = kept_bytes([*others, run]) / 1e6
                raise TexelscopeError(
                    "Pin",
                    f"runs of at most {self._most_bytes / 1e6:.0f} MB together",
                    f"{megabytes:.0f} MB",
                    "Drop one.",
                )
            run = self._cut(run, others)
            said.append(f"'{run.title}' was kept without {_names(run.left_out)}: {self._bound}.")
        self._runs = [*others, run]
        return tuple(said)

    @property
    def _bound(self) -> str:
        return f"at most {MOST_EDITS} edits and {self._most_bytes / 1e6:.0f} MB of tensors are kept"

    def _cut(self, run: KeptRun, others: list[KeptRun]) -> KeptRun:
        """Returns the run without as many of its largest tensors as necessary."""
        largest = sorted(run.run.tensors, key=lambda each: each.values.nbytes, reverse=True)
        for count in range(1, len(largest) + 1):
            rest = run.without(each.name for each in largest[:count])
            if kept_bytes([*others, rest]) <= self._most_bytes:
                return rest
        return run.without(each.name for each in largest)


def _names(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more tensors"
