"""`python -m tests.command_lines [--seed N]`: answers that are wrong, and how many there were; ends with 1 if any."""

from __future__ import annotations

import argparse
import collections
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.command_lines.lines import chosen, scratch, surrounded
from tests.command_lines.running import answered


def main() -> int:
    """Runs them; see `--help`."""
    parser = argparse.ArgumentParser(prog="python -m tests.command_lines", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the odd values (1)")
    parser.add_argument("--count", type=int, default=300, metavar="N", help="of the options' lines (300)")
    parser.add_argument("--only", choices=("drawn", "surrounded"), help="one of the two kinds")
    options = parser.parse_args()
    os.environ.pop("DISPLAY", None)
    lines = [] if options.only == "surrounded" else chosen(options.seed, options.count)
    lines += [] if options.only == "drawn" else surrounded()
    codes: collections.Counter[int] = collections.Counter()
    wrong, start = 0, time.monotonic()
    for number, line in enumerate(lines):
        with tempfile.TemporaryDirectory(prefix="texelscope-lines-") as folder:
            os.environ["XDG_STATE_HOME"] = str(Path(folder) / "state")
            scratch(Path(folder))
            answer = answered(line, Path(folder))
        codes[answer.code] += 1
        if answer.problems:
            wrong += 1
            words = " ".join(ascii(word)[:60] for word in line.words)
            print(f"{number}: {words}  [{line.around} {dict(line.environment)} {line.python}]")
            print(f"    {', '.join(answer.problems)}: {answer.said[-700:]!a}", flush=True)
    told = ", ".join(f"{code}: {count}" for code, count in sorted(codes.items()))
    print(f"{len(lines)} command lines, {wrong} answered wrongly, in {time.monotonic() - start:.0f} s; codes {told}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
