"""Prints how many planted bugs are named: `python -m tests.faults.score [seen|not_yet_named|held_out|pairs] [CAUSE …]`.

A table a part: per cause the number of bugs, those named first, those among the first three, those with the
right line, those whose line or whose `made` is the one that was changed, how many say a `made` that was not changed
(which has to be none), those that are sure of what they say first, how many of these are wrong (none, too), for how
many of those in a text a repair is offered, how many of all repairs are wrong (none), and the time of a diagnosis.
Below it, every miss with what was said instead; of the held-out half nothing but totals, since whoever changes rules
may run this.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")

import moderngl

from tests.faults.outcome import Outcome, outcome
from tests.faults.pairs import SEEN as SEEN_PAIRS
from tests.faults.seen.pairs import FAULTS, both
from tests.faults.suite import HALVES
from texelscope.pipeline.gl.context import headless_context


@dataclass(frozen=True)
class Score:
    """Shares from 0 to 1. `lines` is the share of right lines among the bugs that were named and are in a shader.

    `reached` is the share, among those in a shader's text, whose line or `made` was changed; `untrue` counts lines said
    to have made the number that were not. `sure` is the share whose first finding is sure of itself, `sure_wrong`
    counts those of them that name another cause. `mended` is the share of those in a shader's text that a
    repair was offered for, `mended_wrongly` counts repairs that are not right on other inputs.
    """

    count: int
    first: float
    among_three: float
    lines: float
    reached: float
    untrue: int
    sure: float
    sure_wrong: int
    seconds: float
    mended: float
    mended_wrongly: int


def score(outcomes: Sequence[Outcome]) -> Score:
    """Returns the score of some outcomes."""
    ranks = [each.rank or 99 for each in outcomes]
    lines = [each.line_is_right for each in outcomes if each.line_is_right is not None]
    return Score(
        len(outcomes),
        _share(rank == 1 for rank in ranks),
        _share(rank <= 3 for rank in ranks),
        _share(lines),
        _share(each.reaches_the_change is True for each in outcomes if each.reaches_the_change is not None),
        sum(each.made_is_right is False for each in outcomes),
        _share(each.is_sure for each in outcomes),
        sum(each.is_sure and each.rank != 1 for each in outcomes),
        sum(each.seconds for each in outcomes) / max(len(outcomes), 1),
        _share(bool(each.repairs) for each in outcomes if each.changed),
        sum(not right for each in outcomes for right in each.repairs),
    )


def _share(flags: Iterable[bool]) -> float:
    items = list(flags)
    return sum(items) / len(items) if items else 1.0


def table(outcomes: Sequence[Outcome]) -> list[str]:
    """Returns lines of text: a row a cause, then all."""
    shares = f"{'first':>7}{'top 3':>7}{'line':>7}{'change':>8}"
    sure = f"{'sure':>6}{'sure & wrong':>14}"
    rows = [f"{'cause':24}{'bugs':>5}{shares}{'untrue':>8}{sure}{'mended':>8}{'wrongly':>9}{'s':>7}"]
    causes = list(dict.fromkeys(each.fault.cause for each in outcomes))
    for cause in causes:
        rows.append(_row(cause, score([each for each in outcomes if each.fault.cause == cause])))
    rows.append(_row("all", score(outcomes)))
    return rows


def _row(name: str, each: Score) -> str:
    shares = f"{each.first:7.0%}{each.among_three:7.0%}{each.lines:7.0%}{each.reached:8.0%}"
    sure = f"{each.sure:6.0%}{each.sure_wrong:14}"
    mended = f"{each.mended:8.0%}{each.mended_wrongly:9}"
    return f"{name:24}{each.count:5}{shares}{each.untrue:8}{sure}{mended}{each.seconds:7.2f}"


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
        if not each.is_sure and os.environ.get("UNSURE") and each.findings:
            rows.append(f"{each.fault.cause}: {each.fault.name}: not sure, one of {each.findings[0].one_of}")
        if each.changed and not each.repairs:
            rows.append(f"{each.fault.cause}: {each.fault.name}: no repair, changed are {sorted(each.changed)}")
        if not all(each.repairs):
            rows.append(f"{each.fault.cause}: {each.fault.name}: repairs {each.repairs}")
        if each.made_is_right is False:
            made = [finding.made for finding in each.findings if finding.made is not None]
            rows.append(f"{each.fault.cause}: {each.fault.name}: made in {made[0]}, changed are {sorted(each.changed)}")
    return rows


def print_pairs(context: moderngl.Context) -> None:
    """Prints each pair's names, and how many are named."""
    named = 0
    faults = (*SEEN_PAIRS, *FAULTS)
    for fault in faults:
        found = outcome(fault, context)
        named += both(found)
        said = ", ".join(each.cause for each in found.findings) or "nothing"
        print(f"{'both' if both(found) else '':6}{found.seconds:6.1f} s  {fault.name}: {said}", flush=True)
    print(f"{named} of {len(faults)}")


def main(arguments: Sequence[str]) -> int:
    """Scores the halves and causes that are asked for, by default all."""
    single_fault_outputs = [half for half in arguments if half in HALVES] or list(HALVES)
    causes = [cause for cause in arguments if cause not in HALVES]
    context = headless_context()
    if "pairs" in arguments:
        print_pairs(context)
        return 0
    for half in single_fault_outputs:
        faults = [fault for fault in HALVES[half] if not causes or fault.cause in causes]
        outcomes = [outcome(fault, context, located=True) for fault in faults]
        shown = table(outcomes)[-1:] if half == "held_out" else [*table(outcomes), "", *misses(outcomes)]
        print(f"\n{half}\n", *shown, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
