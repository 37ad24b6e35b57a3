"""Lists for which planted bugs a cause's generators propose anything, and how much that explains.

`python -m tests.faults.proposes CAUSE` plants each bug of `seen` and `practice`, runs and compares it, and gives the
evidence to the generators of this one cause, without others and without repairs. Bugs in `held_out` and `fresh` are
never opened. A whole run takes minutes; `--limit N` takes the bugs of this cause first, and then others from all parts
of the suite.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial

os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")

import moderngl
import numpy as np

from tests.faults.fresh.case import Planted
from tests.faults.fresh.cases import cases_of, styles
from tests.faults.fresh.planting import planted, ran
from tests.faults.suite import NOT_YET_NAMED, SEEN, SEEN_NAMELESS
from texelscope.pipeline.arithmetic.workers import single_threaded_blas
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.judge import Score
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.cross_validation import by_reader
from texelscope.pipeline.diagnose.evidence.evidence import Evidence
from texelscope.pipeline.diagnose.evidence.gather import Gathering
from texelscope.pipeline.diagnose.hypotheses.registry import by_cause
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.judging import try_out
from texelscope.pipeline.gl.context import headless_context

PRACTICE = "tests.faults.practice"
HALVES = ("seen", "practice")
# After so many hypotheses the generators have shown what it proposes for a bug.
MOST_HYPOTHESES = 500


@dataclass(frozen=True)
class Bug:
    """Where a planted bug is found again: its half, its style (none in `seen`), and its place there."""

    half: str
    style: str
    place: int
    name: str
    causes: tuple[str, ...]


@dataclass(frozen=True)
class Proposed:
    """What the generators said of a bug: how many hypotheses, the best of them with its score; or why it broke down."""

    bug: Bug
    hypotheses: int = 0
    best: Score | None = None
    says: str = ""
    broke: str = ""

    @property
    def explains(self) -> str:
        """The share of the wrong elements that the best hypothesis reproduces, in words."""
        if self.broke:
            return "broke"
        if self.best is None or not self.best.explained:
            return "nothing" if self.hypotheses else ""
        return "all" if self.best.is_whole else f"{self.best.share:.0%}" if self.best.is_part else "nothing"


def bugs(halves: Sequence[str] = HALVES) -> list[Bug]:
    """All planted bugs that whoever writes rules may look at."""
    found = []
    if "seen" in halves:
        faults = (*SEEN, *NOT_YET_NAMED, *SEEN_NAMELESS)
        found += [
            Bug("seen", "", place, fault.name, (fault.cause, *fault.alternatives)) for place, fault in enumerate(faults)
        ]
    if "practice" in halves:
        found += [
            Bug("practice", style, place, case.what.name, case.what.causes)
            for style in styles(PRACTICE)
            for place, case in enumerate(cases_of(style, PRACTICE))
            if isinstance(case.what, Planted)
        ]
    return found


def sample(every: Sequence[Bug], cause: str, limit: int) -> list[Bug]:
    """At most `limit` bugs: half of them or more of this cause as far as there are, the others at even distances."""
    own = [bug for bug in every if cause in bug.causes]
    others = [bug for bug in every if cause not in bug.causes]
    kept = _spread(own, max(limit - len(others), (limit + 1) // 2))
    return [*kept, *_spread(others, limit - len(kept))]


def _spread(found: Sequence[Bug], count: int) -> list[Bug]:
    count = min(count, len(found))
    return [found[place * len(found) // count] for place in range(count)]


def proposed(bug: Bug, cause: str) -> Proposed:
    """Plants the bug, gathers its evidence and asks the generators."""
    try:
        with _evidence(bug) as evidence:
            return _asked(bug, cause, evidence) if evidence is not None else Proposed(bug, broke="nothing is wrong")
    except Exception as error:  # noqa: BLE001 - one bug that breaks is shown, and the next one is tried
        return Proposed(bug, broke=f"{type(error).__name__}: {error}")


def _asked(bug: Bug, cause: str, evidence: Evidence) -> Proposed:
    count, best, says = 0, None, ""
    with np.errstate(all="ignore"), single_threaded_blas():
        case = FailingPass(evidence)
        if not case.wrong.any():
            return Proposed(bug)
        for generator in by_cause()[cause]:
            try:
                for hypothesis in by_reader(case, generator.propose(case)):
                    count += 1
                    score = try_out(case, hypothesis)
                    if score is not None and (best is None or _quality(score) > _quality(best)):
                        best, says = score, hypothesis.says
                    if (best is not None and best.is_whole) or count >= MOST_HYPOTHESES:
                        return Proposed(bug, count, best, says)
            except DoesNotApplyError:
                continue
    return Proposed(bug, count, best, says)


def _quality(score: Score) -> tuple[bool, bool, float]:
    return score.is_whole, score.is_part, score.share


@contextmanager
def _evidence(bug: Bug) -> Iterator[Evidence | None]:
    """What is known of the wrong pass; None where no pass is wrong."""
    if bug.half == "seen":
        fault = (*SEEN, *NOT_YET_NAMED, *SEEN_NAMELESS)[bug.place].plant(_context())
        with fault.session as session:
            yield _gathered(session, fault.name)
        return
    case = cases_of(bug.style, PRACTICE)[bug.place]
    assert isinstance(case.what, Planted)
    with planted(case.folder, case.swaps) as folder, ran(folder, _context()) as session:
        yield _gathered(session, case.what.culprit)


def _gathered(session: DebugSession, name: str) -> Evidence | None:
    comparer, capture = Comparer(session.plan), session.capture()
    compared = comparer.compare(capture).find(name)
    if compared is None or compared.verdict == "match":
        return None
    output = comparer.wrong_output(capture, name)
    return Gathering(session, capture, output, comparer.wrong(capture, output)).run()


@cache
def _context() -> moderngl.Context:
    """One context a process."""
    return headless_context()


def row(found: Proposed) -> str:
    """A line of the table."""
    home = "/".join(part for part in (found.bug.half, found.bug.style) if part)
    says = found.broke or found.says
    return f"{found.explains:8}{found.hypotheses:6}  {found.bug.causes[0]:22} {home:26} {found.bug.name}: {says}"


def totals(cause: str, found: Sequence[Proposed]) -> list[str]:
    """What the generators do for bugs of its own cause, and for those of others."""
    own = [each for each in found if cause in each.bug.causes]
    others = [each for each in found if cause not in each.bug.causes]
    return [_total(f"of {len(own)} bugs of {cause}", own), _total(f"of {len(others)} others", others)]


def _total(subject: str, found: Sequence[Proposed]) -> str:
    count: Callable[[str], int] = lambda word: sum(each.explains == word for each in found)  # noqa: E731
    proposes, broke = sum(each.hypotheses > 0 for each in found), count("broke")
    ending = f", {broke} broke" if broke else ""
    return f"{subject}: it proposes for {proposes}, explains all of {count('all')}{ending}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a line for each bug of this cause and each other one that it proposes something for, and the totals."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.faults.proposes")
    parser.add_argument("cause", metavar="CAUSE", choices=sorted(by_cause()), help="of docs/causes.md")
    parser.add_argument("--half", action="append", choices=HALVES, help="only this half; both if not given")
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many bugs; all if not given")
    parser.add_argument("--all", action="store_true", help="also show bugs that it proposes nothing for")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes, 2 if not given")
    options = parser.parse_args(arguments)
    every = bugs(options.half or HALVES)
    chosen = every if options.limit is None else sample(every, options.cause, options.limit)
    found = []
    print(f"{'explains':8}{'tried':>6}  {'cause of the bug':22} bug")
    with ProcessPoolExecutor(options.jobs, multiprocessing.get_context("spawn")) as pool:
        for each in pool.map(partial(proposed, cause=options.cause), chosen, chunksize=4):
            found.append(each)
            if options.all or options.cause in each.bug.causes or each.hypotheses or each.broke:
                print(row(each), flush=True)
    print(*totals(options.cause, found), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
