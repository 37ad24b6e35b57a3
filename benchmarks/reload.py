"""Measures the time from a save to the new picture, where it goes, and what a thousand saves leave behind.

    python -m benchmarks.reload [--saves N] [--only NAME] [--reloads N]

Each case copies its example into a temporary folder, opens it and saves a shader N times (50) the way an editor does,
each time with another number in it, so that neither driver nor cache has seen the text. Times are wall-clock, from
before the write to the end of the GPU's work. Without a window, by stage:

- notice: until the watcher reports the save
- plan: the saved file is read and checked
- compile: the driver's front end; link
- machine code: how much longer the first pass's first draw takes than its second. llvmpipe compiles to machine
  code when it is drawn with; the drivers of graphics cards do most of that in the stage before
- first pass: the edited pass drawn, which shows what was saved; without that
- new picture: all of the above, from the save to the edited pass's new texture
- later passes: those that depend on it, once
- everything: from the save until all of them are done

and in the real window, on a virtual display if there is no other, with the edited pass selected:

- first frame: from the save until a frame that shows the edited pass's new texture is drawn. Later passes run in later
  frames, so that a person sees their change before its consequences
- last frame: from the save until one that shows all of them

A shader of several passes is shown when the first has run. The last case reloads (1,000 times) with every third save
broken and compares GL objects and the process's memory with those after the first ten. Exit code 1 if the median first
frame is over its case's limit or anything grew by more than 2 %.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psutil

from benchmarks import reload_window
from benchmarks.gl_objects import count_gl_objects
from benchmarks.reload_cases import CASES, WEBGL_CNN, Case, copied, edited, write
from benchmarks.reload_window import FRAMES
from texelscope import pipeline
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.reload.reloader import Reloader

STAGES = ("notice", "plan", "compile", "machine code", "first pass", "new picture", "later passes", "everything")
GROWTH = 0.02


def main() -> int:
    """Run the cases and print a line for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--saves", type=int, default=50, help="saves of each case (50)")
    parser.add_argument("--reloads", type=int, default=1000, help="reloads of the last case (1000); 0 leaves it out")
    parser.add_argument("--only", default="", help="cases with this in their name")
    options = parser.parse_args()
    cases = [case for case in CASES if options.only in case.name]
    good = True
    _print("median ms without a window", STAGES)
    for case in cases:
        _print(case.name, _medians(_headless(case, options.saves), STAGES))
    _print("median ms in the window", (*FRAMES, "limit"))
    for case in cases:
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
            medians = _medians(process.submit(reload_window.measure, case, options.saves).result(), FRAMES)
        _print(case.name, (*medians, case.limit_ms or float("nan")))
        good &= case.limit_ms is None or medians[0] <= case.limit_ms
    if options.reloads:
        good &= _leaks(options.reloads)
    return 0 if good else 1


def _print(name: str, cells: Sequence[str | float]) -> None:
    texts = [cell if isinstance(cell, str) else f"{cell:.1f}" for cell in cells]
    print(f"{name:36}" + "".join(f"{text:>14}" for text in texts), flush=True)


def _medians(times: Sequence[Mapping[str, float]], names: Sequence[str]) -> tuple[float, ...]:
    return tuple(statistics.median(each[name] for each in times) for name in names)


# -- without a window --------------------------------------------------------------------------------------


def _headless(case: Case, saves: int) -> list[Mapping[str, float]]:
    """Milliseconds by stage, of each save but the first."""
    with _opened(case.source, case.layout) as (session, reloader, folder):
        times = []
        for number in range(saves + 1):
            file, name = case.shaders[number % len(case.shaders)]
            times.append(_save(session, reloader, folder / file, name))
        return times[1:]


def _save(session: Session, reloader: Reloader, path: Path, name: str) -> Mapping[str, float]:
    """Saves once and reloads; returns milliseconds by stage."""
    text = edited(path.read_text(encoding="utf-8"))
    start = time.perf_counter()
    write(path, text)
    reload = reloader.wait(10.0)
    end = time.perf_counter()
    if reload is None or reload.errors or not reload.passes or reload.passes[0] != name:
        raise SystemExit(f"the save of {path.name} led to {reload}")
    session.run_pass(name)
    session.finish()
    again = (time.perf_counter() - end) * 1e3
    total = (end - start) * 1e3
    stages = reload.milliseconds
    return {
        "notice": total - sum(stages.values()),
        "plan": stages["plan"],
        "compile": stages["compile"],
        "machine code": stages["first"] - again,
        "first pass": again,
        "new picture": total - stages["rest"],
        "later passes": stages["rest"],
        "everything": total,
    }


@contextmanager
def _opened(source: Path, layout: str) -> Iterator[tuple[Session, Reloader, Path]]:
    with copied(source, layout) as target, pipeline.open(target) as session:
        session.run()
        session.finish()
        with Reloader(session, target) as reloader:
            yield session, reloader, target.parent


def _leaks(reloads: int) -> bool:
    """Reloads one pass again and again, every third time broken."""
    with _opened(WEBGL_CNN / "broken.toml", "channel_tiles") as (session, reloader, folder):
        path = folder / "up3.frag"
        good = path.read_text(encoding="utf-8")
        counts: list[tuple[dict[str, int], float]] = []
        for number in range(1, reloads + 1):
            is_good = number % 3 > 0
            text = edited(good)
            path.write_text(text if is_good else text.replace("vec2 st", "vec7 st"), encoding="utf-8")
            reload = reloader.wait(10.0)
            if reload is None or bool(reload.errors) == is_good:
                raise SystemExit(f"reload {number} led to {reload}")
            if number in (10, reloads):
                session.finish()
                gc.collect()
                counts.append((count_gl_objects(), _resident_mib()))
    (objects_before, memory_before), (objects, memory) = counts
    print(f"after 10 reloads:      {sum(objects_before.values())} GL objects, {memory_before:.1f} MiB resident")
    print(f"after {reloads:5} reloads: {sum(objects.values())} GL objects, {memory:.1f} MiB resident")
    if objects != objects_before:
        print(f"  {objects_before} became {objects}")
    return objects == objects_before and memory <= memory_before * (1.0 + GROWTH)


def _resident_mib() -> float:
    """Returns the resident memory of this process."""
    return psutil.Process().memory_info().rss / 2**20


if __name__ == "__main__":
    sys.exit(main())
