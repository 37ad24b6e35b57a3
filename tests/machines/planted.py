"""Plants bugs on this process's driver: `python -m tests.machines.planted [--every N] [--repairs N] FILE`.

Bugs are planted of every cause whose pass is drawn, and the outcome of each is a row of the JSON file: whether the
first finding names it, whether its line is right, and, for every so many, whether a repair is offered and is right.
The same rows on two drivers say what a diagnosis loses on one of them.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.faults.fault import Fault
from tests.faults.outcome import outcome
from tests.faults.suite import SEEN
from tests.work_clock import counting_work
from texelscope.pipeline.diagnose.naming import WRONG
from texelscope.pipeline.gl.context import headless_context


@dataclass(frozen=True)
class Row:
    """What became of one bug; `line` is None where no line is right or wrong, `mended` where no repair was looked for.

    Whether it `shows` is up to the driver: one without low precision makes no error of it. `mended` is whether a
    repair is offered, and all that are offered hold on other inputs.
    """

    name: str
    cause: str
    shows: bool
    named: bool
    line: bool | None
    mended: bool | None
    error: str = ""


def sample(every: int) -> tuple[Fault, ...]:
    """Returns each so-manieth bug of a cause, at least one; without bugs of dispatches, which need OpenGL 4.3."""
    by_cause: dict[str, list[Fault]] = {}
    for fault in SEEN:
        subject = fault.subject()
        if subject.plan.pass_called(subject.name).dispatch is None:
            by_cause.setdefault(fault.cause, []).append(fault)
    return tuple(fault for faults in by_cause.values() for fault in faults[::every])


def rows_of(faults: Sequence[Fault], repaired: frozenset[str]) -> list[Row]:
    """Plants bugs one after the other; looks for repairs of those whose names are in `repaired`."""
    context = headless_context()
    rows = []
    for fault in faults:
        is_repaired = fault.name in repaired
        try:
            with counting_work():
                found = outcome(fault, context, located=is_repaired)
        except Exception as error:  # noqa: BLE001 - a bug that cannot be planted on this driver is a row as well
            rows.append(Row(fault.name, fault.cause, shows=True, named=False, line=None, mended=None, error=str(error)))
            continue
        mended = bool(found.repairs) and all(found.repairs) if is_repaired and found.changed else None
        shows = found.verdict in WRONG
        rows.append(Row(fault.name, fault.cause, shows, found.rank == 1, found.line_is_right, mended))
    return rows


def shares(rows: Iterable[Row]) -> Mapping[str, float]:
    """Returns the shares of bugs that are named, whose line is right, and that are mended, each from 0 to 1.

    The shares are of all that were asked: a bug without a name has no right line either.
    """
    rows = tuple(rows)
    asked: Mapping[str, list[bool | None]] = {
        "named": [row.named for row in rows],
        "line": [row.line is True for row in rows],
        "mended": [row.mended for row in rows if row.mended is not None or row.error],
    }
    return {name: sum(map(bool, flags)) / max(len(flags), 1) for name, flags in asked.items()}


def rows_in(path: Path) -> tuple[Row, ...]:
    """Returns the rows that a run wrote."""
    return tuple(Row(**each) for each in json.loads(path.read_text(encoding="utf-8")))


def main(arguments: Sequence[str] | None = None) -> int:
    """Plants the sample and writes its rows."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.machines.planted")
    parser.add_argument("--every", type=int, default=1, help="each so-manieth bug of a cause")
    parser.add_argument("--repairs", type=int, default=1, help="look for repairs of each so-manieth bug; 0: of none")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("file", type=Path)
    options = parser.parse_args(arguments)
    faults = sample(options.every)
    repaired = frozenset(fault.name for fault in (faults[:: options.repairs] if options.repairs else ()))
    parts = [[fault.name for fault in faults[job :: options.jobs]] for job in range(options.jobs)]
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        found = pool.starmap(_of_names, [(part, repaired) for part in parts])
    rows = sorted((row for part in found for row in part), key=lambda row: row.name)
    options.file.write_text(json.dumps([asdict(row) for row in rows], indent=1), encoding="utf-8")
    print(f"{len(rows)} bugs: {', '.join(f'{share:.1%} {name}' for name, share in shares(rows).items())}")
    for row in rows:
        if row.error:
            print(f"  {row.name}: {row.error}")
    return 0


def _of_names(names: Sequence[str], repaired: frozenset[str]) -> list[Row]:
    wanted = frozenset(names)
    return rows_of([fault for fault in SEEN if fault.name in wanted], repaired)


if __name__ == "__main__":
    sys.exit(main())
