"""Prints how many planted bugs are named: `python -m tests.faults.score [seen|not_yet_named|held_out|pairs] [CAUSE …]`.

With `--names-only` no repair is looked for, so a cause takes seconds, and the table ends with the time of a name.

A table a part: per cause the number of bugs, those named first, those among the first three, those with the
right line, those whose line or whose `made` is the one that was changed, how many say a `made` that was not changed
(which has to be none), those that are sure of what they say first, how many of these are wrong (none, too), for how
many of those in a text a repair is offered, how many of all repairs are wrong (none), and the time of a diagnosis.
Below it, every miss with what was said instead; of the held-out half nothing but totals, since whoever changes rules
may run this.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")

import moderngl

from tests.faults.outcome import Outcome, outcome
from tests.faults.pairs import SEEN as SEEN_PAIRS
from tests.faults.seen.pairs import FAULTS, both
from tests.faults.suite import CAUSES, HALVES
from texelscope.pipeline.gl.context import headless_context

PAIRS = "pairs"


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


def table(outcomes: Sequence[Outcome], *, names_only: bool = False) -> list[str]:
    """Lines of text: a row a cause, then all; if `names_only`, without the columns that need a search for repairs."""
    searched = ("", "") if names_only else (f"{'change':>8}{'untrue':>8}", f"{'mended':>8}{'wrongly':>9}")
    shares, sure = f"{'first':>7}{'top 3':>7}{'line':>7}{searched[0]}", f"{'sure':>6}{'sure & wrong':>14}{searched[1]}"
    rows = [f"{'cause':24}{'bugs':>5}{shares}{sure}{'s':>7}"]
    causes = list(dict.fromkeys(each.fault.cause for each in outcomes))
    for cause in causes:
        rows.append(_row(cause, score([each for each in outcomes if each.fault.cause == cause]), names_only))
    rows.append(_row("all", score(outcomes), names_only))
    return rows


def _row(name: str, each: Score, names_only: bool) -> str:
    searched = f"{each.reached:8.0%}{each.untrue:8}", f"{each.mended:8.0%}{each.mended_wrongly:9}"
    lines, repairs = ("", "") if names_only else searched
    shares = f"{each.first:7.0%}{each.among_three:7.0%}{each.lines:7.0%}{lines}"
    return f"{name:24}{each.count:5}{shares}{each.sure:6.0%}{each.sure_wrong:14}{repairs}{each.seconds:7.2f}"


def misses(outcomes: Sequence[Outcome], *, names_only: bool = False) -> list[str]:
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
        if each.changed and not each.repairs and not names_only:
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Scores the halves and causes that are given, all of them if none is."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.faults.score")
    every = [cause for causes in CAUSES.values() for cause in causes]
    what = [*HALVES, PAIRS, *every]
    parser.add_argument("what", nargs="*", choices=[*what, []], metavar="HALF|CAUSE", help=f"of {', '.join(what)}")
    parser.add_argument("--names-only", action="store_true", help="look for no repairs")
    options = parser.parse_args(arguments)
    halves = [half for half in options.what if half in HALVES] or list(HALVES)
    causes = [cause for cause in options.what if cause in every]
    context = headless_context()
    if PAIRS in options.what:
        print_pairs(context)
        return 0
    for half in halves:
        faults = [fault for fault in HALVES[half] if not causes or fault.cause in causes]
        if not faults:
            continue
        outcomes = [outcome(fault, context, located=not options.names_only) for fault in faults]
        shown = table(outcomes, names_only=options.names_only)
        if half == "held_out":
            shown = shown[-1:]
        else:
            shown += ["", *misses(outcomes, names_only=options.names_only)]
        print(f"\n{half}\n", *shown, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
