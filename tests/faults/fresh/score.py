"""Prints totals by style, and nothing of any case: `python -m tests.faults.fresh.score [STYLE …]`.

Whoever changes rules may run it. With `--faults`, `--pairs` or `--healthy` only those. Repairs are looked for as
`app.py diff --fix` does, with `--plain` as `app.py diff` does, with `--no-repair` not at all. `--jobs N` processes
share the cases; `--json FILE` gets the same totals. With `--half 1` only that half of the cases, chosen by their names:
one half can be looked at for the first time after the other. What was looked at (`cases.is_opened`) does not count.
"""

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
import os
import random
import sys
import warnings
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from pathlib import Path

os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")

import moderngl
import numpy as np

from tests.faults.fresh.cases import Case, Kind, cases_of, half_of, is_opened, styles
from tests.faults.fresh.outcome import Outcome, Repairs, outcome
from texelscope.pipeline.gl.context import headless_context

# The seed of a sample.
SAMPLED = 33
# Totals by name: whole numbers, seconds, None where nothing was measured.
Totals = dict[str, int | float | None]
_FLAGS: dict[Kind, tuple[str, ...]] = {
    "fault": (
        "culprit",
        "cause",
        "unnamed",
        "sure_wrong",
        "whole_wrong",
        "line",
        "offered",
        "right",
        "all_right",
        "sizes_right",
        "sizes_wrong",
    ),
    "pair": (
        "culprit",
        "cause",
        "both",
        "sure_wrong",
        "whole_wrong",
        "line",
        "offered",
        "right",
        "all_right",
        "sizes_right",
        "sizes_wrong",
    ),
    "healthy": ("clean",),
}
_COLUMNS = {
    "style": 12, "count": 7, "broke": 7, "culprit": 9, "cause": 7, "both": 6, "unnamed": 9, "sure_wrong": 12,
    "whole_wrong": 13, "line": 6, "in_text": 9, "offered": 9, "right": 7, "all_right": 11,
    "sizes_right": 13, "sizes_wrong": 13,
    "median_s": 10, "p90_s": 8, "repair_median_s": 17, "repair_p90_s": 14, "clean": 7,
}  # fmt: skip
_SHOWN: dict[Kind, tuple[str, ...]] = {
    "fault": (
        "count", "broke", "culprit", "cause", "unnamed", "sure_wrong", "whole_wrong", "line", "in_text",
        "offered", "right", "all_right", "sizes_right", "sizes_wrong",
        "median_s", "p90_s", "repair_median_s", "repair_p90_s",
    ),
    "pair": (
        "count", "broke", "culprit", "cause", "both", "sure_wrong", "whole_wrong", "line", "in_text",
        "offered", "right", "all_right", "sizes_right", "sizes_wrong",
        "median_s", "p90_s", "repair_median_s", "repair_p90_s",
    ),
    "healthy": ("count", "broke", "clean"),
}  # fmt: skip
_TITLES: dict[Kind, str] = {"fault": "faults", "pair": "pairs", "healthy": "healthy"}


@cache
def _context() -> moderngl.Context:
    """One context a process."""
    return headless_context()


