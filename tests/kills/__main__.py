"""`python -m tests.kills [--count N] [--seed N] [--only NAMES]`: a line for each work; ends with 1 if one is torn."""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.kills.killing import killed
from tests.kills.works import WORKS

# What forked processes need not import again.
IMPORTED = (
    "texelscope.pipeline.commands.diff",
    "texelscope.pipeline.export.html_report",
    "texelscope.pipeline.export.eject",
    "texelscope.viewer.memory.settings",
)


def main() -> int:
    """Runs them; see `--help`."""
    parser = argparse.ArgumentParser(prog="python -m tests.kills", description=__doc__)
    parser.add_argument("--count", type=int, default=200, metavar="N", help="kills in all (200)")
    parser.add_argument("--seed", type=int, default=None, metavar="N", help="of the moments (another one each time)")
    parser.add_argument("--only", default=",".join(WORKS), metavar="NAMES", help="which works")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(10**6)
    print(f"seed {seed}", flush=True)
    names, start, problems = options.only.split(","), time.monotonic(), 0
    for module in IMPORTED if len(names) > 2 else ():
        importlib.import_module(module)
    with tempfile.TemporaryDirectory(prefix="texelscope-kills-") as folder:
        for place, name in enumerate(names):
            kills = options.count // len(names) + (place < options.count % len(names))
            found = killed(name, Path(folder) / name, kills, random.Random(f"{seed} {name}"))
            problems += len(found.problems)
            print(
                f"{name:<10} {found.kills:4} kills within {2 * found.step_seconds * 1e3:.0f} ms: {found.files:6} files "
                f"whole but {len(found.problems)}; {found.left} left something unfinished, tidied up by the next",
                flush=True,
            )
            for problem in found.problems[:20]:
                print(f"    {problem}")
    print(f"{options.count} kills, {problems} torn, in {time.monotonic() - start:.0f} s")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
