"""Measures a driver's cache before a variant, once it is rehearsed, and once the bench has drawn it.

`python -m tests.gl.repair.drawn_twice PIPELINE CACHE`, which the environment says is the driver's.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from texelscope import pipeline
from texelscope.pipeline.gl.context import headless_context
from texelscope.pipeline.repair.harness.harness import Harness, Variant

# The driver writes in a separate thread.
_SECONDS = 1.0


def _held(cache: Path) -> int:
    """Files in the cache, once nothing has come for a while."""
    count, since = -1, time.monotonic()
    while time.monotonic() - since < _SECONDS:
        time.sleep(0.1)
        now = sum(each.is_file() and each.name != "index" for each in cache.rglob("*"))
        if now != count:
            count, since = now, time.monotonic()
    return count


def main() -> None:
    """Prints the three numbers."""
    path, cache = Path(sys.argv[1]), Path(sys.argv[2])
    with pipeline.open(path, context=headless_context()) as session:
        session.run()
        harness = Harness(session, session.plan.pass_called("y"))
        _draw(_variant(harness, "1.5"))  # what the driver needs for any draw
        before = _held(cache)
        variant = _variant(harness, "2.5")
        rehearsed = _held(cache)
        _draw(variant)
        sys.stdout.write(f"{before} {rehearsed} {_held(cache)}\n")
        harness.release()


def _variant(harness: Harness, factor: str) -> Variant:
    return harness.variant(harness.program.fragment.replace("-texture", f"{factor} * texture"))


def _draw(variant: Variant) -> None:
    variant.run({}, {"y": (0, 0, 4, 4)})
    variant.release()


if __name__ == "__main__":
    main()
