"""Prints how many planted bugs are named: `python -m tests.faults.score [seen|not_yet_named|held_out] [CAUSE …]`.

A table a part: per cause the number of bugs, those named first, those among the first three, those with the
right line, those whose line or whose `made` is the one that was changed, how many say a `made` that was not changed
(which has to be none), and the time of a diagnosis. Below it, every miss with what was said instead; of the held-out
half nothing but totals, since whoever changes rules may run this.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")

from pipeline.gl.context import headless_context
from tests.faults.outcome import Outcome, outcome
from tests.faults.suite import HALVES


@dataclass(frozen=True)
class Score:
    """Shares from 0 to 1. `lines` is the share of right lines among the bugs that were named and are in a shader.

    `reached` is the share, among those in a shader's text, whose line or `made` was changed; `untrue` counts lines said
    to have made the number that were not.
    """

    count: int
    first: float
    among_three: float
    lines: float
    reached: float
    untrue: int
    seconds: float


def score(outcomes: Sequence[Outcome]) -> Score:
    """The score of some outcomes."""
    ranks = [each.rank or 99 for each in outcomes]
    lines = [each.line_is_right for each in outcomes if each.line_is_right is not None]
    return Score(
        len(outcomes),
        _share(rank == 1 for rank in ranks),
        _share(rank <= 3 for rank in ranks),
        _share(lines),
        _share(each.reaches_the_change is True for each in outcomes if each.reaches_the_change is not None),
        sum(each.made_is_right is False for each in outcomes),
        sum(each.seconds for each in outcomes) / max(len(outcomes), 1),
    )


def _share(flags: Iterable[bool]) -> float:
    items = list(flags)
    return sum(items) / len(items) if items else 1.0


def table(outcomes: Sequence[Outcome]) -> list[str]:
    """Lines of text: a row a cause, then all."""
    rows = [f"{'cause':24}{'bugs':>5}{'first':>7}{'top 3':>7}{'line':>7}{'change':>8}{'untrue':>8}{'s':>7}"]
    causes = list(dict.fromkeys(each.fault.cause for each in outcomes))
    for cause in causes:
        rows.append(_row(cause, score([each for each in outcomes if each.fault.cause == cause])))
    rows.append(_row("all", score(outcomes)))
    return rows


def _row(name: str, each: Score) -> str:
    shares = f"{each.first:7.0%}{each.among_three:7.0%}{each.lines:7.0%}{each.reached:8.0%}"
    return f"{name:24}{each.count:5}{shares}{each.untrue:8}{each.seconds:7.2f}"


def misses(outcomes: Sequence[Outcome]) -> list[str]:
    """A line for each bug that is not named first, or whose line is wrong."""
    rows = []
    for each in outcomes:
        said = "; ".join(f"{finding.cause} {dict(finding.parameters)}" for finding in each.findings[:3]) or "nothing"
        if each.rank != 1:
            rows.append(f"{each.fault.cause} {dict(each.fault.parameters or {})}: {each.fault.name}: said {said}")
        elif each.line_is_right is False:
            finding = each.findings[0]
            rows.append(
                f"{each.fault.cause}: {each.fault.name}: line {finding.shader}:{finding.line}, "
                f"right are {sorted(each.lines)}"
            )
        if each.made_is_right is False:
            made = [finding.made for finding in each.findings if finding.made is not None]
            rows.append(f"{each.fault.cause}: {each.fault.name}: made in {made[0]}, changed are {sorted(each.changed)}")
    return rows


def main(arguments: Sequence[str]) -> int:
    """Scores the halves and causes that are asked for, by default all."""
    halves = [half for half in arguments if half in HALVES] or list(HALVES)
    causes = [cause for cause in arguments if cause not in HALVES]
    context = headless_context()
    for half in halves:
        faults = [fault for fault in HALVES[half] if not causes or fault.cause in causes]
        outcomes = [outcome(fault, context, located=True) for fault in faults]
        shown = table(outcomes)[-1:] if half == "held_out" else [*table(outcomes), "", *misses(outcomes)]
        print(f"\n{half}\n", *shown, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
