"""Which repairs go into one patch: one for each wrong pass, and none that writes a line otherwise than another does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import PassReport


@dataclass(frozen=True)
class RepairChoice:
    """By pass its repair, in their order; passes without one, and those whose repairs do not go with the others'."""

    repairs: tuple[tuple[str, Repair], ...]
    none_found: tuple[str, ...] = ()
    conflicting: tuple[str, ...] = ()
    no_files: tuple[str, ...] = ()

    @property
    def edits(self) -> tuple[LineEdit, ...]:
        """All edits, each once."""
        return tuple(dict.fromkeys(edit for _, repair in self.repairs for edit in repair.edits))


def choose(wrong: Sequence[PassReport], takes: Callable[[Sequence[LineEdit]], bool]) -> RepairChoice:
    """The choice for `wrong` passes; `takes` says whether the author's files have the lines of those edits.

    Of the repairs of a pass, which are equally good, the first that goes with what is chosen already; one that is
    chosen already, for a pass of the same shader, comes before all.
    """
    chosen: dict[tuple[str, int], LineEdit] = {}
    repairs: list[tuple[str, Repair]] = []
    left: dict[str, list[str]] = {"none": [], "conflicting": [], "files": []}
    for each in wrong:
        known = _repairs(each)
        there = [repair for repair in known if takes(repair.edits)]
        fitting = [repair for repair in there if all(_fits(edit, chosen) for edit in repair.edits)]
        if not fitting:
            left["none" if not known else "conflicting" if there else "files"].append(each.name)
            continue
        best = next((repair for repair in fitting if all(_place(edit) in chosen for edit in repair.edits)), fitting[0])
        repairs.append((each.name, best))
        chosen.update((_place(edit), edit) for edit in best.edits)
    return RepairChoice(tuple(repairs), tuple(left["none"]), tuple(left["conflicting"]), tuple(left["files"]))


def without(choice: RepairChoice, names: Sequence[str]) -> RepairChoice:
    """The choice without the repairs of those passes, which turned out not to go with the others."""
    kept = tuple((name, repair) for name, repair in choice.repairs if name not in names)
    return RepairChoice(kept, choice.none_found, (*choice.conflicting, *names), choice.no_files)


def _repairs(each: PassReport) -> list[Repair]:
    """All of a pass, the best first."""
    first = [found.repair for found in each.findings if found.repair is not None]
    return list(dict.fromkeys([*first, *each.repairs]))


def _place(edit: LineEdit) -> tuple[str, int]:
    return edit.file, edit.line


def _fits(edit: LineEdit, chosen: dict[tuple[str, int], LineEdit]) -> bool:
    return chosen.get(_place(edit), edit) == edit
