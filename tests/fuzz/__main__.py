"""`python -m tests.fuzz [--count N] [--seed S] [--kind K]`: a JSON line for each breach, a table; 1 if there is one."""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz import kinds
from tests.fuzz.case import Case
from tests.fuzz.found import keep
from tests.fuzz.planted import MOST_BYTES, planted
from tests.fuzz.server import MOST_SECONDS, Server
from tests.fuzz.summary import Summary
from tests.fuzz.verdict import breaches


def main() -> int:
    """Runs it; 0 if every file got its answer or its line."""
    options = _parser().parse_args()
    summary = Summary()
    # No TemporaryDirectory: each child would take it away at its own end.
    folder = Path(tempfile.mkdtemp(prefix="fuzz-")).resolve()
    try:
        if options.planted:
            return _untold(Server(folder, options.patience, MOST_BYTES))
        _run(options, Server(folder, options.patience), summary)
    finally:
        shutil.rmtree(folder)
    print(summary.table())
    return 1 if summary.breached else 0


def _run(options: argparse.Namespace, server: Server, summary: Summary) -> None:
    until = time.monotonic() + options.seconds
    for name, number, case in _cases(options):
        if time.monotonic() > until:
            break
        ran = server.run(case)
        found = breaches(case, ran, server.box)
        summary.add(name.partition(" ")[0], ran, found)
        if found or options.all:
            line = {
                "kind": name, "seed": options.seed, "number": number, "what": case.what,
                "words": [word[:100] for word in case.words],
                "code": ran.code, "seconds": round(ran.seconds, 2), "wall": round(ran.wall_seconds, 2),
                "mib": ran.bytes_at_most >> 20, "stderr": ran.stderr[:300],
                "breaches": [[each.what, each.detail, each.signature] for each in found],
            }  # fmt: skip
            print(json.dumps(line), flush=True)
        if found and options.keep is not None:
            keep(Path(options.keep), f"{name}-{options.seed}-{number}", case, ran, found)
        if options.every and summary.count % options.every == 0:
            print(summary.line(), file=sys.stderr, flush=True)


def _untold(server: Server) -> int:
    """Returns 1 if a planted breach is not reported."""
    code = 0
    for what, case in planted():
        told = {each.what for each in breaches(case, server.run(case), server.box)}
        print(f"{what}: {'told' if what in told else 'not told'}")
        code |= what not in told
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="files, over all kinds (1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", help="only this kind, or part of the corpus; repeatable")
    parser.add_argument("--number", type=int, help="only the file of this number")
    parser.add_argument("--corpus", action="store_true", help="the corpus, in place of seeded files")
    parser.add_argument("--planted", action="store_true", help="what the watchers have to tell, in place of files")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no file after so long")
    parser.add_argument("--patience", type=float, default=MOST_SECONDS, help="seconds of CPU that a file may take (60)")
    parser.add_argument("--keep", metavar="DIR", help="put files with a breach there, one of each kind of fault")
    parser.add_argument("--all", action="store_true", help="a line for every file")
    parser.add_argument("--every", type=int, default=0, metavar="N", help="a line on standard error every N files")
    return parser


def _cases(options: argparse.Namespace) -> Iterator[tuple[str, int, Case]]:
    """Kind, number and case: the kinds in turn, so that any run is a little of everything."""
    if options.corpus:
        from tests.fuzz.corpus import cases

        for number, (name, case) in enumerate(cases()):
            is_asked = options.kind is None or name.partition(" ")[0] in options.kind
            if is_asked and options.number in (None, number):
                yield name, number, case
        return
    makers, turn = kinds.all_kinds(), kinds.turn(options.kind)
    numbers = Counter[str]()
    for place in range(options.count):
        name = turn[place % len(turn)]
        number, numbers[name] = numbers[name], numbers[name] + 1
        if options.number in (None, number):
            yield name, number, makers[name](random.Random(f"{options.seed} {name} {number}"))


if __name__ == "__main__":
    raise SystemExit(main())
