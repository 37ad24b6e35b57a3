"""The runs that are kept, within bounds: what is dropped, oldest edits first, is said."""

from __future__ import annotations

from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.runs.kept import KeptRun, kept_bytes

# Tensors of all runs together, on the CPU.
MOST_BYTES = 512 << 20
# States before an edit; pinned ones are dropped by who pinned them.
MOST_EDITS = 8


class Shelf:
    """`runs` in the order in which they are offered: edits, the newest first, then what was pinned, then targets."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._runs: list[KeptRun] = []
        self._number = 0

    @property
    def runs(self) -> tuple[KeptRun, ...]:
        """All of them."""
        order = {"edit": 0, "pin": 1, "target": 2}
        return tuple(sorted(self._runs, key=lambda each: (order[each.kind], -each.number)))

    @property
    def bytes(self) -> int:
        """The memory that they take."""
        return kept_bytes(self._runs)

    def find(self, number: int) -> KeptRun | None:
        """The run of that number, if it is there still."""
        return next((each for each in self._runs if each.number == number), None)

    def next_number(self) -> int:
        """A number that no run has had."""
        self._number += 1
        return self._number

    def clear(self) -> None:
        """For another session."""
        self._runs.clear()

    def drop(self, number: int) -> None:
        """Lets a run go."""
        self._runs = [each for each in self._runs if each.number != number]

    def keep(self, run: KeptRun) -> tuple[str, ...]:
        """Takes a run up, in place of one of its number; what was dropped for it, a line each.

        Raises TexelscopeError for a pinned one that has no room beside what somebody else pinned; of others tensors are
        left out, the largest first.
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
        """The run without its largest tensors, as many as it takes."""
        largest = sorted(run.run.tensors, key=lambda each: each.values.nbytes, reverse=True)
        for count in range(1, len(largest) + 1):
            rest = run.without(each.name for each in largest[:count])
            if kept_bytes([*others, rest]) <= self._most_bytes:
                return rest
        return run.without(each.name for each in largest)


def _names(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more tensors"
