"""The whole runner: prints the table, writes the page, and ends with 1 if a case that runs fails."""

from __future__ import annotations

import argparse
import difflib
import re
import sys
import time
from collections.abc import Sequence
from typing import get_args

from onnx import defs

from tests.checkout import ROOT
from tests.conformance.cases import collect
from tests.conformance.contrib.cases import CASES
from tests.conformance.contrib.section import failures, run, with_section
from tests.conformance.opsets import Tried
from tests.conformance.runner import LAYOUTS, Outcome
from tests.conformance.table import opset_summary, page, problems, rows, text
from tests.conformance.trials import history
from tests.conformance.workers import run_all, run_trials
from texelscope.pipeline.gl.context import headless_context
from texelscope.pipeline.plan import Backend

PAGE = ROOT / "docs" / "operators.md"


def main() -> int:
    """Runs the cases; see `--help`."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument(
        "--cases", metavar="REGEX", default="", help="only cases whose name matches; nothing is written"
    )
    parser.add_argument("--operator", metavar="NAME", help="only this operator, at every opset too; nothing is written")
    parser.add_argument("--layout", action="append", choices=LAYOUTS, help="only this layout; nothing is written")
    parser.add_argument("--backend", choices=get_args(Backend), default="auto", help="as the command's own option")
    parser.add_argument("--opsets", action="store_true", help="only every operator at every opset; nothing is written")
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="processes, 2 if not given")
    options = parser.parse_args()

    start = time.monotonic()
    if options.opsets:
        tried = run_trials(processes=options.processes)
        print(problems(tried), opset_summary(tried), f"{time.monotonic() - start:.0f} s", sep="\n")
        return 1 if any(each.problem for each in tried) else 0
    if options.operator is not None:
        return _one_operator(parser, options, start)
    return _all(parser, options, start)


def _one_operator(parser: argparse.ArgumentParser, options: argparse.Namespace, start: float) -> int:
    """All that says whether one operator is right: ONNX's cases, its versions, and the cases against ONNX Runtime."""
    name, layouts = options.operator, options.layout or LAYOUTS
    known = {schema.name for schema in defs.get_all_schemas_with_history()} | {case.op_type for case in CASES}
    if name not in known:
        close = difflib.get_close_matches(name, sorted(known))
        parser.error(f"no operator is called '{name}'" + (f"; like it: {', '.join(close)}" if close else ""))
    cases = [case for case in collect(name) if re.search(options.cases, case.name)]
    contributed_cases = [case for case in CASES if case.op_type == name]
    outcomes = run_all(cases, processes=options.processes, layouts=layouts, backend=options.backend) if cases else []
    tried = run_trials([name], processes=1) if name in history() else []
    if found := [row for row in rows(outcomes, tried) if row.operator == name]:
        print(text(found, outcomes, tried))
    contributed = run(headless_context(), layouts, contributed_cases)
    failed = failures(contributed)
    if contributed:
        passed = len(contributed) - len(failed)
        print(f"{name} of com.microsoft: {passed} of {len(contributed)} cases pass.", *failed, sep="\n")
    print(f"{time.monotonic() - start:.0f} s")
    return int(bool(failed) or _is_any_wrong(outcomes, tried))


def _all(parser: argparse.ArgumentParser, options: argparse.Namespace, start: float) -> int:
    """All cases, or those that the options leave; the page is written where they leave all."""
    partial = options.cases or options.layout or options.backend != "auto"
    cases = [case for case in collect() if re.search(options.cases, case.name)]
    if not cases:
        parser.error(f"no case matches '{options.cases}'")
    progress = _Progress(len(cases))
    outcomes = run_all(
        cases,
        processes=options.processes,
        layouts=options.layout or LAYOUTS,
        backend=options.backend,
        done=progress,
    )
    progress.end()
    tried = [] if partial else run_trials(processes=options.processes)
    found = rows(outcomes, tried)
    if options.cases:
        found = [row for row in found if any(each.operator == row.operator for each in outcomes)]
    print(text(found, outcomes, tried))
    print(f"{time.monotonic() - start:.0f} s")
    failed: list[str] = []
    if not partial:
        contributed = run(headless_context(), LAYOUTS)
        failed += failures(contributed)
        PAGE.write_text(with_section(page(found, outcomes, tried), contributed), encoding="utf-8")
        print("\n".join(failed))
    return int(bool(failed) or _is_any_wrong(outcomes, tried))


def _is_any_wrong(outcomes: Sequence[Outcome], tried: Sequence[Tried]) -> bool:
    return any(each.status == "failed" for each in outcomes) or any(each.problem for each in tried)


class _Progress:
    """A count on a terminal's last line; nothing where the output is a file."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0

    def __call__(self, _: Outcome) -> None:
        self._done += 1
        if sys.stderr.isatty() and self._done % 20 == 0:
            print(f"\r{self._done} / {self._total}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
