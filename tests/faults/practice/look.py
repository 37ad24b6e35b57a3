"""What is said of each case, and in which way that is wrong: `python -m tests.faults.practice.look [STYLE …]`.

With `--only TEXT` the cases with that in their names, with `--repair` repairs too; `--all` tells of what is right too.
`--jobs N` processes share the cases. With `--pairs N` so many pairs of a style's faults are looked at instead. With
`--told` each fault's right text is the repair that is found, at once: how names by repairs do.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache

os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")

import moderngl

from tests.faults.fresh.case import Planted
from tests.faults.fresh.cases import OPENED, Case, cases_of, is_opened, styles
from tests.faults.fresh.outcome import Outcome, reported
from tests.faults.practice.composed import composed
from tests.faults.practice.told import told
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.gl.context import headless_context

PRACTICE = __package__
# Of an outcome what has to be so and what must not, by the words for a miss.
_WANTED = {"culprit": "another culprit", "cause": "cause", "both": "not both", "line": "line", "clean": "not clean",
           "offered": "no repair", "right": "wrong repair"}  # fmt: skip
_UNWANTED = {"sure_wrong": "SURE AND WRONG", "broke": "broke"}


@cache
def _context() -> moderngl.Context:
    """One context a process."""
    return headless_context()


def _looked(style: str, place: int, repair: bool, pairs: int) -> tuple[list[str], str]:
    """The misses of a case, and all about it as text."""
    case = _cases(style, pairs)[place]
    try:
        outcome, report = reported(case, _context(), "fix" if repair else "none")
    except Exception:  # noqa: BLE001 - whatever it is, it is shown and the next one is tried
        return ["broke"], "\n".join([*_heading(case), traceback.format_exc()])
    misses = [said for name, said in _WANTED.items() if getattr(outcome, name) is False]
    misses += [said for name, said in _UNWANTED.items() if getattr(outcome, name)]
    return misses, "\n".join([*_heading(case), *_said(case, outcome, report)])


def _told(style: str, place: int) -> tuple[list[str], str]:
    """Whether the first name is none of a fault's, and all that is said with the right text as its repair."""
    case = _cases(style, 0)[place]
    if not isinstance(case.what, Planted) or case.what.others:
        return [], ""
    try:
        report = told(case, _context())
    except Exception:  # noqa: BLE001 - as above
        return ["broke"], "\n".join([*_heading(case), traceback.format_exc()])
    said = report.find(case.what.culprit) if report is not None else None
    if report is None or said is None:
        return ["no lines"], "\n".join(_heading(case))
    first = said.findings[0].cause if said.findings else "unexplained"
    misses = [] if first in case.what.causes else ["cause"]
    misses += (
        ["SURE AND WRONG"] if any(each.sure and each.cause not in case.what.causes for each in said.findings) else []
    )
    return misses, "\n".join([*_heading(case), *_said(case, Outcome(case.style, case.kind), report)])


def _cases(style: str, pairs: int) -> tuple[Case, ...]:
    """The cases of a style; where pairs are asked for, those put together of its faults."""
    if style in OPENED:
        return tuple(case for case in cases_of(style) if is_opened(case)) if not pairs else ()
    return composed(style, PRACTICE, pairs) if pairs else cases_of(style, PRACTICE)


def _heading(case: Case) -> Iterator[str]:
    yield f"{case.style}/{case.what.name} ({case.kind}, {case.folder.name})"
    if isinstance(case.what, Planted):
        others = f" and {' | '.join(case.what.others)}" if case.what.others else ""
        yield f"    true: {' | '.join(case.what.causes)}{others}, in {case.what.culprit}"
    for swap in case.swaps:
        yield f"    {swap.file}: {swap.old!r} -> {swap.new!r}"


def _said(case: Case, outcome: Outcome, report: Report) -> Iterator[str]:
    for each in report.passes:
        if each.name != report.culprit and not (case.kind == "healthy" and each.findings):
            continue
        yield f"    {each.name}: {each.verdict}"
        for finding in each.findings:
            sure = " sure" if finding.sure else ""
            told = ", ".join(f"{name} {value}" for name, value in finding.parameters.items())
            yield f"      {finding.cause}{sure} {finding.explained:.3f} {finding.to_change} {told}"
        for repair in each.repairs:
            yield f"      repair {repair.file}:{repair.line} {[(edit.before, edit.after) for edit in repair.edits]}"
    if outcome.seconds is not None:
        yield f"    {outcome.seconds:.1f} s" + ("" if outcome.total is None else f", repair {outcome.total:.1f} s")


def main(arguments: Sequence[str] | None = None) -> int:
    """Looks at the styles that are asked for, by default all."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.faults.practice.look")
    parser.add_argument(
        "styles", nargs="*", metavar="STYLE", help=f"of {', '.join((*styles(PRACTICE), *sorted(OPENED)))}; default: all"
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="cases with that in their names")
    parser.add_argument("--repair", action="store_true", help="look for repairs too")
    parser.add_argument("--all", action="store_true", help="tell of what is right too")
    parser.add_argument("--pairs", type=int, default=0, metavar="N", help="so many pairs put together of its faults")
    parser.add_argument("--told", action="store_true", help="the right text is the repair that is found")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    asked = parser.parse_args(arguments)
    every = (*styles(PRACTICE), *sorted(OPENED))
    wanted = [
        (style, place, case.kind)
        for style in asked.styles or every
        for place, case in enumerate(_cases(style, asked.pairs))
        if asked.only in case.what.name
    ]
    counts: Counter[str] = Counter()
    with ProcessPoolExecutor(max(asked.jobs, 1), multiprocessing.get_context("spawn")) as pool:
        futures = [
            pool.submit(_told, style, place)
            if asked.told
            else pool.submit(_looked, style, place, asked.repair, asked.pairs)
            for style, place, _ in wanted
        ]
        for future, (_, _, kind) in zip(futures, wanted, strict=True):
            misses, text = future.result()
            counts.update([kind, *(f"  {kind}: {each}" for each in misses)])
            if misses or (asked.all and text):
                print(f"[{', '.join(misses) or 'right'}] {text}", flush=True)
    print(*(f"{name} {count}" for name, count in sorted(counts.items())), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
