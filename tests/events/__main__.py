"""`python -m tests.events [--count N] [--seed N]`: the storm, a line a checkpoint; ends with 1 if it was too much."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from tests.events.hand import Hand
from tests.events.storm import Checkpoint, Outcome, Storm
from tests.gui.desktop import Desktop
from tests.gui.virtual_display import VirtualDisplay

# From this event on memory and GL objects stay within the share.
SETTLED_EVENTS, GROWTH = 5000, 0.02


def growth(outcome: Outcome) -> list[str]:
    """What grew by more than allowed since the window had settled."""
    settled = [each for each in outcome.checkpoints if each.events >= SETTLED_EVENTS]
    if len(settled) < 2:
        return []
    first, last = settled[0], settled[-1]
    pairs = [("resident MiB", first.resident_mib, last.resident_mib)]
    pairs += [(kind, float(first.objects[kind]), float(last.objects[kind])) for kind in first.objects]
    return [
        f"{what}: {before:.0f} after {first.events:,} events, {after:.0f} after {last.events:,}"
        for what, before, after in pairs
        if after > before * (1 + GROWTH)
    ]


def tell(checkpoint: Checkpoint) -> None:
    """A line of figures."""
    objects = ", ".join(f"{count} {kind}" for kind, count in checkpoint.objects.items())
    print(
        f"{checkpoint.events:>7,} events  {checkpoint.resident_mib:7.1f} MiB  slowest answer "
        f"{checkpoint.slowest_seconds * 1e3:6.0f} ms  {objects}",
        flush=True,
    )


def main() -> int:
    """Runs it; 0 if the window lived, answered, and stayed as small."""
    parser = argparse.ArgumentParser(prog="python -m tests.events", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--between", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with VirtualDisplay() as display, tempfile.TemporaryDirectory() as folder:
        os.environ["DISPLAY"] = display.name
        home = Path(folder) / "home"
        work = Path(folder) / "work"
        home.mkdir()
        work.mkdir()
        with Hand(display.name) as hand:
            storm = Storm(Desktop(display.name, home), hand, work, options.seed)
            try:
                outcome = storm.run(options.count, options.between, tell)
            finally:
                storm.close()
    grown = growth(outcome)
    for line in (*outcome.failures, *outcome.freezes, *grown, outcome.ended):
        if line:
            print(line)
    good = not (outcome.failures or outcome.freezes or grown or outcome.ended)
    print("weathered" if good else "not weathered")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