def _silent() -> None:
    """What a case makes anybody say would tell of it."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(null, stream)


def _measured(style: str, place: int, repairs: Repairs) -> Outcome:
    return outcome(cases_of(style)[place], _context(), repairs)


def outcomes(cases: Sequence[tuple[Case, int]], jobs: int, repairs: Repairs) -> list[Outcome]:
    """What became of each case (with its place in its style), by so many processes; one that dies broke its case."""
    found: list[Outcome | None] = []
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _silent) as pool:
        futures = [pool.submit(_measured, case.style, place, repairs) for case, place in cases]
        for future in futures:
            try:
                found.append(future.result())
            except BrokenProcessPool:
                found.append(None)
    # A process that dies takes the others' cases with it: those get one each.
    return [each or _alone(case, place, repairs) for each, (case, place) in zip(found, cases, strict=True)]


def _alone(case: Case, place: int, repairs: Repairs) -> Outcome:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _silent) as pool:
        try:
            return pool.submit(_measured, case.style, place, repairs).result()
        except BrokenProcessPool:
            return Outcome(case.style, case.kind, broke=True)


def totals(measured: Sequence[Outcome], kind: Kind) -> Totals:
    """The counts and seconds of outcomes of one kind."""
    seconds = [each.seconds for each in measured if each.seconds is not None]
    repaired = [each.total for each in measured if each.total is not None]
    counts: Totals = {"count": len(measured), "broke": sum(each.broke for each in measured)}
    counts |= {flag: sum(getattr(each, flag) is True for each in measured) for flag in _FLAGS[kind]}
    if kind == "healthy":
        return counts
    return counts | {
        "in_text": sum(each.line is not None for each in measured),
        "median_s": _percentile(seconds, 50),
        "p90_s": _percentile(seconds, 90),
        "repair_median_s": _percentile(repaired, 50),
        "repair_p90_s": _percentile(repaired, 90),
    }


def _percentile(values: Sequence[float], share: int) -> float | None:
    return round(float(np.percentile(values, share)), 2) if values else None


def table(rows: Iterable[tuple[str, Totals]], kind: Kind) -> list[str]:
    """Lines of text: what the columns are, then a row a style."""
    lines = [f"{_TITLES[kind]:{_COLUMNS['style']}}" + "".join(f"{name:>{_COLUMNS[name]}}" for name in _SHOWN[kind])]
    for style, counts in rows:
        cells = [f"{_cell(counts[name]):>{_COLUMNS[name]}}" for name in _SHOWN[kind]]
        lines.append(f"{style:{_COLUMNS['style']}}" + "".join(cells))
    return lines


def _cell(value: int | float | None) -> str:
    return "-" if value is None else str(value)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures the styles that are asked for, by default all."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.faults.fresh.score")
    parser.add_argument("styles", nargs="*", metavar="STYLE", help=f"of {', '.join(styles())}; default: all")
    for kind in _TITLES.values():
        parser.add_argument(f"--{kind}", action="store_true", help=f"only {kind} (and what else is asked for)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    parser.add_argument("--half", type=int, choices=(1, 2), help="only that half of the cases")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the totals there too")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many of the cases, taken at random once")
    parser.add_argument(
        "--plain", action="store_true", help="repairs as `app.py diff` looks for them, in a few seconds"
    )
    parser.add_argument("--no-repair", action="store_true", help="no repairs")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.styles) - set(styles()):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(styles())}")
    repairs: Repairs = "none" if asked.no_repair else "plain" if asked.plain else "fix"
    kinds = [kind for kind, title in _TITLES.items() if getattr(asked, title)] or list(_TITLES)
    wanted = [style for style in styles() if style in asked.styles or not asked.styles]
    every = [(case, place) for style in wanted for place, case in enumerate(cases_of(style)) if case.kind in kinds]
    closed = [each for each in every if not is_opened(each[0])]
    cases = [each for each in closed if asked.half in (None, half_of(each[0]))]
    if asked.sample is not None:
        cases = random.Random(SAMPLED).sample(cases, min(asked.sample, len(cases)))
    measured = outcomes(cases, max(asked.jobs, 1), repairs)
    found: dict[str, dict[str, Totals]] = {}
    for kind in kinds:
        of_kind = [each for each in measured if each.kind == kind]
        by_style = {style: [each for each in of_kind if each.style == style] for style in wanted}
        rows = {**{style: totals(each, kind) for style, each in by_style.items() if each}, "all": totals(of_kind, kind)}
        print(*table(rows.items(), kind), "", sep="\n")
        found[_TITLES[kind]] = rows
    if asked.json is not None:
        asked.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
