"""`python -m tests.events [--count N] [--opens N] [--drops N] [--seed N]`: the storm; ends with 1 if it was too much.

First so many opens that fail, in Python and in a document as the window has it; then each file once on a window; then
the events, with a line at each checkpoint.
"""

from __future__ import annotations

import argparse
import ctypes
import logging
import os
import tempfile
from functools import partial
from pathlib import Path

from tests.events.files import bad_files, good_files
from tests.events.growth import growth
from tests.events.hand import Hand
from tests.events.kept import kept_by, opens_in_python, opens_in_window
from tests.events.storm import Checkpoint, Storm
from tests.gui.desktop import Desktop
from tests.gui.virtual_display import VirtualDisplay
from texelscope.pipeline.gl.context import headless_context
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.shell.probe import gl_objects

MEMORY = Path("/dev/shm")


def failing_opens(folder: Path, count: int) -> list[str]:
    """Returns what so many failing opens leave behind, in this process."""
    good = next(path for path in good_files(folder) if path.suffix == ".onnx")
    bad = bad_files(folder)
    opens_in_python(good)
    logging.disable()  # each of them is reported
    library = ctypes.CDLL("libGL.so.1")
    found = [f"opens in Python: {each}" for each in kept_by(opens_in_python, bad, count)]
    with headless_context() as context:
        document = Document(context, MessageLog(), lambda: None)
        opens_in_window(document, good)
        before = gl_objects(library)
        found += [f"opens in the window: {each}" for each in kept_by(partial(opens_in_window, document), bad, count)]
        grown = {kind: number for kind, number in gl_objects(library).items() if number > before[kind]}
        found += [f"opens in the window: {before[kind]} {kind} became {number}" for kind, number in grown.items()]
        document.close()
    logging.disable(logging.NOTSET)
    return found


def tell(checkpoint: Checkpoint) -> None:
    """Prints a line of figures."""
    objects = ", ".join(f"{count} {kind}" for kind, count in checkpoint.objects.items())
    print(
        f"{checkpoint.events:>7,} events  {checkpoint.resident_mib:7.1f} MiB  slowest answer "
        f"{checkpoint.slowest_seconds * 1e3:6.0f} ms ({checkpoint.slowest})  {objects}",
        flush=True,
    )


def main() -> int:
    """Runs it; 0 if the window lived, answered, and stayed as small."""
    parser = argparse.ArgumentParser(prog="python -m tests.events", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--opens", type=int, default=1000)
    parser.add_argument("--between", type=int, default=1000)
    parser.add_argument("--drops", type=int, default=2, help="of about a hundred events, how many drop a file")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    in_memory = MEMORY if MEMORY.is_dir() else None  # what the window shows is a file that each frame writes anew
    with VirtualDisplay() as display, tempfile.TemporaryDirectory(dir=in_memory) as folder:
        os.environ["DISPLAY"] = display.name
        home = Path(folder) / "home"
        work = Path(folder) / "work"
        opened = Path(folder) / "opened"
        for each in (home, work, opened):
            each.mkdir()
        kept = failing_opens(opened, options.opens) if options.opens else []
        print(
            f"{options.opens:>7,} opens that fail, each way: {'; '.join(kept) or 'nothing is left of them'}", flush=True
        )
        with Hand(display.name) as hand:
            storm = Storm(Desktop(display.name, home), hand, work, options.seed, drops=options.drops)
            try:
                storm.open_each_once()
                outcome = storm.run(options.count, options.between, tell)
            finally:
                storm.close()
    grown = growth(outcome.checkpoints)
    for line in outcome.quits:
        print(f"{line}: begun again")
    for line in (*kept, *outcome.failures, *outcome.freezes, *grown, outcome.ended):
        if line:
            print(line)
    good = not (kept or outcome.failures or outcome.freezes or grown or outcome.ended)
    print("weathered" if good else "not weathered")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
