"""Derives findings from a repair: each edit is named by what it changes in the pass's formulas, or in its plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.judge import WHOLE
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.diagnose.causes import CAUSES, Cause
from texelscope.pipeline.diagnose.divergences.names import contradicted, named
from texelscope.pipeline.diagnose.plan_changes import seen_in_plans
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.repair.mended_formulas import EditChange


@dataclass(frozen=True)
class EditFinding:
    """An edit with the finding that it implies, or None, and the causes that it contradicts."""

    edit: LineEdit
    finding: Finding | None
    at_odds: frozenset[str]


@dataclass(frozen=True, eq=False)
class RepairNames:
    """Names edits of repairs of one pass. `expected` are the oracle's values, flat."""

    plan: Plan
    shader_pass: str
    expected: NDArray[Any]

    def by_edit(self, repair: Repair, changes: Sequence[EditChange]) -> tuple[EditFinding, ...]:
        """Returns each edit of a repair, of which the changes are known, with its finding."""
        known = {change.edit: change for change in changes}
        return tuple(self._of_edit(edit, known.get(edit), repair) for edit in repair.edits)

    def of_half(self, changes: Sequence[EditChange]) -> Finding | None:
        """Returns the finding of edits that fix one of two faults, if all of them agree."""
        found = [self._of_edit(change.edit, change, None).finding for change in changes]
        same = {each.cause if each is not None else None for each in found}
        return found[0] if len(same) == 1 else None

    def _of_edit(self, edit: LineEdit, change: EditChange | None, repair: Repair | None) -> EditFinding:
        if change is None:
            return EditFinding(edit, None, frozenset())
        if change.plan is not None and (seen := seen_in_plans(self.plan, change.plan, self.shader_pass)) is not None:
            return EditFinding(edit, _finding(seen.cause, seen.says, edit, repair), frozenset())
        if change.formulas is None:
            return EditFinding(edit, None, frozenset())
        with np.errstate(all="ignore"):
            names = named(change.formulas, self.expected)
        odd = frozenset(cause.name for cause in contradicted(change.formulas, CAUSES.values()))
        first = _finding(names[0].cause, names[0].says, edit, repair) if names else None
        return EditFinding(edit, first, odd - {each.cause.name for each in names})


def findings_of(each: Sequence[EditFinding], alone: Mapping[LineEdit, Sequence[Finding]]) -> tuple[Finding, ...]:
    """Returns the findings of some edits, one for each cause; none if one of them has none.

    A finding made with an edit's fault `alone` comes first, unless the edit contradicts it.
    """
    found: dict[str, Finding] = {}
    for of in each:
        whole = [one for one in alone.get(of.edit, ()) if one.explained >= WHOLE and one.cause not in of.at_odds]
        first = whole[0] if whole else of.finding
        if first is None:
            return ()
        found.setdefault(first.cause, first)
    return tuple(found.values())


def _finding(cause: Cause, says: str, edit: LineEdit, repair: Repair | None) -> Finding:
    """Returns the finding for an edit; without `repair` it fixes one of two faults."""
    return Finding(
        cause=cause.name,
        parameters={"before": (edit.before or "").strip(), "after": (edit.after or "").strip()},
        explained=1.0,
        residual=0.0,
        shader=edit.file,
        line=edit.line,
        evidence=f"without the repair, the shader's formula {says}: {_mended(repair)}.",
        remedy=cause.remedy or "Compute it as the repair does.",
    )


def _mended(repair: Repair | None) -> str:
    if repair is None:
        return "with this line changed, a single cause explains all remaining errors"
    together = "" if len(repair.edits) == 1 else " of this and other lines"
    return f"with the repair{together}, all {repair.elements:,} elements match, on {repair.inputs_tried} inputs"
