"""Draws traces over all kinds of shaders and holds each against the texel.

Ends with 1 if one differs and does not say so itself, or if more than one of a hundred says so.
"""

from __future__ import annotations

import argparse
import collections
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.traces.draws import Draw, chosen, drawn
from tests.traces.sources import outside, sources
from texelscope.pipeline.gl.context import headless_context


def main() -> int:
    """Draws and reports; see `--help`."""
    parser = argparse.ArgumentParser(prog="python -m tests.traces", description=__doc__)
    parser.add_argument("--draws", type=int, default=300, metavar="N", help="how many, 300 if not given")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of what is drawn, 1 if not given")
    parser.add_argument(
        "--kind", help="only this kind: shipped, ejected, written, example, tfjs; or outside: files of others"
    )
    parser.add_argument(
        "--colours", action="store_true", help="hold each against one logged in colours, as without storage buffers"
    )
    options = parser.parse_args()
    start, random_ = time.monotonic(), random.Random(options.seed)
    gl = headless_context()
    draws: list[Draw] = []
    with tempfile.TemporaryDirectory() as folder:
        found = sources(gl, Path(folder)) if options.kind != "outside" else outside()
        found = [each for each in found if options.kind in (None, each.kind)]
        for source in chosen(found, options.draws, options.seed):
            made = drawn(source, gl, random_, in_colours=options.colours)
            draws.append(made)
            if made.problem or made.refusal:
                print(f"{'differs' if made.problem else 'refused'}: {made.title}: {made.problem or made.refusal}")
    told = [each for each in draws if not each.refusal]
    exact = [each for each in told if not each.problem]
    kinds = collections.Counter(each.kind for each in exact)
    print(", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))
    if told:
        first, again = ([getattr(each, name) for each in told] for name in ("first_ms", "again_ms"))
        print(f"first trace {statistics.median(first):.0f} ms (at most {max(first):.0f}), ", end="")
        print(f"again {statistics.median(again):.0f} ms (at most {max(again):.0f}) of processor time; ", end="")
        if options.colours:
            colours = [each.colours_ms for each in told]
            print(f"in colours {statistics.median(colours):.0f} ms (at most {max(colours):.0f}); ", end="")
        print(f"at most {max(each.steps for each in told)} steps")
    admitted = sum(bool(each.problem) and each.admitted for each in told)
    print(
        f"{len(exact)} of {len(draws)} exact, {admitted} differ and say so, {len(draws) - len(told)} refused, ", end=""
    )
    print(f"{time.monotonic() - start:.0f} s")
    return 1 if len(exact) + min(admitted, len(draws) // 100) < len(told) else 0


if __name__ == "__main__":
    sys.exit(main())
