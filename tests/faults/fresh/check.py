"""Tells the author of a style which of its cases do not hold: `python -m tests.faults.fresh.check STYLE [--only TEXT]`.

A fault has to be drawn and to be wrong first in its culprit, a healthy variant and the right pipelines have to match,
on their own inputs and on others. Says nothing of what a diagnosis makes of them. Not for who changes rules.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence

os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")

import moderngl

from tests.faults.fresh.case import Planted
from tests.faults.fresh.cases import Case, cases_of
from tests.faults.fresh.planting import planted, ran
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import headless_context

# Inputs that a right pipeline has to be right on: its own, and fresh ones by seeds.
_INPUTS = (None, 1000, 1001, 1002)


def broken(case: Case, context: moderngl.Context) -> Iterator[str]:
    """What of a case does not hold, in words."""
    try:
        with planted(case.folder, case.swaps) as folder:
            for fresh in _INPUTS if not isinstance(case.what, Planted) else (None,):
                with ran(folder, context, fresh=fresh) as session:
                    report = session.compare(findings=False)
                verdicts = {each.name: each.verdict for each in report.passes if each.verdict != "match"}
                if isinstance(case.what, Planted) and report.culprit != case.what.culprit:
                    yield f"the culprit is {report.culprit!r}, not {case.what.culprit!r}: {verdicts}"
                if not isinstance(case.what, Planted) and verdicts:
                    yield f"not all match on {'its own inputs' if fresh is None else f'inputs {fresh}'}: {verdicts}"
    except (TexelscopeError, ValueError, OSError) as caught:
        yield str(caught)


def main(arguments: Sequence[str] | None = None) -> int:
    """Checks a style, prints what does not hold and how many of each kind there are."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.faults.fresh.check")
    parser.add_argument("style", metavar="STYLE")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases with that in their names")
    asked = parser.parse_args(arguments)
    context, cases = headless_context(), cases_of(asked.style)
    failed = 0
    for case in cases:
        if asked.only in case.what.name:
            for said in broken(case, context):
                failed += 1
                print(f"{case.what.name} ({case.kind}, {case.folder.name}): {said}", flush=True)
    kinds = [case.kind for case in cases]
    print(*(f"{kind}: {kinds.count(kind)}" for kind in ("fault", "pair", "healthy")), f"broken: {failed}", sep="  ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
