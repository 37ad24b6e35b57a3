"""How long from a save to the new result, where that time goes, and what a thousand saves leave behind.

    python -m benchmarks.reload [--saves N] [--only NAME] [--reloads N]

Each case copies its example into a temporary folder, opens it without a window and saves a shader N times (50) the
way an editor does, each time with another number in it, so that neither driver nor cache has seen the text. Times
are wall-clock, from before the write to the end of the GPU's work:

- notice: until the watcher reports the save
- plan: the files read and checked
- compile: the driver's front end; link
- run: the passes that depend on the save, once. On llvmpipe the first draw of a new program compiles it to machine
  code; `first draws` is what that costs, found by running the same passes again.

The last case reloads (1,000 times) with every third save broken and compares GL objects and the process's memory
with those after the first ten. Exit code 1 if a median is over its limit or anything grew by more than 2 %.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pipeline
from benchmarks.gl_objects import count_gl_objects
from pipeline.eject import eject
from pipeline.reload import Reloader
from pipeline.session import Session

ROOT = Path(__file__).resolve().parent.parent
WEBGL_CNN = ROOT / "examples" / "webgl_cnn"
FACADES = ROOT / "examples" / "facades" / "facades.onnx"
STAGES = ("notice", "plan", "compile", "run", "first draws", "total")
GROWTH = 0.02


@dataclass(frozen=True)
class Case:
    """Shaders of a folder, or of a model ejected in `layout`, saved in turn; `limit_ms` bounds the median total."""

    name: str
    source: Path
    shaders: tuple[str, ...]
    limit_ms: float | None
    layout: str = "channel_tiles"


CASES = (
    Case(
        "webgl_cnn, a pass's own shader",
        WEBGL_CNN / "broken",
        tuple(f"{name}.frag" for name in ("down1", "down2", "down3", "up1", "up2", "up3")),
        100.0,
    ),
    Case("webgl_cnn, a shader of three passes", WEBGL_CNN / "fixed", ("down.frag", "up.frag"), None),
    Case("facades, a pass in the middle", FACADES, ("shaders/up4.frag",), 250.0, "channel_tiles_rgba"),
    Case("facades in channel_tiles, the same", FACADES, ("shaders/up4.frag",), None),
)


def main() -> int:
    """Run the cases and print a line for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--saves", type=int, default=50, help="saves of each case (50)")
    parser.add_argument("--reloads", type=int, default=1000, help="reloads of the last case (1000); 0 leaves it out")
    parser.add_argument("--only", default="", help="cases with this in their name")
    options = parser.parse_args()
    good = True
    print(f"{'median ms':36}" + "".join(f"{stage:>13}" for stage in STAGES) + f"{'limit':>8}")
    for case in CASES:
        if options.only in case.name:
            good &= _show(case, _measure(case, options.saves))
    if options.reloads:
        good &= _leaks(options.reloads)
    return 0 if good else 1


def _show(case: Case, times: Sequence[Mapping[str, float]]) -> bool:
    medians = {stage: statistics.median(each[stage] for each in times) for stage in STAGES}
    cells = "".join(f"{medians[stage]:13.1f}" for stage in STAGES)
    print(f"{case.name:36}{cells}{case.limit_ms or float('nan'):8.0f}", flush=True)
    return case.limit_ms is None or medians["total"] <= case.limit_ms


def _measure(case: Case, saves: int) -> list[Mapping[str, float]]:
    with _opened(case.source, case.layout) as (session, reloader, folder):
        times = []
        for number in range(saves + 1):
            path = folder / case.shaders[number % len(case.shaders)]
            times.append(_save(session, reloader, path, _edited(path.read_text(encoding="utf-8"))))
        return times[1:]


def _save(session: Session, reloader: Reloader, path: Path, text: str) -> Mapping[str, float]:
    """One save, taken up; milliseconds by stage."""
    start = time.perf_counter()
    beside = path.with_name(path.name + "~")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
    reload = reloader.wait(10.0)
    end = time.perf_counter()
    if reload is None or reload.errors or not reload.passes:
        raise SystemExit(f"the save of {path.name} led to {reload}")
    for name in reload.passes:
        session.run_pass(name)
    session.finish()
    again = (time.perf_counter() - end) * 1e3
    total = (end - start) * 1e3
    stages = dict(reload.milliseconds)
    notice = total - sum(stages.values())
    return {"notice": notice, "first draws": stages["run"] - again, "total": total, **stages}


def _edited(text: str) -> str:
    """The shader with another start of its sum, as no driver has seen it."""
    lines = text.split("\n")
    value = f"{(time.time_ns() % 10**9) * 1e-16:.12g}"
    for index, line in enumerate(lines):
        if re.match(r"\s*(?:float|vec4) sum = ", line):
            lines[index] = f"{line.partition(' + 1.0 * ')[0].rstrip(';')} + 1.0 * {value};"
            return "\n".join(lines)
    raise SystemExit("the shader has no sum to edit")


@contextmanager
def _opened(source: Path, layout: str) -> Iterator[tuple[Session, Reloader, Path]]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve() / "pipeline"
        if source.is_dir():
            shutil.copytree(source, folder)
        else:
            eject(source, folder, layout=layout)
        target = folder / "pipeline.toml"
        with pipeline.open(target) as session:
            session.run()
            session.finish()
            with Reloader(session, target) as reloader:
                yield session, reloader, folder


def _leaks(reloads: int) -> bool:
    """Reload one pass again and again, every third time broken."""
    with _opened(WEBGL_CNN / "broken", "channel_tiles") as (session, reloader, folder):
        path = folder / "up3.frag"
        good = path.read_text(encoding="utf-8")
        counts: list[tuple[dict[str, int], float]] = []
        for number in range(1, reloads + 1):
            is_good = number % 3 > 0
            text = _edited(good)
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
    """Resident memory of this process; Linux alone says it so."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    sys.exit(main())
