"""Cases in one call each: edits are triples of a file, the text in it, and what stands there instead."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

Edit = tuple[str, str, str]
Causes = tuple[str, ...]


def fault(name: str, target: str, culprit: str, causes: Causes, *edits: Edit, in_text: bool = True) -> Planted:
    """A bug in the pass `culprit` of the folder `target`."""
    return Planted(name, target, culprit, _swaps(edits), causes, in_text=in_text)


def pair(name: str, target: str, culprit: str, causes: Causes, others: Causes, *edits: Edit) -> Planted:
    """Two bugs in the pass `culprit` of the folder `target`."""
    return Planted(name, target, culprit, _swaps(edits), causes, others)


def healthy(name: str, target: str, *edits: Edit) -> Healthy:
    """The pipeline `target`, written differently."""
    return Healthy(name, target, _swaps(edits))


def _swaps(edits: tuple[Edit, ...]) -> tuple[Swap, ...]:
    return tuple(Swap(*edit) for edit in edits)
